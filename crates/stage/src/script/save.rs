//! Keeps a record of a run while it happens, and writes it as a trace and as logs on request.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

use serde_json::Value;
use trace::{Binding, Datum, Finding, State, Step, Trace};

use super::Record;

/// The variables of the trace, which are fields of a record.
const VARIABLES: &[&str] = &["clocks", "nodes", "held", "answer", "output", "log"];

/// The records of a run. They are in a file of the run's folder, so that a long run does not fill the memory.
pub(super) struct History {
    path: PathBuf,
    file: File,
    first: Record,
}

impl History {
    /// Starts a history; `first` is the state before anything has happened.
    pub fn begin(path: PathBuf, first: Record) -> io::Result<History> {
        Ok(History { file: File::create(&path)?, path, first })
    }

    pub fn add(&mut self, record: &Record) -> io::Result<()> {
        let json = serde_json::to_string(record).map_err(io::Error::from)?;
        writeln!(self.file, "{json}")
    }

    /// Writes three files and returns their names: `NAME.ndjson` has the events, `NAME.itf.json` the same as a trace,
    /// and `NAME.log.ndjson` what the nodes logged, in the order in which it happened.
    pub fn save(&self, name: &str) -> io::Result<Vec<String>> {
        let [events, itf, log] =
            ["ndjson", "itf.json", "log.ndjson"].map(|ending| format!("{name}.{ending}"));
        fs::copy(&self.path, &events)?;
        let records = self.read()?;
        fs::write(&itf, trace::itf::write(&self.trace(&records)?))?;
        write_log(&records, Path::new(&log))?;
        Ok(vec![events, itf, log])
    }

    fn read(&self) -> io::Result<Vec<Value>> {
        let lines = BufReader::new(File::open(&self.path)?).lines();
        lines.map(|line| serde_json::from_str(&line?).map_err(io::Error::from)).collect()
    }

    fn trace(&self, records: &[Value]) -> io::Result<Trace> {
        let mut trace = Trace::new(VARIABLES.iter().map(|name| (*name).to_owned()).collect());
        trace.finding = Finding::Example { description: "what happened on a stage".to_owned() };
        let first = serde_json::to_value(&self.first).map_err(io::Error::from)?;
        trace.states = vec![State { step: None, values: values(&first) }];
        trace.states.extend(
            records.iter().map(|record| State { step: Some(step(&record["step"])), values: values(record) }),
        );
        Ok(trace)
    }
}

/// Writes the log lines of all nodes. Only an event passes information between nodes, so lines of one event from
/// different nodes are independent of each other, and any order of them is a valid explanation.
fn write_log(records: &[Value], path: &Path) -> io::Result<()> {
    let mut file = io::BufWriter::new(File::create(path)?);
    let logs = records.iter().filter_map(|record| record["log"].as_object());
    for line in logs.flat_map(|log| log.values()).filter_map(Value::as_array).flatten() {
        match line {
            // A line that is not JSON is copied as it was written.
            Value::String(text) => writeln!(file, "{text}")?,
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
                writeln!(file, "{line}")?;
            }
        }
    }
    file.flush()
}

fn values(record: &Value) -> Vec<Option<Datum>> {
    VARIABLES.iter().map(|name| Some(datum(&record[*name]))).collect()
}

/// Converts an event to a step: its kind is the name, and the rest are parameters.
fn step(event: &Value) -> Step {
    let name = event["kind"].as_str().unwrap_or_default().to_owned();
    let fields = event.as_object().into_iter().flatten().filter(|(name, _)| *name != "kind");
    let parameters = fields.map(|(name, value)| Binding::new(name.clone(), datum(value))).collect();
    Step { name, place: None, parameters }
}

/// Converts JSON to a value of TLA+; a number that has no such value is kept as text.
fn datum(json: &Value) -> Datum {
    match json {
        Value::Bool(value) => Datum::Bool(*value),
        Value::Number(number) => match (number.as_i64(), number.as_u64()) {
            (Some(value), _) => Datum::int(value),
            (None, Some(value)) => Datum::int(value),
            (None, None) => Datum::Opaque(number.to_string()),
        },
        Value::String(text) => Datum::string(text.clone()),
        Value::Array(items) => Datum::Seq(items.iter().map(datum).collect()),
        Value::Object(fields) => {
            Datum::record(fields.iter().map(|(name, value)| (name.clone(), datum(value))))
        }
        Value::Null => Datum::Opaque("null".to_owned()),
    }
}
