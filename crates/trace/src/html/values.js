// Shows values as tables and trees. A page passes the distinct parts of all its values to `useNodes`; a value is the
// number of one. Long values are built part by part, when the user opens them.
const SEQ = 0, SET = 1, RECORD = 2, FUNCTION = 3, CHUNK = 4;
const INLINE_CHARS = 64, CELL_CHARS = 24, ROWS_AT_ONCE = 100, OPEN_PARTS = 12, COLUMNS_MAX = 9;
let nodes = [];
// The trees that the user opened or closed, by their places: they stay so in the next state.
const opened = new Map();

const useNodes = (all) => { nodes = all; };
const isScalar = (id) => typeof nodes[id] === "string";
const kindOf = (id) => (isScalar(id) ? null : nodes[id][0]);

// Returns the parts of a value in one list: names and values in turn for records and functions.
function partsOf(id) {
  const parts = nodes[id].slice(1);
  return parts.length > 0 && kindOf(parts[0]) === CHUNK ? parts.flatMap((part) => nodes[part].slice(1)) : parts;
}

// Returns records and functions as pairs; sequences with their positions; sets with null.
function entriesOf(id) {
  const kind = kindOf(id), parts = partsOf(id);
  if (kind === SET) return parts.map((part) => [null, part]);
  if (kind === SEQ) return parts.map((part, index) => [String(index + 1), part]);
  const pairs = [];
  for (let index = 0; index < parts.length; index += 2) pairs.push([nameOfNode(parts[index]), parts[index + 1]]);
  return pairs;
}

function sizeOf(id) {
  const [kind, ...parts] = nodes[id];
  const count = parts.reduce((sum, part) => sum + (kindOf(part) === CHUNK ? nodes[part].length - 1 : 1), 0);
  return kind === RECORD || kind === FUNCTION ? count / 2 : count;
}

// Returns a text without its quotes, if it is a name.
const bareName = (text) => (/^".*"$/s.test(text) ? text.slice(1, -1) : text);
const nameOfNode = (id) => bareName(textOf(id, 40) ?? summaryOf(id));

// Returns the value as TLA+ on one line, or null if that is longer than `max`.
function textOf(id, max = Infinity) {
  const node = nodes[id];
  if (typeof node === "string") return node.length <= max ? node : null;
  const kind = node[0], parts = partsOf(id);
  if (parts.length > max) return null;
  const pieces = [];
  let length = 4;
  for (let index = 0; index < parts.length; index += 1) {
    const piece = textOf(parts[index], max - length);
    if (piece == null) return null;
    pieces.push(piece);
    length += piece.length + 2;
    if (length > max + 2) return null;
  }
  const joined = (glue, by) => pieces.reduce((all, piece, index) =>
    all + (index === 0 ? "" : index % 2 === 1 ? glue : by) + piece, "");
  const text = kind === SEQ ? (pieces.length === 0 ? "<<>>" : `<<${pieces.join(", ")}>>`) :
    kind === SET ? `{${pieces.join(", ")}}` :
    pieces.length === 0 ? "<<>>" :
    kind === RECORD ? `[${joined(" |-> ", ", ")}]` : `(${joined(" :> ", " @@ ")})`;
  return text.length <= max ? text : null;
}

const counted = (n, noun) => `${n.toLocaleString("en")} ${noun}${n === 1 ? "" : "s"}`;

const BRACKETS = [["<<", ">>"], ["{", "}"], ["[", "]"], ["(", ")"]];
const NOUNS = ["item", "element", "field", "argument"];

// Returns the beginning of a long value, and its number of parts; one value if all parts have the same.
function summaryOf(id, max = 40) {
  if (isScalar(id)) return `${nodes[id].slice(0, max - 1)}…`;
  const kind = kindOf(id), size = sizeOf(id), [left, right] = BRACKETS[kind];
  const count = counted(size, NOUNS[kind]), parts = partsOf(id);
  if (kind === RECORD || kind === FUNCTION) {
    const isUniform = size > 1 && parts.every((part, index) => index % 2 === 0 || part === parts[1]);
    const same = isUniform ? textOf(parts[1], Math.max(8, max - 12)) : null;
    if (same != null) return `all ${same}`;
  }
  const step = kind === RECORD || kind === FUNCTION ? 2 : 1, pieces = [];
  let room = max - count.length;
  for (let index = 0; index < parts.length && room > 0; index += step) {
    const own = textOf(parts[index + step - 1], room);
    const piece = own == null ? null : step === 2 ? `${nameOfNode(parts[index])}: ${own}` : own;
    if (piece == null || piece.length > room) break;
    pieces.push(piece);
    room -= piece.length + 2;
  }
  return pieces.length === 0 ? `${left}${count}${right}` : `${left}${pieces.join(", ")}, … ${count}${right}`;
}

