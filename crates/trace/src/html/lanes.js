// Draws the sequence diagram: a lane for each process, its steps, messages between lanes, and the life of the process.
//
// No two labels overlap: between two lanes a row has lines with one label each, and is as high as its fullest gap.
const LANES_LEFT = 40, LINE_HEIGHT = 14, ROW_PAD = 12, PILL_HEIGHT = 16, LETTER_WIDTH = 6.3;

// Creates the layout. `diagram` is as the page has it; `titles` are those of steps, by state; `room` is the best width.
// If `fixed` is given, it is the height of all rows, and then a row has space for one line.
function laneDrawing(diagram, titles, room, fixed = null) {
  const n = diagram.lanes.length;
  const width = Math.max(fixed ? 56 : 108, Math.min(fixed ? 110 : 170, Math.floor((room - LANES_LEFT) / (n + 0.5))));
  const roles = rolesOf(diagram);
  return { diagram, titles, fixed, width, total: fixed ? 8 + width * (n + 0.4) : LANES_LEFT + width * (n + 0.5), roles, arrows: arrowsOf(diagram) };
}

const laneCentre = (drawing, lane) => (drawing.fixed ? 8 : LANES_LEFT) + drawing.width * (lane + 0.5);

// Numbers the values of roles in the order of their first occurrence; the number decides the colour.
function rolesOf({ role }) {
  const found = new Map();
  for (const [, name] of (role?.values ?? []).flat().sort(([a], [b]) => a - b)) {
    if (!found.has(name)) found.set(name, found.size);
  }
  return found;
}

// Returns the value of a track for a lane in a state.
function trackAt(track, lane, state) {
  let last = null;
  for (const [from, value] of track?.values[lane] ?? []) {
    if (from > state) break;
    last = value;
  }
  return last;
}

const isDown = ({ diagram }, lane, state) =>
  diagram.down.some((span) => span.lane === lane && span.from <= state && (span.to == null || state < span.to));

// Makes one arrow for each way that a message went. An arrow that is still open at the end is short. Messages with the
// same name from one step to several lanes have one label.
function arrowsOf({ messages }) {
  const arrows = [], open = new Map();
  for (const message of messages) {
    const { from, to, label, sent } = message;
    if (from == null || to == null) continue;
    for (const end of message.taken) arrows.push({ from, to, label, sent, end, kind: "taken" });
    if (message.lost != null) arrows.push({ from, to, label, sent, end: message.lost, kind: "lost" });
    if (message.lost != null || message.taken.length > 0) continue;
    const key = `${sent} ${from} ${Math.sign(to - from)} ${label}`;
    if (open.has(key)) open.get(key).others.push(to);
    else {
      const arrow = { from, to, label, sent, end: sent, kind: "open", others: [] };
      open.set(key, arrow);
      arrows.push(arrow);
    }
  }
  return arrows;
}

// Returns the gap beside a lane on the side of another lane; the first lane has none on its left.
const gapBeside = (lane, other) => (other >= lane ? lane : lane - 1);

const pillAt = (drawing, lane, state) => {
  const { role, term } = drawing.diagram;
  const changes = (track) => track?.values[lane]?.some(([from]) => from === state);
  if (!changes(role) && !changes(term)) return null;
  const parts = [trackAt(role, lane, state), trackAt(term, lane, state)].filter((part) => part != null);
  return parts.join(" · ");
};

// Returns the new values of role and term, for narrow spaces.
function changedAt({ role, term }, lane, state) {
  const isNew = role?.values[lane].some(([from]) => from === state);
  return isNew ? trackAt(role, lane, state) : `${term.name} ${trackAt(term, lane, state)}`;
}

