// Shows a state as tables: first a table of processes for the variables with one value for each process, then the other
// variables. If a program was compared, different values are one below the other, or side by side.

function nameCell(name, tag, kind) {
  const cell = element("th", "name", name);
  if (tag) cell.append(element("span", `side ${kind}`, tag));
  return cell;
}

// The most letters for a process beside the others.
const cellChars = ({ room, lanes }) => Math.max(10, Math.min(40, Math.floor((room - 130) / lanes.length / 8 - 2)));

function processRow(shown, row, { before, other, kind, tag }) {
  const { lanes, variables, isExpression } = shown, max = cellChars(shown);
  const differs = (lane) => other != null && other.cells.get(lane) !== row.cells.get(lane);
  const cells = lanes.map((lane) => {
    const id = row.cells.get(lane), isOther = differs(lane);
    const cell = element("td", "", row.cells.has(lane) ? valueElement(id, `${row.name}@${lane}/${kind}`, max, isOther ? other.cells.get(lane) : null) : "");
    const old = before?.cells.get(lane);
    if (old != null && old !== id) {
      cell.classList.add("changed-cell");
      cell.title = `was ${briefOf(old, 200)}`;
    }
    if (isOther) cell.classList.add("differs-cell");
    return cell;
  });
  const line = element("tr", "variable-row", nameCell(row.name, tag, kind), ...cells);
  if (before && lanes.some((lane) => before.cells.get(lane) !== row.cells.get(lane))) line.classList.add("changed");
  if (isExpression(variables[row.variable])) line.classList.add("expression");
  if (other) line.classList.add("differs");
  return line;
}

function processTable(shown) {
  const { ids, before, reals, variables, lanes, isIn } = shown;
  const of = (some) => processRows(some, variables, lanes);
  const rows = of(ids).filter(({ variable }) => isIn(variable));
  if (rows.length === 0) return null;
  const [olds, others] = [before ? of(before) : [], reals ? of(reals) : []];
  const same = (known, row) => known.find(({ name }) => name === row.name);
  const body = element("tbody", "");
  for (const row of rows) {
    const real = same(others, row);
    const differs = real && lanes.some((lane) => real.cells.get(lane) !== row.cells.get(lane));
    const tag = differs ? "specification" : reals && reals[row.variable] == null ? "not compared" : "";
    body.append(processRow(shown, row, { before: same(olds, row), other: differs ? real : null, kind: "spec", tag }));
    if (differs) body.append(processRow(shown, real, { before: null, other: row, kind: "program", tag: "program" }));
  }
  const head = element("tr", "", element("th"), ...lanes.map((lane) => element("th", "", lane)));
  const table = element("table", "processes", element("thead", "", head), body);
  return { table: element("div", "scrolls", table), used: new Set(rows.map(({ variable }) => variable)) };
}

function otherRow({ ids, before, reals, isExpression }, name, variable) {
  const id = ids[variable], real = reals?.[variable] ?? null, differs = real != null && real !== id;
  const isChanged = before !== null && before[variable] !== id;
  const kinds = ["variable-row", isChanged && "changed", isExpression(name) && "expression", differs && "differs"];
  const title = nameCell(name, reals && real == null && !isExpression(name) ? "not compared" : "", "");
  const row = element("tr", kinds.filter(Boolean).join(" "), title);
  const side = (word, kind, value) => element("div", `of-${kind}`, element("span", `side ${kind}`, word), value);
  row.append(element("td", "", !differs ? valueElement(id, `${name}/`) : element("div", "two",
    side("specification", "spec", valueElement(id, `${name}/`, INLINE_CHARS, real)),
    side("program", "program", valueElement(real, `${name}@program/`, INLINE_CHARS, id)))));
  return row;
}

// Builds the tables of a state. `ids` are those of the variables, `before` those of the state before, `reals` those of
// the program; null for a missing value.
function stateTables(shown) {
  const made = shown.lanes.length > 1 ? processTable(shown) : null;
  const others = shown.variables.flatMap((name, variable) =>
    (!shown.isIn(variable) || made?.used.has(variable) ? [] : [otherRow(shown, name, variable)]));
  const table = others.length > 0 ? [element("table", "others", element("tbody", "", ...others))] : [];
  return [...(made ? [made.table] : []), ...table];
}
