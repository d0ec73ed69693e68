//! Words for faults.

use base::Names;
use diag::render::count;

use super::fault::FaultKind;
use crate::ir::{Failure, Program};

impl FaultKind {
    /// Returns the error as a headline: lower case, no full stop, perhaps several lines when it shows a value.
    pub fn headline(&self, program: &Program, names: &Names) -> String {
        match self {
            FaultKind::Op(error) => error.to_string(),
            FaultKind::NotBoolean { value } => format!("a boolean is needed here, not {value}"),
            FaultKind::Failure(failure) => failure.headline(names),
            FaultKind::Unassigned { variable, next } => {
                let name = program.variable_name(*variable).map(|name| names.text(name));
                let prime = if *next { "'" } else { "" };
                format!("`{}{prime}` has no value yet", name.unwrap_or("?"))
            }
            FaultKind::NoArm => "no arm of the CASE is true and there is no OTHER".to_owned(),
            FaultKind::NoWitness { set } => format!("no element of {set} satisfies the CHOOSE"),
            FaultKind::NoMatch { element, width } => {
                format!("{element} is not a tuple of {}", count(*width, "element"))
            }
            FaultKind::NoRow { name, args } => {
                format!("the configuration gives `{}` no value for ({args})", names.text(*name))
            }
            FaultKind::TooDeep { limit } => format!("more than {limit} calls inside one another"),
            FaultKind::Assert { message } => format!("assertion failed: {message}"),
            FaultKind::Argument { op, position, expected, value } => {
                let which =
                    position.map_or("its argument".to_owned(), |which| format!("its {which} argument"));
                format!("`{op}` needs {} {expected} as {which}, not {value}", article(expected))
            }
            FaultKind::NotApplicable { op, expected, value } => {
                format!("`{op}` needs {expected}, not {value}")
            }
            FaultKind::OutsideSequence { op, position, index, sequence } => {
                format!("`{op}`: its {position} argument {index} is not a position in {sequence}")
            }
            FaultKind::NoRegister { name } => format!("`TLCGet({name})` has no value"),
            FaultKind::Unavailable { op, needs } => format!("`{op}` needs {needs}, and there is none here"),
            FaultKind::Io { op, target, reason } => format!("`{op}`: {target}: {reason}"),
            FaultKind::Sandboxed { op, target, forbidden } => format!("`{op}`: `{target}`: {forbidden}"),
            FaultKind::Malformed { op, reason } => format!("`{op}`: {reason}"),
            FaultKind::Interrupted => "evaluation was interrupted".to_owned(),
        }
    }
}

impl Failure {
    fn headline(self, names: &Names) -> String {
        match self {
            Failure::UnboundedQuantifier => {
                "a quantifier without a bound cannot be evaluated; give it a set".to_owned()
            }
            Failure::UnboundedChoose => {
                "a CHOOSE without a bound cannot be evaluated; give it a set".to_owned()
            }
            Failure::Temporal => "a temporal formula has no value in a state".to_owned(),
            Failure::Real => "real numbers cannot be evaluated".to_owned(),
            Failure::NoNative(op) => {
                let (module, name, _) = op.signature();
                format!("`{name}` of module {module} cannot be evaluated")
            }
            Failure::NoValue(name) => format!("`{}` has no value", names.text(name)),
            Failure::Cyclic(name) => format!(
                "`{}` is defined by itself: a replacement in the configuration leads back to it",
                names.text(name)
            ),
            Failure::DoublePrime => "a prime inside a prime has no value".to_owned(),
        }
    }
}

fn article(noun: &str) -> &'static str {
    if noun.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" }
}