// Places everything in the rows of the states in `shown`: one below the other, or at the positions of `topOf`, for all
// states.
function layLanes(drawing, shown, topOf) {
  const { diagram, titles, fixed } = drawing;
  // A step of no particular process is over all lanes, in the first line.
  const over = (state) => (!fixed && diagram.lane_of_state[state] == null ? titles[state] : "");
  const rows = new Map(shown.map((state) =>
    [state, { state, over: over(state), gaps: new Map(), labels: [], pills: [], notes: [] }]));
  const lineIn = (row, gap) => {
    const line = row.gaps.get(gap) ?? (row.over ? 1 : 0);
    row.gaps.set(gap, line + 1);
    return line;
  };
  const [from, to] = [shown[0] ?? 0, shown.at(-1) ?? -1];
  const isSeen = topOf ? ({ sent, end }) => sent <= to && end >= from : ({ sent, end }) => rows.has(sent) || rows.has(end);
  const arrows = drawing.arrows.filter(isSeen);
  // The line beside the end of an arrow belongs to the arrow, and so does the line in which a short one is drawn.
  if (!fixed) {
    for (const { from, to, sent, end, kind } of arrows) {
      const [row, gap] = kind === "open" ? [rows.get(sent), gapBeside(from, to)] : [rows.get(end), gapBeside(to, from)];
      if (row && !row.gaps.has(gap)) lineIn(row, gap);
    }
  }
  for (const row of rows.values()) {
    const lane = diagram.lane_of_state[row.state];
    if (!fixed && lane != null) {
      row.labels.push({ gap: lane, line: lineIn(row, lane), text: titles[row.state], kind: "title", lane });
    }
    diagram.lanes.forEach((_, lane) => {
      const text = pillAt(drawing, lane, row.state);
      if (text == null) return;
      if (!fixed) row.pills.push({ lane, text, role: trackAt(diagram.role, lane, row.state) });
      else if (row.state > 0) row.labels.push({ gap: lane, line: lineIn(row, lane), text: changedAt(diagram, lane, row.state), kind: "title", lane });
    });
    for (const span of diagram.cuts) {
      if (fixed) break;
      if (span.from === row.state) row.notes.push(span.text === "" ? "links are cut" : `cut: ${span.text}`);
      if (span.to === row.state && !diagram.cuts.some(({ from }) => from === row.state)) row.notes.push("healed");
    }
  }
  for (const arrow of arrows) {
    const row = rows.get(arrow.end) ?? rows.get(arrow.sent);
    if (!row) continue;
    const gap = arrow.kind === "open" ? gapBeside(arrow.from, arrow.to) : gapBeside(arrow.to, arrow.from);
    const names = [arrow.to, ...(arrow.others ?? [])].map((lane) => diagram.lanes[lane]).join(", ");
    const text = arrow.kind === "open" ? `${arrow.label} → ${names}` : arrow.label;
    const line = lineIn(row, gap);
    const lane = arrow.kind === "open" ? arrow.from : arrow.to;
    if (!fixed || line === 0) row.labels.push({ gap, line, text, kind: arrow.kind, lane });
  }
  let top = 4;
  for (const row of rows.values()) {
    const lines = Math.max(1, ...row.gaps.values());
    if (topOf) top = topOf(row.state);
    row.top = top;
    row.axis = top + (fixed ? fixed / 2 : ROW_PAD);
    row.pillTop = row.axis + (lines - 1) * LINE_HEIGHT + 9;
    row.noteTop = row.pillTop + (row.pills.length > 0 ? PILL_HEIGHT + 3 : 0);
    row.height = fixed ?? row.noteTop + row.notes.length * (PILL_HEIGHT + 2) + 4 - top;
    top += row.height;
  }
  return { rows, arrows, height: topOf ? topOf(diagram.lane_of_state.length - 1) + fixed : top + 4 };
}

// Returns the position of a state, or the position that it would have if it were shown.
function axisOf(layout, order, state) {
  const row = layout.rows.get(state);
  if (row) return row.axis;
  const next = order.find((shown) => shown > state);
  return next == null ? layout.height - 2 : layout.rows.get(next).top;
}

const fitted = (text, width) => {
  const max = Math.max(3, Math.floor(width / LETTER_WIDTH));
  return text.length > max ? `${text.slice(0, max - 1)}…` : text;
};

function titled(made, text) {
  made.append(drawn("title", {}, text));
  return made;
}

const ARROW = "M0 0L8 4L0 8z";
const marker = (id, name) => drawn("marker", { id, viewBox: "0 0 8 8", refX: 8, refY: 4, markerWidth: 7, markerHeight: 7,
  orient: "auto-start-reverse" }, drawn("path", { d: ARROW, style: `fill: var(${name})` }));

