//! Decodes messages: bytes to JSON, by a command of the system where they are not JSON already.

use base::FxHashMap;
use serde_json::Value;
use stage::Helper;
use trace::Datum;

/// Reads messages; what was read once is known.
pub struct Decoder {
    command: Option<Helper>,
    known: FxHashMap<Vec<u8>, Value>,
    /// The values that the mapping makes of messages; `None` for messages that are not part of the protocol.
    pub(crate) values: FxHashMap<Vec<u8>, Option<Datum>>,
}

impl Decoder {
    /// Without words messages are JSON.
    pub fn start(words: &[String]) -> Result<Decoder, String> {
        let command = match words {
            [] => None,
            words => Some(Helper::start("the decoder of messages", words, None)?),
        };
        Ok(Decoder { command, known: FxHashMap::default(), values: FxHashMap::default() })
    }

    /// Decodes a message; null if it has no content that can be read.
    pub fn read(&mut self, bytes: &[u8]) -> Result<Value, String> {
        if let Some(known) = self.known.get(bytes) {
            return Ok(known.clone());
        }
        let value = match &mut self.command {
            None => serde_json::from_slice(bytes).unwrap_or(Value::Null),
            Some(helper) => ask(helper, bytes)?,
        };
        self.known.insert(bytes.to_vec(), value.clone());
        Ok(value)
    }
}

fn ask(helper: &mut Helper, bytes: &[u8]) -> Result<Value, String> {
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let line = helper.ask(&hex)?;
    serde_json::from_str(&line).map_err(|error| format!("the decoder of messages wrote no JSON: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoder(script: &str) -> Decoder {
        Decoder::start(&["sh", "-c", script].map(str::to_owned)).expect("there is a shell")
    }

    #[test]
    fn how_a_decoder_ended_is_told() {
        assert_eq!(
            decoder("exit 3").read(b"x").expect_err("it has ended"),
            "the decoder of messages ended (exit status: 3)"
        );
        let told = decoder("read x; echo nothing").read(b"x").expect_err("that is no JSON");
        assert!(told.starts_with("the decoder of messages wrote no JSON"), "{told}");
    }

    #[test]
    fn a_decoder_that_goes_on_without_answering_is_ended() {
        let told = decoder("exec >&- <&-; exec sleep 1000").read(b"x").expect_err("it does not answer");
        assert_eq!(told, "the decoder of messages ended (signal: 9 (SIGKILL))");
    }

    #[test]
    fn ctrl_c_does_not_reach_a_decoder() {
        let decoder = decoder("read x");
        let id = decoder.command.as_ref().expect("it runs").id();
        let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).expect("it runs");
        // After the name in parentheses: state, parent, group.
        let group = stat.rsplit(')').next().and_then(|rest| rest.split_whitespace().nth(2));
        assert_eq!(group, Some(id.to_string().as_str()), "{stat}");
    }
}
