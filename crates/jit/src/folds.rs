//! Code for standard operators that take operators: folds, selections, counts.

use cranelift_codegen::ir::types;
use cranelift_frontend::Variable;
use eval::ir::{CallArg, IrId};
use sema::std_ops::StdOp;

use crate::binders::Source;
use crate::emit::{Emitted, Emitter, Val};
use crate::runtime;

impl Emitter<'_, '_, '_> {
    /// Makes code for a standard operator with operator arguments. Some are loops; the interpreter does the others.
    pub fn native_with_operators(&mut self, op: StdOp, args: &[CallArg], id: IrId) -> Emitted<Val> {
        if !self.are_applicable(args) {
            return self.interpret(id);
        }
        match (op, args) {
            (StdOp::FoldSet, &[fold, CallArg::Expr(base), CallArg::Expr(set)]) => {
                let result = self.accumulator(base)?;
                let source = self.source(set)?;
                self.fold_over(fold, &source, result)
            }
            (StdOp::FoldLeft, &[fold, CallArg::Expr(base), CallArg::Expr(sequence)]) => {
                let result = self.accumulator(base)?;
                let source = self.items(sequence)?;
                self.for_each(&source, &mut |emitter, item, _| {
                    let before = Val::word(emitter.b.use_var(result));
                    emitter.fold_one(fold, [before, item], result)
                })?;
                Ok(Val::word(self.b.use_var(result)))
            }
            (StdOp::FoldFunction | StdOp::FoldSeq, &[fold, CallArg::Expr(base), CallArg::Expr(function)]) => {
                let result = self.accumulator(base)?;
                let function = self.word(function)?;
                let domain = self.call_word(runtime::domain::helper(), &[function]);
                let source = self.source_of(&domain)?;
                self.for_each(&source, &mut |emitter, key, _| {
                    let value = emitter.apply(&Val::word(function), &key);
                    let before = Val::word(emitter.b.use_var(result));
                    emitter.fold_one(fold, [value, before], result)
                })?;
                Ok(Val::word(self.b.use_var(result)))
            }
            (StdOp::Quantify, &[CallArg::Expr(set), test]) => {
                let source = self.source(set)?;
                let n = self.counter();
                self.for_each_selected(&source, test, &mut |emitter, _| {
                    emitter.count_up(n);
                })?;
                Ok(Val::int(self.b.use_var(n)))
            }
            (StdOp::SelectSeq, &[CallArg::Expr(sequence), test]) => {
                let source = self.items(sequence)?;
                let room = self.source_len(&source);
                let first = self.call_word(runtime::room::helper(), &[room]);
                let first = self.word_of(&first);
                let n = self.counter();
                self.for_each_selected(&source, test, &mut |emitter, item| {
                    let word = emitter.word_of(&item);
                    emitter.push(word, first, n);
                })?;
                let n = self.b.use_var(n);
                Ok(self.call_word(runtime::listed_sequence::helper(), &[first, n]))
            }
            _ => self.interpret(id),
        }
    }

    /// Whether code can be made for all operators among these arguments.
    fn are_applicable(&mut self, args: &[CallArg]) -> bool {
        args.iter().all(|&arg| match arg {
            CallArg::Expr(_) => true,
            CallArg::Func(func) => !self.is_recursive(func),
            CallArg::Param(slot) => self.operator(slot).is_ok_and(|callee| !self.is_recursive(callee.func)),
        })
    }

    /// Returns the elements of a sequence.
    fn items(&mut self, sequence: IrId) -> Emitted<Source> {
        let sequence = self.word(sequence)?;
        Ok(self.words_of(runtime::items::helper(), sequence))
    }

    /// Makes a variable for the result so far of a fold.
    fn accumulator(&mut self, base: IrId) -> Emitted<Variable> {
        let result = self.b.declare_var(types::I64);
        let base = self.word(base)?;
        self.b.def_var(result, base);
        Ok(result)
    }

    fn fold_over(&mut self, fold: CallArg, source: &Source, result: Variable) -> Emitted<Val> {
        self.for_each(source, &mut |emitter, element, _| {
            let before = Val::word(emitter.b.use_var(result));
            emitter.fold_one(fold, [element, before], result)
        })?;
        Ok(Val::word(self.b.use_var(result)))
    }

    fn fold_one(&mut self, fold: CallArg, args: [Val; 2], result: Variable) -> Emitted<()> {
        let after = self.apply_operator(fold, args.into())?;
        let after = self.word_of(&after);
        self.b.def_var(result, after);
        Ok(())
    }

    /// Runs `body` for each element for which an operator is true.
    fn for_each_selected(
        &mut self,
        source: &Source,
        test: CallArg,
        body: &mut dyn FnMut(&mut Self, Val),
    ) -> Emitted<()> {
        self.for_each(source, &mut |emitter, element, on| {
            let holds = emitter.apply_operator(test, vec![element.clone()])?;
            let yes = emitter.block();
            emitter.branch_on(&holds, yes, on)?;
            emitter.start(yes);
            body(emitter, element);
            Ok(())
        })
    }
}
