//! IOUtils: text files, environment variables, processes. Binary files are in `pickle`.

use value::Value;

use super::call::{ArgPosition, Call};
use super::format::format;
use super::json;
use crate::interp::Evaluated;
use crate::sandbox::Forbidden;
use crate::world::{Finished, Opening};

type Result<'r> = Evaluated<Value<'r>>;

pub(super) fn env<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let variables = call.machine.run().world().environment();
    let fields: Vec<_> = variables.iter().map(|(name, value)| (name.as_str(), call.string(value))).collect();
    call.record(&fields)
}

/// `atoi(s)`. TLC: a string that is not the text of an integer is refused as if it were not a string.
pub(super) fn atoi<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let [text] = call.values()?;
    match text.as_string().and_then(|atom| atom.text().parse::<num_bigint::BigInt>().ok()) {
        Some(number) => Ok(call.machine.region().big_int(&number)),
        None => Err(call.refuse(ArgPosition::Only, "string", text)),
    }
}

pub(super) fn exec<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let [command] = call.values()?;
    let command = words(call, command)?;
    run(call, &command, &[])
}

pub(super) fn env_exec<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let [environment, command] = call.values()?;
    let environment = variables(call, environment)?;
    let command = words(call, command)?;
    run(call, &command, &environment)
}

pub(super) fn exec_template<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let [template, parameters] = call.values()?;
    let command = fill_template(call, template, parameters)?;
    run(call, &command, &[])
}

pub(super) fn env_exec_template<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let [environment, template, parameters] = call.values()?;
    let environment = variables(call, environment)?;
    let command = fill_template(call, template, parameters)?;
    run(call, &command, &environment)
}

fn words<'r>(call: &mut Call<'_, '_, 'r>, value: Value<'r>) -> Evaluated<Vec<String>> {
    let mut words = Vec::new();
    for word in call.sequence(ArgPosition::Only, value)? {
        words.push(call.text(ArgPosition::Only, word)?.to_owned());
    }
    Ok(words)
}

fn fill_template<'r>(
    call: &mut Call<'_, '_, 'r>,
    template: Value<'r>,
    parameters: Value<'r>,
) -> Evaluated<Vec<String>> {
    let templates = words(call, template)?;
    let parameters = words(call, parameters)?;
    let filled = templates.iter().map(|template| format(template, &parameters));
    filled.collect::<std::result::Result<_, _>>().map_err(|reason| call.malformed_fault(reason))
}

/// Reads a record of variables. Numbers are written as they print.
fn variables<'r>(call: &mut Call<'_, '_, 'r>, record: Value<'r>) -> Evaluated<Vec<(String, String)>> {
    let pairs = match call.graph(record)? {
        Some(pairs) if pairs.iter().all(|(name, _)| name.as_string().is_some()) => pairs,
        Some(_) | None => return Err(call.refuse(ArgPosition::Only, "record", record)),
    };
    let mut variables = Vec::new();
    for (name, value) in pairs {
        let text = match value.as_string() {
            Some(atom) => atom.text().to_owned(),
            None => call.show(value)?,
        };
        variables.push((call.text(ArgPosition::Only, name)?.to_owned(), text));
    }
    Ok(variables)
}

fn run<'r>(call: &mut Call<'_, '_, 'r>, command: &[String], environment: &[(String, String)]) -> Result<'r> {
    let finished = call.machine.run().world().execute(command, environment);
    let finished = finished.map_err(|error| call.world_fault(&command.join(" "), &error))?;
    outcome(call, &finished)
}

fn outcome<'r>(call: &mut Call<'_, '_, 'r>, finished: &Finished) -> Result<'r> {
    let exit = Value::small(finished.exit_code);
    let stdout = call.string(&String::from_utf8_lossy(&finished.stdout));
    let stderr = call.string(&String::from_utf8_lossy(&finished.stderr));
    call.record(&[("exitValue", exit), ("stdout", stdout), ("stderr", stderr)])
}

