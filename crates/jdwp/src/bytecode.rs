//! The code of methods, as far as it takes to find where a method returns.
//!
//! The machine can tell when a method is left, but then it interprets the whole thread slowly. A breakpoint at each
//! instruction that returns costs nothing elsewhere, and the local variables can still be read there.

/// The reason why the code of a method cannot be gone through.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the code of the method cannot be read at position {at}")]
pub struct ReturnsError {
    pub at: usize,
}

const TABLESWITCH: u8 = 0xaa;
const LOOKUPSWITCH: u8 = 0xab;
/// The first and the last of the instructions that return.
const IRETURN: u8 = 0xac;
const RETURN: u8 = 0xb1;
const WIDE: u8 = 0xc4;
const IINC: u8 = 0x84;

/// Returns the positions of the instructions by which a method returns. A method that only throws has none.
pub fn find_returns(code: &[u8]) -> Result<Vec<u64>, ReturnsError> {
    let mut returns = Vec::new();
    let mut at = 0;
    while let Some(opcode) = code.get(at) {
        if (IRETURN..=RETURN).contains(opcode) {
            returns.push(at as u64);
        }
        let len = instruction_len(code, at).ok_or(ReturnsError { at })?;
        at = at.checked_add(len).filter(|next| *next <= code.len()).ok_or(ReturnsError { at })?;
    }
    Ok(returns)
}

/// Returns the length of the instruction at a position; `None` if there is no such instruction.
fn instruction_len(code: &[u8], at: usize) -> Option<usize> {
    let opcode = *code.get(at)?;
    match opcode {
        TABLESWITCH => {
            let table = table_of_switch(at);
            let (low, high) = (word(code, table + 4)?, word(code, table + 8)?);
            let n = usize::try_from(i64::from(high) - i64::from(low) + 1).ok()?;
            Some(table + 12 + n.checked_mul(4)? - at)
        }
        LOOKUPSWITCH => {
            let table = table_of_switch(at);
            let n = usize::try_from(word(code, table + 4)?).ok()?;
            Some(table + 8 + n.checked_mul(8)? - at)
        }
        WIDE => Some(if *code.get(at + 1)? == IINC { 6 } else { 4 }),
        _ => fixed_len(opcode),
    }
}

/// Returns where the table of a switch begins: at a multiple of four.
fn table_of_switch(at: usize) -> usize {
    (at + 4) / 4 * 4
}

fn word(code: &[u8], at: usize) -> Option<i32> {
    code.get(at..)?.first_chunk().map(|bytes| i32::from_be_bytes(*bytes))
}

/// Returns the length of an instruction that always has the same (The Java Virtual Machine Specification, chapter 6).
fn fixed_len(opcode: u8) -> Option<usize> {
    Some(match opcode {
        0x10 | 0x12 | 0x15..=0x19 | 0x36..=0x3a | 0xa9 | 0xbc => 2,
        0x11 | 0x13 | 0x14 | 0x84 | 0x99..=0xa8 | 0xb2..=0xb8 | 0xbb | 0xbd | 0xc0 | 0xc1 | 0xc6 | 0xc7 => 3,
        0xc5 => 4,
        0xb9 | 0xba | 0xc8 | 0xc9 => 5,
        0x00..=0x0f | 0x1a..=0x35 | 0x3b..=0x83 | 0x85..=0x98 | 0xac..=0xb1 | 0xbe | 0xbf | 0xc2 | 0xc3 => 1,
        // A breakpoint of the machine itself (0xca) never shows; the others do not exist.
        0xaa | 0xab | 0xc4 | 0xca..=0xff => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::{ReturnsError, find_returns};

    #[test]
    fn returns_are_told_from_bytes_that_look_like_them() {
        // iload_0; ifeq +5; bipush 0xac; ireturn; wide iload 0xacac; ireturn
        let code = [0x1a, 0x99, 0, 5, 0x10, 0xac, 0xac, 0xc4, 0x15, 0xac, 0xac, 0xac];
        assert_eq!(find_returns(&code), Ok(vec![6, 11]));
        // wide iinc; return; aload_0; athrow
        assert_eq!(find_returns(&[0xc4, 0x84, 0, 1, 0xb1, 0xb1, 0xb1, 0x2a, 0xbf]), Ok(vec![6]));
        assert_eq!(find_returns(&[0x01, 0xbf]), Ok(vec![]));
    }

    #[test]
    fn switches_are_as_long_as_their_tables() {
        // iload_0; tableswitch from 1 to 2 at position 1, its table at 4; return at 24
        let mut code = vec![0x1a, 0xaa, 0, 0, 0, 0, 0, 0xac, 0, 0, 0, 1, 0, 0, 0, 2];
        code.extend([0xb1; 8]);
        code.push(0xb1);
        assert_eq!(find_returns(&code), Ok(vec![24]));
        // lookupswitch with one pair at position 0; return at 20
        let mut code = vec![0xab, 0, 0, 0, 0, 0, 0, 0xac, 0, 0, 0, 1];
        code.extend([0xb1; 8]);
        code.push(0xb1);
        assert_eq!(find_returns(&code), Ok(vec![20]));
    }

    #[test]
    fn code_that_ends_too_early_or_does_not_exist_is_an_error() {
        assert_eq!(find_returns(&[0x00, 0x11, 0]), Err(ReturnsError { at: 1 }));
        assert_eq!(find_returns(&[0xca]), Err(ReturnsError { at: 0 }));
        assert_eq!(find_returns(&[0xc4]), Err(ReturnsError { at: 0 }));
        // A table from 2 to -1, and one that would be longer than the code.
        assert!(find_returns(&[0xaa, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0xff, 0xff, 0xff, 0xff]).is_err());
        assert!(find_returns(&[0xab, 0, 0, 0, 0, 0, 0, 0, 0x7f, 0xff, 0xff, 0xff]).is_err());
    }
}