// Draws the rows of `shown` into an empty svg. `choose` is called with the state of a row that is clicked.
function drawLanes(svg, drawing, shown, choose, topOf = null) {
  const { width, total } = drawing;
  const layout = layLanes(drawing, shown, topOf);
  const axis = (state) => (topOf ? topOf(state) + drawing.fixed / 2 : axisOf(layout, shown, state));
  svg.replaceChildren(drawn("defs", {}, marker("arrow", "--faint"), marker("arrow-lost", "--old")));
  svg.setAttribute("width", total);
  svg.setAttribute("height", layout.height);
  drawRows(svg, drawing, layout, choose);
  drawCuts(svg, drawing, layout, axis);
  drawLines(svg, drawing, layout, axis);
  for (const arrow of layout.arrows) drawArrow(svg, drawing, arrow, axis);
  for (const row of layout.rows.values()) {
    drawMarks(svg, drawing, row, choose);
    for (const { gap, line, text, kind, lane } of row.labels) {
      // It is beside the lane that it belongs to.
      const isLeft = lane === gap, x = laneCentre(drawing, isLeft ? gap : gap + 1) + (isLeft ? 11 : -11);
      const label = drawn("text", { class: `label ${kind}`, x, y: row.axis + line * LINE_HEIGHT + 4,
        "text-anchor": isLeft ? "start" : "end" }, fitted(text, width - 22));
      svg.append(titled(label, text));
    }
    if (row.over) {
      svg.append(titled(drawn("text", { class: "label title", x: LANES_LEFT, y: row.axis + 4 },
        fitted(row.over, total - LANES_LEFT - 10)), row.over));
    }
    for (const pill of row.pills) drawPill(svg, drawing, row, pill);
    row.notes.forEach((text, index) => {
      const y = row.noteTop + index * (PILL_HEIGHT + 2);
      const shown = fitted(text === "healed" ? text : `✂ ${text}`, total - LANES_LEFT - 10);
      svg.append(titled(drawn("text", { class: "note", x: LANES_LEFT, y: y + 12 }, shown), text));
    });
  }
  return layout;
}

function drawRows(svg, { total }, layout, choose) {
  for (const row of layout.rows.values()) {
    const back = drawn("rect", { class: "state-row", x: 0, y: row.top, width: total, height: row.height, "data-state": row.state });
    back.addEventListener("click", () => choose(row.state));
    svg.append(back, drawn("text", { class: "number", x: 6, y: row.axis + 4 }, String(row.state + 1)));
  }
}

function drawCuts(svg, { diagram, total }, layout, axis) {
  for (const span of diagram.cuts) {
    const [y1, y2] = [axis(span.from), span.to == null ? layout.height : axis(span.to)];
    if (y2 <= y1) continue;
    svg.append(titled(drawn("rect", { class: "cut", x: 30, y: y1, width: total - 32, height: y2 - y1, rx: 4 }),
      `links are cut: ${span.text}`));
  }
}

// Draws a lane in the colour of its role; it is dotted while the process does not run.
function drawLines(svg, drawing, layout, axis) {
  const { diagram, roles } = drawing, last = diagram.lane_of_state.length - 1;
  diagram.lanes.forEach((_, lane) => {
    const x = laneCentre(drawing, lane);
    const edges = new Set([0, ...(diagram.role?.values[lane] ?? []).map(([from]) => from)]);
    for (const { from, to, lane: whose } of diagram.down) {
      if (whose !== lane) continue;
      edges.add(from);
      if (to != null) edges.add(to);
    }
    const sorted = [...edges].filter((edge) => edge <= last).sort((a, b) => a - b);
    sorted.forEach((from, index) => {
      const [y1, y2] = [from === 0 ? 0 : axis(from), index + 1 < sorted.length ? axis(sorted[index + 1]) : layout.height];
      const down = isDown(drawing, lane, from), role = trackAt(diagram.role, lane, from);
      const kind = down ? "down" : roles.has(role) ? `role role-${roles.get(role) % 8}` : "plain";
      if (y2 > y1) svg.append(drawn("line", { class: `lane-line ${kind}`, x1: x, x2: x, y1, y2 }));
    });
  });
}

function drawArrow(svg, drawing, arrow, axis) {
  const { from, to, sent, end, kind, label } = arrow;
  const [x1, y1] = [laneCentre(drawing, from), axis(sent)];
  const isOwn = from === to, side = Math.sign(to - from) || 1;
  const far = laneCentre(drawing, to) - (isOwn ? 0 : side * 6);
  const [x2, y2] = kind === "open" ? [x1 + side * drawing.width * 0.32, y1 + 3] : [far, axis(end)];
  const shape = isOwn && kind !== "open" ?
    drawn("path", { class: `message ${kind}`, d: `M${x1} ${y1}C${x1 + 34} ${y1} ${x1 + 34} ${y2} ${x1 + 6} ${y2}` }) :
    drawn("line", { class: `message ${kind}`, x1, y1, x2, y2 });
  shape.setAttribute("marker-end", kind === "lost" ? "url(#arrow-lost)" : "url(#arrow)");
  for (const [name, value] of Object.entries({ sent, end, from, to })) shape.setAttribute(`data-${name}`, value);
  svg.append(titled(shape, `${label}: ${drawing.diagram.lanes[from]} to ${drawing.diagram.lanes[to]}${
    kind === "lost" ? ", lost" : kind === "open" ? ", still under way" : ""}`));
}

const CROSS = "M-5 -5L5 5M5 -5L-5 5";

