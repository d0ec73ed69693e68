//! Literals and the values of configurations, as values that live as long as the program.

use base::Name;
use diag::{Code, Diagnostic};
use num_bigint::BigInt;
use sema::config;
use value::{Atom, Constant, Plain, Region, Value};

use super::Lowerer;

impl Lowerer<'_> {
    pub(super) fn int(&mut self, value: &BigInt) -> Constant {
        let region = Region::new();
        let int = region.big_int(value);
        self.keep(&region, int)
    }

    pub(super) fn string(&mut self, text: Name) -> Constant {
        inline(Value::atom(self.atoms.declare(self.spec.names.text(text))))
    }

    pub(super) fn model_value(&mut self, text: Name) -> Constant {
        inline(Value::atom(self.atoms.declare(self.spec.names.text(text)).as_model_value()))
    }

    pub(super) fn boolean_set(&mut self) -> Constant {
        let region = Region::new();
        let set = region.set(&[Value::FALSE, Value::TRUE]);
        self.keep(&region, set)
    }

    pub(super) fn string_set(&mut self) -> Constant {
        inline(Value::STRING)
    }

    pub(super) fn config_value(&mut self, value: &config::Value) -> Constant {
        match value {
            config::Value::Int(value) => self.int(value),
            config::Value::Str(text) => self.string(*text),
            config::Value::Bool(value) => inline(Value::bool(*value)),
            config::Value::ModelValue(text) => self.model_value(*text),
            config::Value::Set(items) => {
                let items: Vec<Value<'static>> =
                    items.iter().map(|item| self.config_value(item).get()).collect();
                let region = Region::new();
                let set = region.set(&items);
                self.keep(&region, set)
            }
        }
    }

    pub(super) fn field_atom(&mut self, name: Name) -> Atom {
        self.atoms.declare(self.spec.names.text(name))
    }

    /// Makes a copy that lives as long as the program. Literals are explicit, but a set of the configuration can mix
    /// kinds that cannot be compared: that is reported, and the set is left out.
    fn keep<'r>(&mut self, region: &'r Region, value: Value<'r>) -> Constant {
        match Constant::new(&mut Plain(region), value) {
            Ok(constant) => constant,
            Err(error) => {
                let headline = format!("a set in the configuration has no order: {error}");
                self.diagnostics.push(Diagnostic::without_place(Code::ConfigValue, headline));
                inline(Value::FALSE)
            }
        }
    }
}

/// Makes a constant of a value that fits in its word.
pub(super) fn inline(value: Value<'static>) -> Constant {
    Constant::opt_inline(value).expect("booleans, atoms and named sets need no memory")
}