const briefOf = (id, max = INLINE_CHARS) => (id == null ? "(no value)" : textOf(id, max) ?? summaryOf(id));

// Shows a value: on one line if it is short, otherwise as a tree or a table that opens. If it is compared with another
// value, the parts that differ are marked and open.
function valueElement(id, place, max = INLINE_CHARS, other = null) {
  if (id == null) return element("span", "value none", "(no value)");
  const text = textOf(id, max);
  if (text != null) return element("span", "value", text);
  if (isScalar(id)) return longText(nodes[id], place);
  return treeElement(id, place, max, other);
}

function folded(summary, place, isOpen, body) {
  const tree = element("details", "tree", element("summary", "", summary));
  const fill = () => {
    if (tree.open && tree.childElementCount === 1) tree.append(body());
  };
  tree.open = opened.get(place) ?? isOpen;
  fill();
  tree.addEventListener("toggle", () => {
    opened.set(place, tree.open);
    fill();
  });
  return tree;
}

const longText = (text, place) =>
  folded(`${text.slice(0, 40)}…`, place, false, () => element("div", "value whole", text));

function treeElement(id, place, max, other) {
  const isOpen = other != null || max >= INLINE_CHARS && sizeOf(id) <= OPEN_PARTS && place.split("/").length <= 2;
  return folded(summaryOf(id, Math.min(max, 40)), place, isOpen, () => bodyElement(id, place, other));
}

// Returns the columns of a table, if the entries are one: a sequence or a set of records, a function of functions.
function columnsOf(entries) {
  if (entries.length < 2) return null;
  const columns = new Set(), first = entries[0][1];
  for (const [, value] of entries.slice(0, ROWS_AT_ONCE)) {
    const kind = kindOf(value);
    const isTuple = kind === SEQ && kindOf(first) === SEQ && sizeOf(value) === sizeOf(first) && sizeOf(first) > 1;
    if (kind !== RECORD && kind !== FUNCTION && !isTuple) return null;
    if (sizeOf(value) > COLUMNS_MAX) return null;
    for (const [name] of entriesOf(value)) columns.add(name);
    if (columns.size > COLUMNS_MAX) return null;
  }
  return columns.size > 0 ? [...columns] : null;
}

// Returns the parts of another value by key, if it has keys; for sets, the elements.
const partsBeside = (other) => (other == null || isScalar(other) ? null :
  kindOf(other) === SET ? new Map(partsOf(other).map((part) => [part, part])) : new Map(entriesOf(other)));

// Returns whether a part differs from the other value, and the part there.
function besideOf(parts, [key, value]) {
  const beside = parts?.get(key ?? value) ?? null;
  return { differs: parts !== null && beside !== value, other: beside === value ? null : beside };
}

function bodyElement(id, place, whole) {
  const entries = entriesOf(id), columns = columnsOf(entries);
  const hasKeys = kindOf(id) !== SET, parts = partsBeside(whole);
  const row = (entry, index) => {
    const { differs, other } = besideOf(parts, entry), inner = `${place}/${entry[0] ?? index}`;
    if (columns) return tableRow(entry, { columns, hasKeys, place: inner, differs, other });
    const key = hasKeys ? [element("th", "key", entry[0])] : [];
    return element("tr", differs ? "differs-part" : "", ...key, element("td", "", valueElement(entry[1], inner, INLINE_CHARS, other)));
  };
  const body = element("tbody", "");
  const table = element("table", columns ? "values columns" : "values", body);
  if (columns) {
    const heads = [...(hasKeys ? [""] : []), ...columns].map((name) => element("th", "", name));
    table.prepend(element("thead", "", element("tr", "", ...heads)));
  }
  appendSome(body, entries, row, 0);
  return element("div", "scrolls", table);
}

