//! SVG: elements as text, and a little geometry.

use value::Value;

use super::call::{ArgPosition, Call};
use crate::interp::Evaluated;

type Result<'r> = Evaluated<Value<'r>>;

pub(super) fn elem_to_string<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let [element] = call.values()?;
    let mut text = String::new();
    write(call, element, &mut text)?;
    Ok(call.string(&text))
}

fn write<'r>(call: &mut Call<'_, '_, 'r>, element: Value<'r>, out: &mut String) -> Evaluated<()> {
    base::with_stack(|| write_here(call, element, out))
}

/// Writes an element. TLC: attributes in single quotes, `_` in their names written as `-`.
fn write_here<'r>(call: &mut Call<'_, '_, 'r>, element: Value<'r>, out: &mut String) -> Evaluated<()> {
    let name = field(call, element, "name")?;
    let name = call.text(ArgPosition::Only, name)?;
    out.push_str(&format!("<{name}"));
    for (name, value) in parts(call, element, "attrs")? {
        let name = call.text(ArgPosition::Only, name)?.replace('_', "-");
        let value = call.text(ArgPosition::Only, value)?;
        out.push_str(&format!(" {name}='{value}'"));
    }
    out.push('>');
    let inner = field(call, element, "innerText")?;
    let inner = call.text(ArgPosition::Only, inner)?;
    out.push_str(&inner.replace("<<", "&lt;&lt;").replace(">>", "&gt;&gt;"));
    for (_, child) in parts(call, element, "children")? {
        write(call, child, out)?;
    }
    out.push_str(&format!("</{name}>"));
    Ok(())
}

fn field<'r>(call: &mut Call<'_, '_, 'r>, element: Value<'r>, name: &'static str) -> Result<'r> {
    match call.field(element, name)? {
        Some(value) => Ok(value),
        None => {
            Err(call.refuse(ArgPosition::Only, "record with name, attrs, children and innerText", element))
        }
    }
}

fn parts<'r>(
    call: &mut Call<'_, '_, 'r>,
    element: Value<'r>,
    name: &'static str,
) -> Evaluated<Vec<(Value<'r>, Value<'r>)>> {
    let value = field(call, element, name)?;
    match call.graph(value)? {
        Some(pairs) => Ok(pairs),
        None => Err(call.refuse(ArgPosition::Only, "record with functions as attrs and children", element)),
    }
}

/// `NodeOfRingNetwork`: the n-th of m points on a circle, truncated towards zero as in TLC.
pub(super) fn node_of_ring_network<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let values: [Value<'r>; 5] = call.values()?;
    let mut numbers = [0.0; 5];
    for (number, value) in numbers.iter_mut().zip(values) {
        *number = call.int(ArgPosition::Only, "number", value)? as f64;
    }
    let [cx, cy, r, n, m] = numbers;
    let angle = (2.0 * std::f64::consts::PI / m) * n;
    point(call, cx + r * angle.cos(), cy + r * angle.sin())
}

pub(super) fn point_on_line<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let [from, to, segment] = call.values()?;
    let segment = call.int(ArgPosition::Third, "number", segment)? as f64;
    let (from_x, from_y) = coordinates(call, from)?;
    let (to_x, to_y) = coordinates(call, to)?;
    point(call, from_x + (to_x - from_x) / segment, from_y + (to_y - from_y) / segment)
}

fn coordinates<'r>(call: &mut Call<'_, '_, 'r>, point: Value<'r>) -> Evaluated<(f64, f64)> {
    let x = call.field(point, "x")?.and_then(Value::as_i64);
    let y = call.field(point, "y")?.and_then(Value::as_i64);
    match (x, y) {
        (Some(x), Some(y)) => Ok((x as f64, y as f64)),
        (_, _) => Err(call.refuse(ArgPosition::Only, "record of two numbers x and y", point)),
    }
}

fn point<'r>(call: &mut Call<'_, '_, 'r>, x: f64, y: f64) -> Result<'r> {
    let region = call.machine.region();
    call.record(&[("x", region.int(x as i64)), ("y", region.int(y as i64))])
}
