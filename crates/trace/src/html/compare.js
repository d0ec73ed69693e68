// Shows a program beside the specification: a box with the differences, and what was done for each step.

// Builds the row of one difference: the parts that only one side has, and those that only the other has.
function differenceRow(change) {
  const side = (ids) => (ids.length === 0 ? element("span", "faint", "—") :
    element("div", "", ...ids.slice(0, 20).map((id) => element("div", "", valueElement(id, `differs/${change.path}`, 120))),
      ...(ids.length > 20 ? [element("div", "faint", `and ${counted(ids.length - 20, "more")}`)] : [])));
  const at = change.at == null ? "" : `, from ${change.at} on`;
  return element("tr", "", element("th", "path", change.path + at),
    element("td", "of-spec", side(change.removed)), element("td", "of-program", side(change.added)));
}

function wholeRow({ name, spec, real }) {
  const side = (id, which, other) => (id == null ? element("span", "faint", "(nothing)") :
    valueElement(id, `whole-${which}/${name}`, 120, other));
  return element("tr", "", element("th", "path", name),
    element("td", "of-spec", side(spec, "spec", real)), element("td", "of-program", side(real, "program", spec)));
}

function differenceRows(difference) {
  if (difference.line != null) {
    // Only the program has something to show: what it wrote, or how it ended.
    return [element("tr", "", element("th", "path", difference.name),
      element("td", "of-spec", element("span", "faint", "—")), element("td", "of-program value", difference.line))];
  }
  return difference.parts.length > 0 ? difference.parts.map(differenceRow) : [wholeRow(difference)];
}

// Builds the box above everything: the values of the specification and of the program.
function buildDiffers(box, program) {
  if (program.differences.length === 0) return;
  const head = element("thead", "", element("tr", "", ...["", "Specification", "Program"].map((name) => element("th", "", name))));
  const body = element("tbody", "", ...program.differences.flatMap(differenceRows));
  box.append(element("h2", "", ...marked(program.reason)), element("div", "scrolls", element("table", "sides", head, body)));
  const wholes = program.differences.filter(({ parts, spec, real }) => parts.length > 0 && spec != null && real != null);
  if (wholes.length > 0) {
    box.append(folded("the whole values", "wholes", false, () =>
      element("div", "scrolls", element("table", "sides", element("tbody", "", ...wholes.map(wholeRow))))));
  }
  box.hidden = false;
}

const linesBlock = (title, lines) =>
  element("div", "told", element("div", "told-title", title), element("pre", "", lines.join("\n")));

// Returns the other facts about a step: messages in transit, and the output of nodes.
function toldOf(row) {
  const blocks = [];
  if (row.held.length > 0) blocks.push(linesBlock("under way", row.held));
  for (const [node, text] of Object.entries(row.output)) blocks.push(linesBlock(`${node} wrote`, text.split("\n").slice(-20)));
  for (const [node, lines] of Object.entries(row.log)) blocks.push(linesBlock(`${node} added to its log`, lines.slice(-20)));
  return blocks;
}

// Builds the column of the program for a step. The step at which it diverges is open.
function programColumn(program, index) {
  const row = program.rows[index], isLast = index === program.rows.length - 1;
  const isWrong = isLast && program.differences.length > 0;
  const column = element("div", "of-program");
  for (const event of row.events) column.append(element("div", "event-line", event));
  if (isWrong) {
    column.append(element("div", "verdict wrong", "≠ ", ...marked(program.reason)));
    const parts = program.differences.flatMap(({ parts }) => parts);
    for (const change of parts.slice(0, 12)) {
      column.append(element("div", "change", element("span", "path", change.path), " ",
        element("span", "faint", "specification "), ...someValues("ins", change.removed, 4),
        element("span", "faint", "program "), ...someValues("del", change.added, 4)));
    }
  } else column.append(element("div", `verdict ${row.is_compared ? "same" : "faint"}`, row.is_compared ? "✓ agrees" : "not compared here"));
  const told = toldOf(row);
  if (told.length > 0) {
    const more = element("details", "told-box", element("summary", "", "under way, and written"), ...told);
    more.open = isWrong;
    column.append(more);
  }
  return column;
}