// Draws a step, and whether it is a crash or a restart.
function drawMarks(svg, drawing, row, choose) {
  const { diagram, titles } = drawing, state = row.state;
  const place = (lane) => `translate(${laneCentre(drawing, lane)} ${row.axis})`;
  const crashes = diagram.down.filter((span) => span.from === state && state > 0).map(({ lane }) => lane);
  const restarts = [...diagram.down.filter((span) => span.to === state && span.from < state).map(({ lane }) => lane),
    ...diagram.restarts.filter(([, at]) => at === state).map(([lane]) => lane)];
  const own = diagram.lane_of_state[state];
  if (own != null) {
    const event = drawn("circle", { class: "event", cx: laneCentre(drawing, own), cy: row.axis, r: 5, "data-state": state });
    event.addEventListener("click", () => choose(state));
    svg.append(titled(event, titles[state]));
  }
  const name = (lane) => diagram.lanes[lane];
  for (const lane of crashes) {
    svg.append(titled(drawn("g", { class: "crash", transform: place(lane), "data-lane": lane },
      drawn("circle", { r: 7 }), drawn("path", { d: CROSS })), `${name(lane)} is down from here`));
  }
  for (const lane of restarts) {
    svg.append(titled(drawn("g", { class: "restart", transform: place(lane), "data-lane": lane },
      drawn("circle", { r: 6.5 }), drawn("path", { d: "M-2.5 -3.5L3.5 0L-2.5 3.5z" })), `${name(lane)} runs again`));
  }
}

function drawPill(svg, drawing, row, { lane, text, role }) {
  const shown = fitted(text, drawing.width - 18), width = shown.length * LETTER_WIDTH + 12, x = laneCentre(drawing, lane);
  const kind = drawing.roles.has(role) ? `role-${drawing.roles.get(role) % 8}` : "";
  svg.append(titled(drawn("g", { class: `pill ${kind}` },
    drawn("rect", { x: x - width / 2, y: row.pillTop, width, height: PILL_HEIGHT, rx: 8 }),
    drawn("text", { x, y: row.pillTop + 12, "text-anchor": "middle" }, shown)), text));
}

// Shows the meaning of the marks that occur.
function legendItems({ diagram, roles, arrows: all }) {
  const small = (...children) => drawn("svg", { width: 26, height: 14, viewBox: "0 0 26 14", "aria-hidden": "true" }, ...children);
  const line = (kind) => small(drawn("line", { class: `message ${kind}`, x1: 1, y1: 7, x2: 24, y2: 7,
    "marker-end": kind === "lost" ? "url(#arrow-lost)" : "url(#arrow)" }));
  const group = (kind, ...children) => small(drawn("g", { class: kind, transform: "translate(13 7)" }, ...children));
  const swatch = (kind) => small(drawn("line", { class: `lane-line ${kind}`, x1: 13, y1: 0, x2: 13, y2: 14 }));
  const arrows = new Set(all.map(({ kind }) => kind));
  const items = [[small(drawn("circle", { class: "event", cx: 13, cy: 7, r: 5 })), "a step"]];
  if (arrows.has("taken")) items.push([line("taken"), "a message, taken"]);
  if (arrows.has("lost")) items.push([line("lost"), "lost"]);
  if (arrows.has("open")) items.push([line("open"), "still under way"]);
  const isLasting = ({ from, to }) => to !== from;
  if (diagram.down.length > 0) items.push([group("crash", drawn("circle", { r: 6.5 }), drawn("path", { d: CROSS })), "crash"]);
  if (diagram.down.some(isLasting)) items.push([swatch("down"), "does not run"]);
  if (diagram.restarts.length > 0 || diagram.down.some((span) => span.to != null && isLasting(span))) {
    items.push([group("restart", drawn("circle", { r: 6.5 }), drawn("path", { d: "M-2.5 -3.5L3.5 0L-2.5 3.5z" })), "restart"]);
  }
  if (diagram.cuts.length > 0) items.push([small(drawn("rect", { class: "cut", x: 1, y: 1, width: 24, height: 12, rx: 3 })), "links are cut"]);
  for (const [name, index] of roles) items.push([swatch(`role role-${index % 8}`), name]);
  const tracks = [diagram.role?.name, diagram.term?.name].filter(Boolean);
  if (tracks.length > 0) {
    const pill = drawn("g", { class: "pill" }, drawn("rect", { x: 1, y: 0.5, width: 24, height: 13, rx: 6.5 }));
    items.push([small(pill), tracks.join(" · ")]);
  }
  return items.map(([picture, text]) => element("span", "legend-item", picture, text));
}
