//! INSTANCE: checks what is substituted against the demands of the instantiated module on its constants and variables.
//!
//! The definitions that an INSTANCE makes are read like others, but silently: their originals were checked, so any
//! error in them is an error of the substitution.

use std::rc::Rc;

use super::Level;
use super::apply::{Passed, narrow};
use super::checker::{Checker, Ctx, Frame};
use super::facts::{Cause, Limit, Position, Sym};
use crate::spec::{Arg, ConstId, Def, InstanceId, ModuleId, Origin, SubstTarget};

/// Facts about an argument or operator that is substituted.
struct SubstitutedValue {
    level: Level,
    sound: bool,
    passed: Option<Passed>,
}

/// Symbols that count towards the level of what is substituted.
pub(super) type ValueSymbols = Rc<[Sym]>;

impl Checker<'_> {
    /// Reads and checks the substitutions of an INSTANCE.
    pub fn instance(&mut self, id: InstanceId) {
        let instance = &self.spec.instances[id];
        self.enter(instance.within);
        let mut values = Vec::with_capacity(instance.substitutions.len());
        for substitution in &instance.substitutions {
            let max = self.target_max(instance.module, substitution.target);
            let ctx = Ctx::top().part(Limit { max, cause: None }, true);
            values.push(self.value(&substitution.value, &ctx));
        }
        let mut bad = vec![false; values.len()];
        for index in 0..values.len() {
            bad[index] = values[index].sound && self.check_substitution(id, index, &values[index]);
        }
        self.check_flows(id, &values, &mut bad);
        for index in 0..values.len() {
            if values[index].sound && !bad[index] {
                bad[index] = self.check_leibniz(id, index, &values[index]);
            }
        }
        let sound = values.iter().all(|value| value.sound) && !bad.contains(&true);
        self.levels.facts.instances[id] = sound;
        self.demand_of_substituted_symbols(id, &values);
    }

    fn value(&mut self, value: &Arg, ctx: &Ctx) -> SubstitutedValue {
        match value {
            Arg::Expr(expr) => {
                self.expr(*expr, ctx);
                SubstitutedValue { level: self.level(*expr), sound: self.is_sound(*expr), passed: None }
            }
            Arg::Op(op) => {
                let passed = self.pass(op, ctx);
                SubstitutedValue { level: passed.level(), sound: passed.is_sound(), passed: Some(passed) }
            }
        }
    }

    /// Returns the highest level that may be substituted.
    fn target_max(&self, module: ModuleId, target: SubstTarget) -> Level {
        let facts = &self.facts().modules[module];
        match target {
            SubstTarget::Var(_) => Level::State,
            SubstTarget::Const(_) if facts.non_constant.is_some() => Level::Constant,
            SubstTarget::Const(constant) => {
                facts.limits.get(&constant).map_or(Level::Temporal, |limit| limit.max)
            }
        }
    }

    /// Checks the level of what is substituted and of its arguments. Returns whether one is wrong.
    fn check_substitution(&mut self, id: InstanceId, index: usize, value: &SubstitutedValue) -> bool {
        let instance = &self.spec.instances[id];
        let target = instance.substitutions[index].target;
        let max = self.target_max(instance.module, target);
        if value.level > max {
            self.report_at_large(self.substitution_too_high(id, index, value.level, max));
            return true;
        }
        let (SubstTarget::Const(constant), Some(Passed::Operator(operator))) = (target, &value.passed) else {
            return false;
        };
        for slot in 0..operator.slots.len() {
            let need = self.facts().modules[instance.module].needs.get(&(constant, narrow(slot))).copied();
            if let Some(need) = need
                && need.level > operator.max(slot)
            {
                self.report_at_large(self.substitute_too_narrow(id, index, need, operator.max(slot)));
                return true;
            }
        }
        false
    }

    /// Checks constants that the module passes to an operator constant: the operator substituted for the one must
    /// accept what is substituted for the other.
    fn check_flows(&mut self, id: InstanceId, values: &[SubstitutedValue], bad: &mut [bool]) {
        let instance = &self.spec.instances[id];
        let index_of = |constant: ConstId| {
            let target = SubstTarget::Const(constant);
            instance.substitutions.iter().position(|substitution| substitution.target == target)
        };
        let flows: Vec<_> = self.facts().modules[instance.module].flows.iter().copied().collect();
        for (op, slot, constant) in flows {
            let (Some(op_idx), Some(index)) = (index_of(op), index_of(constant)) else { continue };
            let Some(Passed::Operator(operator)) = &values[op_idx].passed else { continue };
            let max = operator.max(slot as usize);
            let sound = values[index].sound && values[op_idx].sound && !bad[index] && !bad[op_idx];
            if sound && values[index].level > max {
                self.report_at_large(self.substituted_argument_too_high(id, op_idx, index, max));
                bad[index] = true;
            }
        }
    }

    /// Checks that an operator substituted for an operator constant gives equal results for equal arguments.
    fn check_leibniz(&mut self, id: InstanceId, index: usize, value: &SubstitutedValue) -> bool {
        let Some(Passed::Operator(operator)) = &value.passed else { return false };
        let Some(slot) = operator.slots.iter().position(|slot| !slot.leibniz) else { return false };
        self.report_at_large(self.not_leibniz(id, index, slot));
        true
    }

    /// Passes the demands of the module on an operator constant on to the symbol that stands for it.
    fn demand_of_substituted_symbols(&mut self, id: InstanceId, values: &[SubstitutedValue]) {
        let instance = &self.spec.instances[id];
        for (substitution, value) in instance.substitutions.iter().zip(values) {
            let SubstTarget::Const(constant) = substitution.target else { continue };
            let Some(Passed::Symbol { sym: Some(op), level: _ }) = value.passed else { continue };
            let needs: Vec<_> = self.facts().modules[instance.module]
                .needs
                .iter()
                .filter(|((target, _), _)| *target == constant)
                .map(|(&(_, index), &need)| (index, need))
                .collect();
            for (index, need) in needs {
                self.levels.facts.need(instance.within, Position { op, index }, need);
            }
        }
    }

    /// Requires that a parameter that stands for a constant of a non-constant module stays constant. The body of the
    /// instantiated definition, where it has taken the constant's place, does not say so.
    pub fn limit_instance_params(&mut self, def: &Def, origin: Origin) {
        let instance = &self.spec.instances[origin.instance];
        if self.facts().modules[instance.module].non_constant.is_none() {
            return;
        }
        for (index, substitution) in instance.substitutions.iter().enumerate() {
            let SubstTarget::Const(constant) = substitution.target else { continue };
            if !self.facts().defs[origin.def].mentions.contains(&Sym::Const(constant)) {
                continue;
            }
            let cause = Some(Cause::Substitution { instance: origin.instance, index: narrow(index) });
            let limit = Limit { max: Level::Constant, cause };
            for &sym in self.value_symbols(origin.instance, index).iter() {
                if let Sym::Param(param) = sym {
                    let own = instance.params.iter().position(|&other| other == param);
                    let param = own.and_then(|own| def.params.get(own)).copied().unwrap_or(param);
                    self.levels.facts.limit(instance.within, Sym::Param(param), limit);
                }
            }
        }
    }

    fn value_symbols(&mut self, id: InstanceId, index: usize) -> ValueSymbols {
        if let Some(known) = self.value_symbols.get(&(id, index)) {
            return Rc::clone(known);
        }
        let within = self.spec.instances[id].within;
        let outer = std::mem::replace(&mut self.frame, Frame::new(within));
        let value = &self.spec.instances[id].substitutions[index].value;
        self.silently(|checker| checker.value(value, &Ctx::top()));
        let inner = std::mem::replace(&mut self.frame, outer);
        let symbols: ValueSymbols = inner.counting.into_iter().collect();
        self.value_symbols.insert((id, index), Rc::clone(&symbols));
        symbols
    }
}
