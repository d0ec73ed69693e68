//! Definitions and arguments that are evaluated by need: a cell holds the value, or 0 until it is first needed.

use cranelift_codegen::ir::{InstBuilder, types};
use eval::interp::VarSet;
use eval::ir::{IrId, VarIdx};

use crate::emit::{Emitted, Emitter, NextValue, Repr, Unsupported, Val};
use crate::env::{CellNo, Env};
use crate::hint::Hint;
use crate::outline::{Outlined, REPEATED_MAX};

/// The most functions that are made inside each other. The interpreter evaluates definitions that are nested deeper.
const OPEN_MAX: usize = 24;

/// The number of an expression that is evaluated by need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OnceNo(usize);

/// An expression that is evaluated by need.
#[derive(Debug)]
pub(crate) struct Once {
    /// The bindings at the place of the definition. `None` until all definitions of that place are known.
    env: Option<Env>,
    /// The cell of the value. It is 0 until the expression was evaluated since the last time that the place was passed.
    cell: CellNo,
    /// The functions that evaluate it, if it is too long to be repeated: one for each set of variables of the next state
    /// that have changed or not.
    made: Vec<(NextForm, MadeOnce)>,
}

/// The variables of the next state that have a value, and those among them that are unchanged.
type NextForm = (VarSet, VarSet);

#[derive(Clone, Debug)]
struct MadeOnce {
    outlined: Outlined,
    hint: Hint,
    is_made: bool,
}

impl Emitter<'_, '_, '_> {
    /// Adds an expression that is evaluated by need. [`Emitter::settle_onces`] must follow when all of its place are
    /// added.
    pub fn add_once(&mut self) -> OnceNo {
        let cell = self.new_cell();
        let zero = self.iconst(0);
        self.store_cell(cell, zero);
        self.common.onces.push(Once { env: None, cell, made: Vec::new() });
        OnceNo(self.common.onces.len() - 1)
    }

    /// Keeps the bindings of the current place for the expressions that were added last.
    pub fn settle_onces(&mut self) {
        let env = self.env.clone();
        for once in self.common.onces.iter_mut().rev().take_while(|once| once.env.is_none()) {
            once.env = Some(env.clone());
        }
    }

    /// Makes code that evaluates a node of the current frame by need. On the way from here its value is known.
    pub fn once(&mut self, OnceNo(number): OnceNo, expr: IrId) -> Emitted<Val> {
        let is_short = self.size(&[expr], REPEATED_MAX) < REPEATED_MAX;
        // A value that depends on the next state may differ from one way to the next, so no cell keeps it.
        if self.is_cheap(expr) || is_short && self.program.irs[expr].facts.reads_next {
            return self.value(expr);
        }
        if !is_short && self.common.n_open >= OPEN_MAX {
            return self.interpret(expr);
        }
        if self.program.irs[expr].facts.reads_next {
            let MadeOnce { outlined, hint, is_made } = self.function_of_once(number, expr)?;
            let word = self.call_outlined(&outlined)?;
            self.guard(word);
            return Ok(Val { repr: Repr::Word(word), hint, is_made });
        }
        let made = if is_short { None } else { Some(self.function_of_once(number, expr)?) };
        let cell = self.common.onces[number].cell;
        let (missing, have) = (self.block(), self.block());
        let result = self.b.append_block_param(have, types::I64);
        let before = self.load_cell(cell);
        self.b.ins().brif(before, have, &[before.into()], missing, &[]);
        self.start(missing);
        let (computed, hint, is_made) = match made {
            Some(MadeOnce { outlined, hint, is_made }) => {
                let word = self.call_outlined(&outlined)?;
                self.guard(word);
                (word, hint, is_made)
            }
            None => {
                let saved = self.env.clone();
                let val = self.value(expr)?;
                let word = self.word_of(&val);
                self.store_cell(cell, word);
                self.forget_to(saved);
                (word, self.kept_hint(&val), val.is_made)
            }
        };
        self.b.ins().jump(have, &[computed.into()]);
        self.start(have);
        Ok(Val { repr: Repr::Word(result), hint, is_made })
    }

    /// Returns the function that evaluates an expression of the current frame, and keeps its value in the cell.
    fn function_of_once(&mut self, number: usize, expr: IrId) -> Emitted<MadeOnce> {
        let reads = self.needs(expr).next();
        let mut next = self.next.clone();
        let mut form = (VarSet::NONE, VarSet::NONE);
        for (index, given) in next.iter_mut().enumerate() {
            let var = VarSet::one(VarIdx(index as u16));
            match given {
                _ if !reads.meets(var) => *given = None,
                None => {}
                Some(NextValue::Unchanged) => form = (form.0.with(var), form.1.with(var)),
                Some(NextValue::Val(_) | NextValue::Held { .. }) => form.0 = form.0.with(var),
            }
        }
        let once = &self.common.onces[number];
        if let Some((_, made)) = once.made.iter().find(|(known, _)| *known == form) {
            return Ok(made.clone());
        }
        let (cell, env) = (once.cell, once.env.clone());
        let mut env = env.ok_or(Unsupported("a definition without a place"))?;
        env.current = self.env.current;
        let reads_next = reads != VarSet::NONE;
        let parts = [(expr, env.current)];
        let (outlined, (hint, is_made)) = self.outline(&env, &parts, &next, |emitter| {
            let val = emitter.value(expr)?;
            let word = emitter.word_of(&val);
            if !reads_next {
                emitter.store_cell(cell, word);
            }
            emitter.b.ins().return_(&[word]);
            Ok((emitter.kept_hint(&val), val.is_made))
        })?;
        let made = MadeOnce { outlined, hint, is_made };
        self.common.onces[number].made.push((form, made.clone()));
        Ok(made)
    }
}
