//! Signatures: how the machine writes types.

/// The reason why a text is no signature of a method.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{0}` is no signature of a method")]
pub struct SignatureError(String);

/// Returns the signature of a class with this name: `a.b.C` is `La/b/C;`.
pub fn class_signature(name: &str) -> String {
    format!("L{};", name.replace('.', "/"))
}

/// Returns the name of a type as people write it: `La/b/C;` is `a.b.C`, `[I` is `int[]`.
pub fn readable_type(signature: &str) -> String {
    let element = signature.trim_start_matches('[');
    let name = match element {
        "Z" => "boolean".to_owned(),
        "B" => "byte".to_owned(),
        "C" => "char".to_owned(),
        "S" => "short".to_owned(),
        "I" => "int".to_owned(),
        "J" => "long".to_owned(),
        "F" => "float".to_owned(),
        "D" => "double".to_owned(),
        "V" => "void".to_owned(),
        class => class
            .strip_prefix('L')
            .and_then(|class| class.strip_suffix(';'))
            .unwrap_or(class)
            .replace('/', "."),
    };
    name + &"[]".repeat(signature.len() - element.len())
}

/// The arguments of a method.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Arguments {
    /// For each argument the number of its local variable and the first letter of its signature.
    pub slots: Vec<(u32, u8)>,
    /// The signature of each argument.
    pub types: Vec<String>,
}

impl Arguments {
    /// Reads the signature of a method; `this` is the first local variable of one that is not static.
    pub fn read(signature: &str, is_static: bool) -> Result<Arguments, SignatureError> {
        let wrong = || SignatureError(signature.to_owned());
        let inside = signature.strip_prefix('(').and_then(|rest| rest.split_once(')')).ok_or_else(wrong)?.0;
        let mut arguments = Arguments { slots: Vec::new(), types: Vec::new() };
        let (mut rest, mut slot) = (inside, u32::from(!is_static));
        while !rest.is_empty() {
            let n_dimensions = rest.bytes().take_while(|byte| *byte == b'[').count();
            let element = &rest[n_dimensions..];
            let len = match element.bytes().next().ok_or_else(wrong)? {
                b'L' => element.find(';').ok_or_else(wrong)? + 1,
                b'Z' | b'B' | b'C' | b'S' | b'I' | b'J' | b'F' | b'D' => 1,
                _ => return Err(wrong()),
            };
            let (one, others) = rest.split_at(n_dimensions + len);
            let letter = one.as_bytes()[0];
            arguments.slots.push((slot, letter));
            arguments.types.push(one.to_owned());
            // Long and double numbers take two local variables.
            slot += if matches!(letter, b'J' | b'D') { 2 } else { 1 };
            rest = others;
        }
        Ok(arguments)
    }
}

#[cfg(test)]
mod tests {
    use super::{Arguments, class_signature, readable_type};

    #[test]
    fn arguments_have_the_local_variables_that_the_machine_gives_them() {
        let arguments = Arguments::read("(IJ[Ljava/lang/String;D[[ILa/B;)V", false).unwrap();
        assert_eq!(arguments.slots, [(1, b'I'), (2, b'J'), (4, b'['), (5, b'D'), (7, b'['), (8, b'L')]);
        assert_eq!(arguments.types[2], "[Ljava/lang/String;");
        assert_eq!(Arguments::read("(Z)V", true).unwrap().slots, [(0, b'Z')]);
        assert_eq!(Arguments::read("()V", true).unwrap().slots, []);
        for wrong in ["", "I", "(", "(L)V", "(Q)V", "([)V", "(Lx", "(ä)V"] {
            assert!(Arguments::read(wrong, true).is_err(), "{wrong}");
        }
    }

    #[test]
    fn names_of_types_are_those_of_the_language() {
        assert_eq!(class_signature("a.b.C$D"), "La/b/C$D;");
        assert_eq!(readable_type("La/b/C$D;"), "a.b.C$D");
        assert_eq!(readable_type("[[I"), "int[][]");
        assert_eq!(readable_type("[La/B;"), "a.B[]");
    }
}