/// Runs an operation on a text. TLC: a text that cannot be read or written is an outcome, not an error.
fn text_outcome<'r>(
    call: &mut Call<'_, '_, 'r>,
    outcome_of: std::result::Result<String, String>,
) -> Result<'r> {
    let finished = match outcome_of {
        Ok(stdout) => Finished { stdout: stdout.into_bytes(), ..Finished::default() },
        Err(stderr) => Finished { exit_code: 1, stderr: stderr.into_bytes(), ..Finished::default() },
    };
    outcome(call, &finished)
}

fn option<'r>(
    call: &mut Call<'_, '_, 'r>,
    options: Value<'r>,
    name: &'static str,
    place: ArgPosition,
) -> Evaluated<&'static str> {
    match call.field(options, name)? {
        Some(value) => call.text(place, value),
        None => Err(call.malformed_fault(format!("the options have no field `{name}`"))),
    }
}

/// `Serialize(value, path, [format |-> ..., charset |-> ..., openOptions |-> ...])`
pub(super) fn serialize<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let [value, path, options] = call.values()?;
    let path = call.text(ArgPosition::Second, path)?;
    match option(call, options, "format", ArgPosition::Third)? {
        "TXT" => {
            let opening = read_opening(call, options)?;
            let text = call.text(ArgPosition::First, value)?;
            let written = call.machine.run().world().write(path, text.as_bytes(), opening);
            if let Err(error) = &written
                && Forbidden::of(error).is_some()
            {
                return Err(call.world_fault(path, error));
            }
            let outcome = written.map(|()| "Finish writing to the file with success!".to_owned());
            text_outcome(
                call,
                outcome.map_err(|error| format!("Serialize error writing to the file: {error}")),
            )
        }
        "NDJSON" => {
            let opening = read_opening(call, options)?;
            let text = json::lines(call, ArgPosition::First, value)?;
            json::save(call, path, &text, opening)
        }
        other => Err(call.malformed_fault(format!("the format {other:?} is not known"))),
    }
}

/// `Deserialize(path, [format |-> "TXT", charset |-> ...])`
pub(super) fn deserialize<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let [path, options] = call.values()?;
    let path = call.text(ArgPosition::First, path)?;
    match option(call, options, "format", ArgPosition::Second)? {
        "TXT" => {
            charset(call, options)?;
            let bytes = call.machine.run().world().read(path).map_err(|error| error.to_string());
            let text = bytes
                .and_then(|bytes| String::from_utf8(bytes).map_err(|_| "it is not UTF-8 text".to_owned()));
            let reason = |error| format!("Deserialize error reading from the file: {error}");
            text_outcome(call, text.map_err(reason))
        }
        other => Err(call.malformed_fault(format!("the format {other:?} is not known"))),
    }
}

/// Checks the charset. LIMIT: texts are UTF-8.
fn charset<'r>(call: &mut Call<'_, '_, 'r>, options: Value<'r>) -> Evaluated<()> {
    let charset = option(call, options, "charset", ArgPosition::Third)?;
    if ["utf-8", "utf8", "us-ascii", "ascii"].contains(&charset.to_lowercase().as_str()) {
        Ok(())
    } else {
        Err(call.malformed_fault(format!("the charset {charset:?} is not known")))
    }
}

fn read_opening<'r>(call: &mut Call<'_, '_, 'r>, options: Value<'r>) -> Evaluated<Opening> {
    charset(call, options)?;
    let Some(names) = call.field(options, "openOptions")? else {
        return Err(call.malformed_fault("the options have no field `openOptions`"));
    };
    let names = words(call, names)?;
    if names.is_empty() {
        return Ok(Opening::REPLACE);
    }
    let mut opening = Opening::default();
    for name in names {
        match name.as_str() {
            "CREATE" => opening.create = true,
            "CREATE_NEW" => opening.create_new = true,
            "TRUNCATE_EXISTING" => opening.truncate = true,
            "APPEND" => opening.append = true,
            "WRITE" | "READ" | "SYNC" | "DSYNC" | "SPARSE" => {}
            other => return Err(call.malformed_fault(format!("the open option {other:?} is not known"))),
        }
    }
    Ok(opening)
}