function tableRow([key, value], { columns, hasKeys, place, differs, other }) {
  const cells = isScalar(value) || kindOf(value) === SET ? null : new Map(entriesOf(value)), parts = partsBeside(other);
  const cell = (name) => {
    const beside = parts === null ? { differs, other: null } : besideOf(parts, [name, cells.get(name)]);
    const made = valueElement(cells.get(name), `${place}/${name}`, CELL_CHARS, beside.other);
    return element("td", differs && beside.differs ? "differs-part" : "", made);
  };
  const made = columns.map((name) => (cells?.has(name) ? cell(name) : element("td", "")));
  if (!cells) made.splice(0, made.length, element("td", "", valueElement(value, place)));
  return element("tr", "", ...(hasKeys ? [element("th", "key", key)] : []), ...made);
}

// Shows the next rows, and a button for those after them.
function appendSome(body, entries, row, from) {
  const to = Math.min(entries.length, from + ROWS_AT_ONCE);
  for (let index = from; index < to; index += 1) body.append(row(entries[index], index));
  if (to === entries.length) return;
  const more = element("button", "more", `the next ${Math.min(ROWS_AT_ONCE, entries.length - to)} of ${counted(entries.length - to, "more row")}`);
  more.type = "button";
  const cell = element("td", "", more);
  cell.colSpan = 20;
  const last = element("tr", "", cell);
  more.addEventListener("click", () => {
    last.remove();
    appendSome(body, entries, row, to);
  });
  body.append(last);
}

// Shows several values, as many as a person reads.
function someValues(tag, ids, max = 20) {
  const made = ids.slice(0, max).flatMap((id) => [element(tag, "", briefOf(id, 160)), " "]);
  if (ids.length > max) made.push(element("span", "faint", `and ${counted(ids.length - max, "more")}`));
  return made;
}

// Shows a change of a variable in a line.
function changeElement(change) {
  const line = element("div", "change", element("span", "path", change.path), " ");
  line.dataset.variable = String(change.variable);
  if (change.kind === "replaced") {
    line.append(...someValues("del", change.removed), element("span", "faint", "→ "), ...someValues("ins", change.added));
    return line;
  }
  line.classList.add("listed");
  if (change.at != null) line.append(element("span", "faint", `at ${change.at} `));
  line.append(...someValues("del", change.removed), ...someValues("ins", change.added));
  return line;
}

// Returns the parts of a value by name, or null unless it has at least two parts and all are for some of the names.
function byName(id, names) {
  if (id == null || isScalar(id) || kindOf(id) === SET || sizeOf(id) > names.length || sizeOf(id) < 2) return null;
  const entries = entriesOf(id);
  return entries.every(([name]) => names.includes(name)) ? new Map(entries) : null;
}

// Returns the rows of a table with one column for each process: variables, and the fields of those that are records.
function processRows(ids, variables, lanes) {
  const rows = [];
  variables.forEach((name, variable) => {
    const cells = byName(ids[variable], lanes);
    if (!cells) return;
    const values = [...cells.values()];
    // Values between processes have a table of their own, unless they are only numbers and names.
    const inner = values.map((id) => byName(id, lanes));
    if (inner.every(Boolean) && inner.some((parts) => [...parts.values()].some((id) => !isScalar(id)))) return;
    const fields = values.every((id) => kindOf(id) === RECORD) ? entriesOf(values[0]).map(([field]) => field) : [];
    const isUniform = fields.length > 1 && values.every((id) => {
      const others = entriesOf(id).map(([field]) => field);
      return others.length === fields.length && others.every((field, index) => field === fields[index]);
    });
    if (!isUniform || inner.every(Boolean)) rows.push({ name, variable, cells });
    else {
      for (const field of fields) {
        const of = (id) => entriesOf(id).find(([known]) => known === field)[1];
        rows.push({ name: `${name}.${field}`, variable, field, cells: new Map([...cells].map(([lane, id]) => [lane, of(id)])) });
      }
    }
  });
  return rows;
}
