//! Where TLC goes its own way and we do not follow: what is no difference to look into.

/// What TLC alone refuses, by a part of its message, and why that is no difference to look into.
const ACCEPTED: &[(&str, &str)] = &[
    (
        "Cannot cast",
        "an operator without a use for its parameters is a value to TLC, and its Java code fails",
    ),
    ("The argument of IsInjective should be a function", "its Java code knows few forms of functions"),
    ("Functions.antiFunction", "its Java code wants an injective function, which the definition does not"),
];

pub fn is_tlcs_own(message: &str) -> bool {
    ACCEPTED.iter().any(|(part, _)| message.contains(part))
}
