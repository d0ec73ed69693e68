//! Functions that apply themselves: each is made once for all actions, takes the values of its arguments, and has cells
//! of its own, because several calls of it can be under way.

use std::sync::Arc;

use base::{FxHashMap, FxHashSet};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self, AbiParam, InstBuilder, Signature, types};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_module::{FuncId as CodeId, Module};
use eval::ir::{CallArg, FuncId, IrId};

use crate::emit::{Emitted, Emitter, EmitterParts, Role, Unsupported, Val};
use crate::env::Binding;
use crate::hint::Hint;
use crate::interpreted::Needs;
use crate::runtime;
use crate::shared::SharedDefinition;

/// Number of calls that may be under way at once. The interpreter does what goes deeper.
const DEPTH_MAX: i64 = 400;

/// The functions that apply themselves and were asked for. `None` for one that has no code.
#[derive(Debug, Default)]
pub(crate) struct RecursiveFunctions {
    known: FxHashMap<FuncId, Option<CodeId>>,
    /// The functions in the order in which they were begun.
    begun: Vec<FuncId>,
    /// The definitions that many places share. `None` for one that is none of these.
    pub shared: FxHashMap<IrId, Option<SharedDefinition>>,
    /// The definitions that many places share and that have code, in the order in which they were finished.
    pub shared_made: Vec<IrId>,
    /// The code of all that were made, and of their parts.
    pub made: FxHashSet<CodeId>,
}

impl RecursiveFunctions {
    /// Whether code belongs to one of these functions, so that others may call it.
    pub fn has(&self, code: CodeId) -> bool {
        self.made.contains(&code)
    }
}

impl Emitter<'_, '_, '_> {
    /// Makes code for a call of a function that applies itself, whose node is `id`.
    pub fn call_recursive(&mut self, func: FuncId, args: &[CallArg], id: IrId) -> Emitted<Val> {
        let exprs: Option<Vec<IrId>> = args
            .iter()
            .map(|arg| match arg {
                CallArg::Expr(expr) => Some(*expr),
                CallArg::Func(_) | CallArg::Param(_) => None,
            })
            .collect();
        let Some(exprs) = exprs else { return self.interpret(id) };
        // The interpreter evaluates an argument when it is needed; if it has no value, it may still not be missed.
        let mut words = vec![self.context];
        let mut hints = Vec::new();
        for expr in exprs {
            let val = self.value(expr)?;
            words.push(self.word_of(&val));
            hints.push(self.kept_hint(&val));
        }
        let Some(code) = self.recursive_code(func, &hints) else { return self.interpret(id) };
        let needs = self.needs(id);
        self.reads = self.reads.with(needs.current());
        let code = self.module.declare_func_in_func(code, self.b.func);
        let call = self.b.ins().call(code, &words);
        let word = self.b.inst_results(call)[0];
        self.guard(word);
        Ok(Val::word(word))
    }

    /// Returns the code of a function that applies itself, which is made when it is first asked for.
    fn recursive_code(&mut self, func: FuncId, hints: &[Hint]) -> Option<CodeId> {
        if let Some(&known) = self.functions.known.get(&func) {
            return known;
        }
        let needs = Needs::of_body(self.program, func);
        let is_closed = needs.slots().next().is_none() && !needs.has_operators();
        if !is_closed || needs.next() != eval::interp::VarSet::NONE {
            self.functions.known.insert(func, None);
            return None;
        }
        let signature = self.recursive_signature(usize::from(self.program.funcs[func].n_params));
        let code = self.module.declare_anonymous_function(&signature).ok();
        let n_begun = self.functions.begun.len();
        let n_shared = self.functions.shared_made.len();
        self.functions.known.insert(func, code);
        self.functions.begun.push(func);
        let n_outlined = self.outlined.len();
        let made =
            code.ok_or(Unsupported("a function")).and_then(|code| self.make_recursive((func, hints), code));
        if made.is_err() {
            // Functions that were made on the way may call this one.
            self.outlined.truncate(n_outlined);
            for func in self.functions.begun.split_off(n_begun) {
                self.functions.known.insert(func, None);
            }
            for id in self.functions.shared_made.split_off(n_shared) {
                self.functions.shared.insert(id, None);
            }
            return None;
        }
        self.functions.made.extend(self.outlined[n_outlined..].iter().map(|&(code, _)| code));
        code
    }

    fn recursive_signature(&self, n_params: usize) -> Signature {
        let mut signature = Signature::new(self.isa.default_call_conv());
        signature.params.extend(std::iter::repeat_n(AbiParam::new(types::I64), n_params + 1));
        signature.returns.push(AbiParam::new(types::I64));
        signature
    }

    fn make_recursive(&mut self, (func, hints): (FuncId, &[Hint]), code: CodeId) -> Emitted<()> {
        let function = &self.program.funcs[func];
        let n_params = usize::from(function.n_params);
        let isa = Arc::clone(&self.isa);
        let mut codegen = self.module.make_context();
        codegen.func.signature = self.recursive_signature(n_params);
        let mut building = FunctionBuilderContext::new();
        let builder = FunctionBuilder::new(&mut codegen.func, &mut building);
        let parts = EmitterParts {
            program: self.program,
            machine: &mut *self.machine,
            hints: self.hints,
            isa: Arc::clone(&isa),
            n_slots: function.n_slots,
            role: Role::Recursive,
            module: &mut *self.module,
            outlined: &mut *self.outlined,
            functions: &mut *self.functions,
            tables: &mut *self.tables,
            nodes: &mut *self.nodes,
            plan: &mut *self.plan,
            notes_ends: self.notes_ends,
        };
        let mut emitter = Emitter::new(builder, parts);
        let params: Vec<ir::Value> = emitter.params_of_entry(n_params);
        // What the first call passes is a guess at what others do.
        for (slot, (param, hint)) in params.into_iter().zip(hints).enumerate() {
            emitter.env.bind(slot as u16, Binding::Val(Val::word(param).with_hint(hint.clone())));
        }
        emitter.enter_depth();
        let result = emitter.value(function.body);
        match result {
            Ok(val) => {
                let word = emitter.word_of(&val);
                emitter.leave_depth();
                emitter.b.ins().return_(&[word]);
                let (interpreted, n) =
                    (std::mem::take(&mut emitter.common.interpreted), emitter.common.n_instructions);
                emitter.finish();
                self.common.interpreted.extend(interpreted);
                self.common.n_instructions += n + codegen.func.dfg.num_insts();
                self.outlined.push((code, codegen));
                Ok(())
            }
            Err(unsupported) => {
                drop(emitter);
                Err(unsupported)
            }
        }
    }

    /// Gives up if too many calls are under way, and counts this one.
    pub fn enter_depth(&mut self) {
        let depth = self.load_count(runtime::DEPTH);
        let fits = self.b.ins().icmp_imm_s(IntCC::SignedLessThan, depth, DEPTH_MAX);
        self.guard(fits);
        let deeper = self.b.ins().iadd_imm_s(depth, 1);
        self.store_word(deeper, self.context, runtime::DEPTH);
    }

    /// A function that gave up need not come here: the count starts anew with the next action.
    pub fn leave_depth(&mut self) {
        let depth = self.load_count(runtime::DEPTH);
        let less = self.b.ins().iadd_imm_s(depth, -1);
        self.store_word(less, self.context, runtime::DEPTH);
    }

    fn load_count(&mut self, offset: i32) -> ir::Value {
        self.b.ins().load(types::I64, ir::MemFlagsData::trusted(), self.context, offset)
    }
}
