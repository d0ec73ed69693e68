//! Records whose fields are known while code is made: parts of a literal are used without making it first, and a chain of
//! `:>` and `@@` becomes one record.

use std::rc::Rc;

use cranelift_codegen::ir::{self, InstBuilder, types};
use eval::ir::{CallArg, IrId, IrKind};
use sema::std_ops::StdOp;
use value::{Atom, Shape, Value, raw};

use crate::emit::{Emitted, Emitter, PARTS_MAX, Reached, Repr, Unsupported, Val};
use crate::env::Binding;
use crate::hint::{Hint, RecordHint};
use crate::runtime;

/// The fields of a record with their values, in the order in which they were found.
type Fields = Vec<(Atom, Val)>;

/// A part of a literal: an element of a tuple, counted from 1, or a field of a record.
#[derive(Clone, Copy, Debug)]
pub(crate) enum LiteralPart {
    Element(i64),
    Field(Atom),
}

/// An operand of `@@`.
enum Operand {
    Fields(Fields),
    Whole(Val),
}

impl Emitter<'_, '_, '_> {
    /// Makes code for a part of a tuple or record that is written out, if the part is cheap to evaluate. The whole of it
    /// is evaluated too, if it may have no value.
    pub fn part_of_literal(&mut self, whole: IrId, part: LiteralPart) -> Emitted<Option<Val>> {
        if !self.has_cheap_part(whole, part) {
            return Ok(None);
        }
        if !self.always_has_value(whole) {
            self.value(whole)?;
        }
        self.at_literal(whole, &mut |emitter, literal| {
            let item = emitter.item(literal, part).ok_or(Unsupported("a part of a literal"))?;
            emitter.value(item).map(Some)
        })
    }

    /// Returns the part of a literal that an argument selects, if it is a constant.
    pub fn literal_part(&mut self, arg: IrId) -> Option<LiteralPart> {
        let constant = self.constant_of(arg)?;
        match (constant.as_small(), constant.as_atom()) {
            (Some(index), _) => Some(LiteralPart::Element(index)),
            (None, Some(name)) => name.is_string().then_some(LiteralPart::Field(name)),
            (None, None) => None,
        }
    }

    /// Runs `body` for the tuple or record that a node stands for, in the frame of that.
    fn at_literal<T>(
        &mut self,
        id: IrId,
        body: &mut dyn FnMut(&mut Self, IrId) -> Emitted<Option<T>>,
    ) -> Emitted<Option<T>> {
        let program = self.program;
        #[expect(clippy::wildcard_enum_match_arm, reason = "every other node is no literal")]
        match &program.irs[id].kind {
            IrKind::Tuple(_) | IrKind::Record { .. } => body(self, id),
            IrKind::Enter { body: inner, .. } => self.at_literal(*inner, body),
            IrKind::Lazy { up, expr, .. } => self.in_frame_up(*up, |emitter| emitter.at_literal(*expr, body)),
            IrKind::Slot(slot) => match self.env.find(*slot) {
                Some((_, &Binding::Argument { expr, frame, .. })) => {
                    self.in_frame(frame, |emitter| emitter.at_literal(expr, body))
                }
                Some((
                    _,
                    Binding::Val(_) | Binding::Held { .. } | Binding::Memo { .. } | Binding::Operator { .. },
                ))
                | None => Ok(None),
            },
            _ => Ok(None),
        }
    }

    fn has_cheap_part(&mut self, whole: IrId, part: LiteralPart) -> bool {
        let found = self.at_literal(whole, &mut |emitter, literal| {
            Ok(emitter.item(literal, part).filter(|&item| emitter.is_cheap(item)))
        });
        matches!(found, Ok(Some(_)))
    }

    fn item(&self, literal: IrId, part: LiteralPart) -> Option<IrId> {
        match (&self.program.irs[literal].kind, part) {
            (IrKind::Tuple(items), LiteralPart::Element(index)) => {
                items.get(usize::try_from(index.checked_sub(1)?).ok()?).copied()
            }
            (IrKind::Record { shape, values }, LiteralPart::Field(field)) => {
                shape.position(field).map(|position| values[position])
            }
            (_, _) => None,
        }
    }

    /// Whether evaluating a node cannot fail, nor take long.
    #[expect(clippy::wildcard_enum_match_arm, reason = "every other node may fail")]
    fn always_has_value(&mut self, id: IrId) -> bool {
        let program = self.program;
        match &program.irs[id].kind {
            IrKind::Const(_) | IrKind::Var(_) => true,
            IrKind::Global(global) => self.machine.global_constant(*global).is_ok(),
            IrKind::Tuple(items) | IrKind::Record { values: items, .. } => {
                items.iter().all(|&item| self.always_has_value(item))
            }
            IrKind::Enter { body, .. } => self.always_has_value(*body),
            IrKind::Lazy { up, expr, .. } => {
                let always = self.in_frame_up(*up, |emitter| Ok(emitter.always_has_value(*expr)));
                always.unwrap_or(false)
            }
            IrKind::Slot(slot) => match self.env.find(*slot) {
                Some((_, Binding::Val(_) | Binding::Held { .. })) => true,
                Some((_, &Binding::Argument { expr, frame, .. })) => {
                    self.in_frame(frame, |emitter| Ok(emitter.always_has_value(expr))).unwrap_or(false)
                }
                Some((_, Binding::Memo { .. } | Binding::Operator { .. })) | None => false,
            },
            _ => false,
        }
    }

    /// Makes code for a chain of `@@`, or for `:>`, if fields of it are known. Fields on the left win.
    pub fn merged(&mut self, id: IrId) -> Emitted<Option<Val>> {
        let mut operands = Vec::new();
        self.list_operands(id, &mut operands);
        let n_known = operands.iter().filter(|&&operand| self.known_fields(operand).is_some()).count();
        let is_worth_it = n_known == operands.len() || n_known > 1;
        if !is_worth_it || n_known == 0 {
            return Ok(None);
        }
        let mut evaluated: Vec<Operand> = Vec::new();
        for operand in operands {
            let next = match self.known_fields(operand) {
                Some(_) => Operand::Fields(self.fields(operand)?),
                None => Operand::Whole(self.value(operand)?),
            };
            match (evaluated.last_mut(), next) {
                (Some(Operand::Fields(before)), Operand::Fields(more)) => {
                    for (name, val) in more {
                        if !before.iter().any(|&(known, _)| known == name) {
                            before.push((name, val));
                        }
                    }
                }
                (_, next) => evaluated.push(next),
            }
        }
        let mut result: Option<Val> = None;
        for operand in evaluated.into_iter().rev() {
            let val = match operand {
                Operand::Fields(fields) => self.record_of(fields)?,
                Operand::Whole(val) => val,
            };
            result = Some(match result {
                Some(right) => self.call_native_on(StdOp::Override, &[val, right])?,
                None => val,
            });
        }
        Ok(result)
    }

    /// Lists the operands of a chain of `@@`, from left to right: it is associative.
    fn list_operands(&self, id: IrId, operands: &mut Vec<IrId>) {
        let IrKind::Native { op: StdOp::Override, args } = &self.program.irs[id].kind else {
            return operands.push(id);
        };
        for arg in args {
            if let CallArg::Expr(expr) = arg {
                self.list_operands(*expr, operands);
            }
        }
    }

    /// Makes a record of its fields, each of which has another name.
    fn record_of(&mut self, mut fields: Fields) -> Emitted<Val> {
        let names: Vec<Atom> = fields.iter().map(|&(name, _)| name).collect();
        let shape = Shape::new(&names).ok_or(Unsupported("fields of a record"))?;
        fields.sort_by_key(|&(name, _)| shape.position(name));
        let vals: Vec<Val> = fields.into_iter().map(|(_, val)| val).collect();
        Ok(self.make_record(shape, &vals))
    }

    /// Makes a record.
    pub fn make_record(&mut self, shape: Shape, vals: &[Val]) -> Val {
        if let Some(values) = Self::all_const(vals)
            && let Some(val) = self.fold(|machine| Ok(machine.region().record(shape, &values)))
        {
            return val;
        }
        let fields = vals.iter().map(|val| self.kept_hint(val)).collect();
        let hint = Hint::Record(Rc::new(vec![RecordHint { shape, fields }]));
        let (first, n) = self.on_stack_vals(vals);
        let shape = self.iconst(i64::from(raw::shape_bits(shape)));
        self.call_word(runtime::record::helper(), &[shape, first, n]).with_hint(hint)
    }

    /// Returns the constant that a node stands for, if it is one.
    #[expect(clippy::wildcard_enum_match_arm, reason = "every other node is evaluated when it runs")]
    pub fn constant_of(&mut self, id: IrId) -> Option<Value<'static>> {
        let program = self.program;
        match &program.irs[id].kind {
            IrKind::Const(constant) => Some(constant.get()),
            IrKind::Global(global) => self.machine.global_constant(*global).ok().map(value::Constant::get),
            IrKind::Enter { body, .. } => self.constant_of(*body),
            IrKind::Lazy { up, expr, .. } => {
                self.in_frame_up(*up, |emitter| Ok(emitter.constant_of(*expr))).ok().flatten()
            }
            IrKind::Slot(slot) => match self.env.find(*slot) {
                Some((_, Binding::Val(val))) => val.as_const(),
                Some((_, &Binding::Argument { expr, frame, .. })) => {
                    self.in_frame(frame, |emitter| Ok(emitter.constant_of(expr))).ok().flatten()
                }
                Some((_, Binding::Held { .. } | Binding::Memo { .. } | Binding::Operator { .. })) | None => {
                    None
                }
            },
            _ => None,
        }
    }

    /// Returns the names of the fields of the record that a node gives, if they are known while code is made.
    #[expect(clippy::wildcard_enum_match_arm, reason = "nothing is known about every other node")]
    fn known_fields(&mut self, id: IrId) -> Option<Shape> {
        let program = self.program;
        match &program.irs[id].kind {
            IrKind::Native { op: StdOp::MapsTo, args } => match args.as_slice() {
                &[CallArg::Expr(key), CallArg::Expr(_)] => Shape::new(&[self.field_name(key)?]),
                _ => None,
            },
            IrKind::Native { op: StdOp::Override, args } => match args.as_slice() {
                &[CallArg::Expr(left), CallArg::Expr(right)] => {
                    let (left, right) = (self.known_fields(left)?, self.known_fields(right)?);
                    let mut names = left.fields().to_vec();
                    names.extend(right.fields().iter().filter(|&&name| left.position(name).is_none()));
                    if names.len() > PARTS_MAX { None } else { Shape::new(&names) }
                }
                _ => None,
            },
            IrKind::Record { shape, .. } if shape.len() <= PARTS_MAX => Some(*shape),
            IrKind::If { then, otherwise, .. } => {
                let shape = self.known_fields(*then)?;
                (self.known_fields(*otherwise)? == shape).then_some(shape)
            }
            IrKind::Enter { body, .. } => self.known_fields(*body),
            IrKind::Lazy { up, memo: None, expr } => {
                self.in_frame_up(*up, |emitter| Ok(emitter.known_fields(*expr))).ok().flatten()
            }
            IrKind::Var(var) => match &self.hints[usize::from(var.0)] {
                Hint::Record(shapes) => match shapes.as_slice() {
                    [only] if only.shape.len() <= PARTS_MAX => Some(only.shape),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns the name of a field that a node stands for, if it is a constant string.
    fn field_name(&mut self, key: IrId) -> Option<Atom> {
        let name = self.constant_of(key)?.as_atom()?;
        name.is_string().then_some(name)
    }

    /// Evaluates the fields of a record whose names are known.
    #[expect(clippy::wildcard_enum_match_arm, reason = "nothing is known about every other node")]
    fn fields(&mut self, id: IrId) -> Emitted<Fields> {
        self.spend(id)?;
        let program = self.program;
        match &program.irs[id].kind {
            IrKind::Native { op: StdOp::MapsTo, args } => match args.as_slice() {
                &[CallArg::Expr(key), CallArg::Expr(value)] => {
                    let name = self.field_name(key).ok_or(Unsupported("the name of a field"))?;
                    Ok(vec![(name, self.value(value)?)])
                }
                _ => Err(Unsupported("arguments of an operator")),
            },
            IrKind::Native { op: StdOp::Override, args } => match args.as_slice() {
                &[CallArg::Expr(left), CallArg::Expr(right)] => {
                    let mut fields = self.fields(left)?;
                    for (name, val) in self.fields(right)? {
                        if !fields.iter().any(|&(known, _)| known == name) {
                            fields.push((name, val));
                        }
                    }
                    Ok(fields)
                }
                _ => Err(Unsupported("arguments of an operator")),
            },
            IrKind::Record { shape, values } => {
                let vals = self.values(values)?;
                Ok(shape.fields().iter().copied().zip(vals).collect())
            }
            IrKind::If { condition, then, otherwise } => self.fields_if(*condition, *then, *otherwise),
            IrKind::Enter { body, .. } => self.fields(*body),
            IrKind::Lazy { up, expr, .. } => self.in_frame_up(*up, |emitter| emitter.fields(*expr)),
            IrKind::Var(var) => {
                let val = self.variable(*var);
                self.fields_of_state(&val)
            }
            _ => Err(Unsupported("fields of a record")),
        }
    }

    fn fields_if(&mut self, condition: IrId, then: IrId, otherwise: IrId) -> Emitted<Fields> {
        let (yes, no) = (self.block(), self.block());
        self.branch(condition, yes, no)?;
        let saved = self.env.clone();
        let shape = self.known_fields(then).ok_or(Unsupported("fields of a record"))?;
        match self.reached(yes, no) {
            Reached::First => {
                self.start(yes);
                return self.fields(then);
            }
            Reached::Second => return self.fields(otherwise),
            Reached::Both => {}
        }
        let join = self.block();
        let results: Vec<ir::Value> =
            (0..shape.len()).map(|_| self.b.append_block_param(join, types::I64)).collect();
        let mut hints: Vec<Option<Hint>> = vec![None; shape.len()];
        for (block, part, truth) in [(yes, then, true), (no, otherwise, false)] {
            self.start(block);
            self.learn(condition, truth);
            let mut fields = self.fields(part)?;
            fields.sort_by_key(|&(name, _)| shape.position(name));
            let mut words = Vec::new();
            for ((_, val), hint) in fields.iter().zip(&mut hints) {
                words.push(self.word_of(val).into());
                let kept = self.kept_hint(val);
                *hint = Some(hint.take().map_or(kept.clone(), |before| crate::hint::join(&before, &kept)));
            }
            self.b.ins().jump(join, &words);
            self.forget_to(saved.clone());
        }
        self.start(join);
        let vals = results.into_iter().zip(hints).map(|(word, hint)| {
            let hint = hint.unwrap_or(Hint::Unknown);
            Val { repr: Repr::Word(word), hint, is_made: true }
        });
        Ok(shape.fields().iter().copied().zip(vals).collect())
    }

    /// Reads all fields of a record of a state that has always had the same names.
    fn fields_of_state(&mut self, val: &Val) -> Emitted<Fields> {
        let Hint::Record(shapes) = val.hint.clone() else { return Err(Unsupported("a record")) };
        let [only] = shapes.as_slice() else { return Err(Unsupported("a record")) };
        let object = self.object_of(val);
        self.guard_header(
            object,
            raw::InternedKind::Record,
            only.shape.len() as u32,
            raw::shape_bits(only.shape),
        );
        let mut fields = Vec::new();
        for (position, (&name, hint)) in only.shape.fields().iter().zip(&only.fields).enumerate() {
            let id = self.slot(object, 1 + position as u32);
            fields.push((name, Val::of_state(id, hint.clone())));
        }
        Ok(fields)
    }
}
