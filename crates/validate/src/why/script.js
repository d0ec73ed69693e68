// The page of logs: rows aligned by event. Only the visible rows are in the document, so that long logs can be
// scrolled.
(() => {
  const page = data();
  const OVERSCAN = 12, PAPER_ROWS = 2000;
  let run, rows, parsed, constants, kindPath, leadsTo, chosen = 0, hits = new Set();
  // The lanes, their layout, and the row of each state.
  let lanes = [], drawing = null, rowOf = [];

  const cut = (text, max) => (text.length > max ? `${text.slice(0, max - 1)}…` : text);
  const stepTitle = (step, max = 60) => {
    if (!step) return "initial state";
    const parameters = step.parameters.map(({ name, value }) => `${name} = ${briefOf(value, max)}`).join(", ");
    return step.action + (parameters ? `(${parameters})` : "");
  };
  const states = () => run.behaviour?.states ?? [];
  // The log is accepted, and its behaviour was not asked for.
  const isBare = () => run.verdict === "accepted" && run.behaviour === null;
  const rowHeight = () => parseInt(getComputedStyle(document.documentElement).getPropertyValue("--row"), 10);
  const eventOf = (row) => (row.event == null ? null : run.events[row.event - 1] ?? null);

  // Makes one row for each state and for each event, in the order of the log: an event and its state are in one row.
  function rowsOf() {
    const made = [], stuck = new Set(run.unexplained.map(({ event }) => event));
    let next = 1;
    states().forEach((state, index) => {
      for (; state.event != null && next < state.event; next += 1) made.push({ kind: "joined", event: next, state: null });
      if (state.event != null) next = Math.max(next, state.event + 1);
      made.push({ kind: "state", event: state.event, state: index });
    });
    // The specification may not say which event cannot be explained.
    if (stuck.has(0)) made.push({ kind: "stuck", event: null, state: null });
    for (; next <= run.events.length; next += 1) {
      const kind = stuck.has(next) ? "stuck" : stuck.size > 0 ? "rest" : isBare() ? "bare" : "unread";
      made.push({ kind, event: next, state: null });
    }
    return made.map((row) => ({ ...row, words: words(row).toLowerCase() }));
  }

  // Returns the fields of an event with their paths, such as `msg.packet.term`; lists are values.
  function leaves(object, path = []) {
    return Object.entries(object).flatMap(([name, value]) => {
      const isObject = value !== null && typeof value === "object" && !Array.isArray(value);
      const isOpened = isObject && path.length < 6 && Object.keys(value).length > 0;
      return isOpened ? leaves(value, [...path, name]) : [[[...path, name].join("."), value]];
    });
  }

  function parsedEvents() {
    return run.events.map(([, , text]) => {
      try {
        const value = JSON.parse(text);
        const isObject = value !== null && typeof value === "object" && !Array.isArray(value);
        return isObject ? new Map(leaves(value)) : null;
      } catch {
        return null;
      }
    });
  }

  // Among the fields that most events have, finds the one whose value predicts the step most often; of several, the one
  // with the fewest values.
  function kindField() {
    const seen = new Map();
    for (const state of states()) {
      const event = state.event == null ? null : parsed[state.event - 1];
      if (!event) continue;
      for (const [field, value] of event) {
        if (typeof value !== "string") continue;
        if (!seen.has(field)) seen.set(field, { count: 0, byValue: new Map() });
        const counted = seen.get(field), step = nameOf(state);
        if (!counted.byValue.has(value)) counted.byValue.set(value, new Map());
        const steps = counted.byValue.get(value);
        counted.count += 1;
        steps.set(step, (steps.get(step) ?? 0) + 1);
      }
    }
    const explained = states().filter(({ event }) => event != null).length;
    const told = ({ byValue }) =>
      [...byValue.values()].reduce((sum, steps) => sum + Math.max(...steps.values()), 0);
    const fields = [...seen].filter(([, { count, byValue }]) => count >= explained * 0.8 && byValue.size > 1 && byValue.size < 65);
    fields.sort(([, a], [, b]) => told(b) - told(a) || a.byValue.size - b.byValue.size);
    return fields[0]?.[0] ?? null;
  }

  // The fields with the same value in every event.
  function constantFields() {
    const first = parsed[0];
    if (!first || parsed.length < 2) return new Set();
    const isSame = (name) => parsed.every((event) => event && JSON.stringify(event.get(name)) === JSON.stringify(first.get(name)));
    return new Set([...first.keys()].filter(isSame));
  }

  const plain = (value) => (typeof value === "string" ? value : JSON.stringify(value));

  // Shows an event in a line: the field that tells which step it is, then the other informative ones.
  function eventCell(row) {
    const event = eventOf(row), fields = event && parsed[row.event - 1];
    if (!event) return element("span", "text silent", row.state > 0 ? "(no event)" : "");
    if (!fields) return element("span", "text", event[2]);
    const kind = fields.get(kindPath);
    const others = [...fields].filter(([path]) => path !== kindPath && !constants.has(path));
    const rest = others.map(([path, value]) => `${path.split(".").at(-1)} ${plain(value)}`).join(" · ");
    return element("span", "text", ...(kind === undefined ? [] : [element("b", "", kind), "  "]), element("span", "fields", rest));
  }

  function words(row) {
    const state = row.state == null ? null : states()[row.state];
    const changes = state ? state.changes.map(({ path, added }) => `${path} ${added.join(" ")}`).join(" ") : "";
    const named = state ? `${stepTitle(state.step)} ${state.via.join(" ")}` : "";
    return `${eventOf(row)?.[2] ?? ""} ${named} ${changes}`;
  }

  // Returns the definitions that a step went through, from its action on. A definition that leads to many others only
  // offers a choice: a step is named by the first one that does not.
  const LEADS_TO_MAX = 2;
  const viaOf = (state) => state.via.filter((name) => name !== state.step?.action);
  const wayOf = (state) => (state.step ? [state.step.action, ...viaOf(state)] : ["initial state"]);

  function followers() {
    const found = new Map();
    for (const state of states()) {
      const way = wayOf(state);
      way.forEach((name, index) => {
        if (!found.has(name)) found.set(name, new Set());
        if (index + 1 < way.length) found.get(name).add(way[index + 1]);
      });
    }
    return found;
  }

  function called(state) {
    const way = wayOf(state);
    const first = way.findIndex((name) => (leadsTo.get(name)?.size ?? 0) <= LEADS_TO_MAX);
    return { way, first: first < 0 ? way.length - 1 : first };
  }

  const titleOf = (state) => {
    const { way, first } = called(state);
    return first === 0 ? stepTitle(state.step) : way[first];
  };

  const nameOf = (state) => {
    const { way, first } = called(state);
    return way[first];
  };

  function stepCell(row) {
    const cell = element("span", "step");
    if (row.kind === "stuck") cell.append("✕ nothing explains this event");
    else if (row.kind === "rest") cell.append("not come to");
    else if (row.kind === "bare") cell.append("explained");
    else if (row.kind === "unread") cell.append("not looked at");
    else if (row.kind === "joined") cell.append("explained together with the next");
    else {
      const state = states()[row.state], { way, first } = called(state), below = way.slice(first + 1);
      cell.append(first === 0 ? stepTitle(state.step, 16) : way[first]);
      if (below.length > 0) cell.append(element("span", "via", ` › ${below.join(" › ")}`));
      if (state.n_others > 0) cell.append(element("span", "chip", `⑂ ${state.n_others + 1} choices`));
    }
    return cell;
  }

  function rowElement(index) {
    const row = rows[index];
    const number = row.event == null ? "" : String(row.event);
    const made = element("div", `row ${row.kind}`, element("span", "number", number), element("span", "lanes-room"), eventCell(row), stepCell(row));
    made.id = `row-${index}`;
    made.style.top = `${index * rowHeight()}px`;
    made.setAttribute("role", "option");
    made.setAttribute("aria-selected", String(index === chosen));
    made.setAttribute("aria-posinset", String(index + 1));
    made.setAttribute("aria-setsize", String(rows.length));
    if (hits.has(index)) made.classList.add("hit");
    made.addEventListener("click", () => choose(index, false));
    return made;
  }

  // Shows the visible rows; on paper all, up to a number that nobody reads.
  function draw(isOnPaper = false) {
    const box = at("rows"), height = rowHeight();
    at("space").style.height = isOnPaper ? "auto" : `${rows.length * height}px`;
    const first = isOnPaper ? 0 : Math.max(0, Math.floor(box.scrollTop / height) - OVERSCAN);
    const end = isOnPaper ? PAPER_ROWS : Math.ceil((box.scrollTop + box.clientHeight) / height) + OVERSCAN;
    const last = Math.min(rows.length, end);
    const made = [];
    for (let index = first; index < last; index += 1) made.push(rowElement(index));
    at("space").replaceChildren(...made);
    drawDiagram(first, last);
    box.setAttribute("aria-activedescendant", `row-${chosen}`);
  }

  // Draws the lanes of the visible rows over them; clicks still go to the rows.
  function drawDiagram(first, last) {
    const svg = at("lanes"), height = rowHeight();
    if (!drawing) return;
    drawing.fixed = height;
    const shown = [];
    for (let index = first; index < last; index += 1) if (rows[index].state != null) shown.push(rows[index].state);
    drawLanes(svg, drawing, shown, () => {}, (state) => rowOf[state] * height);
    svg.style.top = `${first * height}px`;
    svg.setAttribute("height", (last - first) * height);
    svg.setAttribute("viewBox", `0 ${first * height} ${drawing.total} ${(last - first) * height}`);
  }

  function openDiagram() {
    const diagram = run.behaviour?.diagram ?? null;
    lanes = diagram?.lanes ?? [];
    const room = Math.min(420, document.documentElement.clientWidth * 0.24);
    drawing = diagram && laneDrawing(diagram, states().map((state) => stepTitle(state.step)), room, rowHeight());
    rowOf = [];
    rows.forEach(({ state }, index) => { if (state != null) rowOf[state] = index; });
    at("lanes").replaceChildren();
    at("lane-names").replaceChildren(...lanes.map((name) => {
      const head = element("span", "lane-name", name);
      head.style.width = `${drawing.width}px`;
      head.title = name;
      return head;
    }));
    at("legend").replaceChildren(...(drawing ? legendItems(drawing) : []));
    at("toggle-diagram").hidden = !drawing;
    const hint = run.behaviour?.hint ?? null, box = at("hint");
    box.hidden = !hint;
    if (hint) {
      box.replaceChildren(element("summary", "", diagram ? "Why are no messages drawn?" : "Why are there no lanes?"),
        element("p", "", ...marked(hint.text)), element("pre", "", hint.lines));
    }
    showDiagram(drawing !== null);
  }

  function showDiagram(isShown) {
    document.documentElement.style.setProperty("--lanes", isShown ? `${drawing.total}px` : "0px");
    for (const id of ["lanes", "lane-names", "legend"]) at(id).style.display = isShown ? "" : "none";
    at("legend").hidden = !isShown;
    at("toggle-diagram").setAttribute("aria-pressed", String(isShown));
  }

  const toggleDiagram = () => drawing && showDiagram(at("toggle-diagram").getAttribute("aria-pressed") !== "true");

  // `centre` is for a jump: the rows before the target are visible, too.
  function show(index, centre) {
    const box = at("rows"), height = rowHeight(), top = index * height;
    if (centre) box.scrollTop = top - box.clientHeight * 0.6;
    else if (top < box.scrollTop) box.scrollTop = top;
    else if (top + height > box.scrollTop + box.clientHeight) box.scrollTop = top + height - box.clientHeight;
  }

  function choose(index, centre) {
    if (index < 0 || index >= rows.length) return;
    chosen = index;
    show(index, centre);
    draw();
    detail();
    const number = page.runs.indexOf(run) + 1;
    history.replaceState(null, "", `#${number}.${index + 1}`);
  }

  const labelled = (name, value) =>
    element("div", "field", element("span", "name", `${name}: `), element("span", "value", value));

  function eventDetail(row) {
    const box = at("event"), event = eventOf(row);
    box.replaceChildren();
    if (!event) return;
    if (run.has_lines) box.append(element("div", "place", `${run.files[event[0]]}:${event[1]}`));
    const fields = parsed[row.event - 1];
    if (!fields) box.append(element("div", "value", event[2]));
    else box.append(...[...fields].map(([path, value]) => labelled(path, JSON.stringify(value))));
  }

  function stepDetail(row) {
    const box = at("step"), branch = at("branch");
    box.replaceChildren();
    branch.hidden = true;
    const state = row.state == null ? null : states()[row.state];
    if (!state) return;
    if (state.step?.place) box.append(element("div", "place", state.step.place));
    const via = viaOf(state);
    if (via.length > 0) box.append(element("div", "place", `by way of ${via.join(", ")}`));
    box.append(...state.changes.map(changeElement));
    if (row.state > 0 && state.changes.length === 0) box.append(element("div", "change", "(nothing changed)"));
    if (state.n_others > 0) {
      branch.hidden = false;
      const more = state.n_others - state.others.length;
      const lines = state.others.map((other) => element("div", "code", other));
      branch.replaceChildren(element("h2", "", "A branch: this could have been done instead"), ...lines);
      if (more > 0) branch.append(element("div", "place", `and ${more} more`));
    }
  }

  // The nearest is open; each of the others has a line.
  function missElement(miss, index) {
    const way = [miss.action, ...miss.calls.map((call) => call.split("(")[0])].join(" › ");
    const head = miss.why === "constraint" ? `${way} is cut off by a constraint` : way;
    const isNearest = index === 0;
    const box = isNearest ? element("div", "miss", element("h3", "", `Nearest: ${head}`)) :
      element("details", "miss", element("summary", "", element("b", "", head), element("span", "code", `  ${miss.text}`)));
    box.append(element("div", "code false", miss.text));
    box.append(element("div", "place", `is FALSE${miss.why === "constraint" ? " after it" : ""}, ${miss.file}:${miss.line}:${miss.column}`));
    const sides = miss.sides;
    if (sides) {
      box.append(element("div", "sides",
        element("div", "expression", sides.left.text), element("div"), element("div", "expression", sides.right.text),
        element("div", "disagrees", sides.left.value), element("div", "operator", `not ${sides.operator}`),
        element("div", "disagrees", sides.right.value)));
    }
    const bare = (name) => name.replace(/'$/, "");
    const shown = (name) => sides && [sides.left.text, sides.right.text].map(bare).includes(bare(name));
    const values = miss.values.filter(({ name }) => !shown(name)).map(({ name, value }) => labelled(name, value));
    if (values.length > 0) {
      const more = element("details", "", element("summary", "", "values in it"), ...values);
      more.open = !sides;
      box.append(more);
    }
    return box;
  }

  function whyDetail(row) {
    const box = at("why"), isStuck = row.kind === "stuck";
    box.hidden = !isStuck;
    if (!isStuck) return;
    const event = run.unexplained.find(({ event }) => event === (row.event ?? 0));
    const misses = event?.misses ?? [];
    box.replaceChildren(element("h2", "", "Nothing explains this event"));
    for (const note of [...run.notes, ...run.hints]) box.append(element("p", "hint", ...marked(note)));
    if (misses.length === 0) box.append(element("p", "hint", "No action came near: each fails where all others do."));
    box.append(...misses.map(missElement));
  }

  // Returns the value of a variable in a state: the last one that it got up to there.
  function valueAt(variable, state) {
    let [low, high] = [0, variable.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (variable[middle][0] <= state) low = middle + 1;
      else high = middle;
    }
    return low === 0 ? null : variable[low - 1][1];
  }

  function stateDetail(row) {
    const count = states().length, isOwn = row.state != null;
    const index = isOwn ? row.state : row.kind === "stuck" ? count - 1 : null;
    const title = at("state-title"), box = at("values");
    title.textContent = "";
    box.replaceChildren();
    if (index == null || index < 0) return;
    title.textContent = isOwn ? `State ${index + 1 + run.behaviour.n_before}` :
      `The state before it: state ${index + 1 + run.behaviour.n_before}`;
    if (index < run.behaviour.first_valued) {
      box.append(element("p", "empty", "The values of so early a state are left out of this page; --trace keeps them."));
      return;
    }
    const valuesAt = (state) => run.behaviour.values.map((variable) => valueAt(variable, state));
    const hasBefore = isOwn && index > run.behaviour.first_valued;
    box.replaceChildren(...stateTables({
      ids: valuesAt(index), before: hasBefore ? valuesAt(index - 1) : null, reals: null,
      variables: run.behaviour.variables, lanes, isExpression: () => false, isIn: () => true, room: at("detail").clientWidth,
    }));
  }

  function detail() {
    const row = rows[chosen];
    if (!row) {
      at("title").textContent = "There is nothing to show.";
      return;
    }
    const step = row.state == null ? "" : titleOf(states()[row.state]);
    const what = row.event == null ? step : step ? `Event ${row.event}: ${step}` : `Event ${row.event}`;
    at("title").textContent = what;
    whyDetail(row);
    eventDetail(row);
    stepDetail(row);
    stateDetail(row);
    at("detail").scrollTop = 0;
  }

  const move = (by) => choose(Math.max(0, Math.min(rows.length - 1, chosen + by)), false);

  function toNext(direction, isIt) {
    for (let index = chosen + direction; index >= 0 && index < rows.length; index += direction) {
      if (isIt(rows[index], index)) return choose(index, true);
    }
  }

  const isBranch = (row) => row.state != null && states()[row.state].n_others > 0;
  const toBranch = (direction) => toNext(direction, isBranch);
  const toHit = (direction) => toNext(direction, (_, index) => hits.has(index));

  function toStuck() {
    const index = rows.findIndex(({ kind }) => kind === "stuck");
    if (index >= 0) choose(index, true);
  }

  function find() {
    const wanted = at("find").value.toLowerCase();
    hits = new Set(wanted === "" ? [] : rows.flatMap((row, index) => (row.words.includes(wanted) ? [index] : [])));
    status();
    draw();
  }

  function status() {
    const explained = isBare() ? run.n_events : new Set(states().map(({ event }) => event).filter((event) => event != null)).size;
    const found = at("find").value === "" ? "" : `, ${hits.size} found`;
    at("shown").textContent = `${explained} of ${run.n_events} events explained${found}`;
  }

  function open(index) {
    run = page.runs[index];
    useNodes(run.behaviour?.nodes ?? []);
    opened.clear();
    hits = new Set();
    at("find").value = "";
    leadsTo = followers();
    parsed = parsedEvents();
    constants = constantFields();
    kindPath = kindField();
    rows = rowsOf();
    at("run").value = String(index);
    at("headline").replaceChildren(...marked(run.headline));
    at("about").textContent = [page.spec, page.tool].join(", ");
    at("to-stuck").hidden = !rows.some(({ kind }) => kind === "stuck");
    at("to-branch").hidden = !rows.some(isBranch);
    chosen = 0;
    openDiagram();
    status();
    draw();
    at("to-stuck").hidden ? choose(0, false) : toStuck();
  }

  const KEYS = {
    j: () => move(1), ArrowDown: () => move(1), k: () => move(-1), ArrowUp: () => move(-1),
    PageDown: () => move(20), PageUp: () => move(-20),
    g: () => choose(0, false), Home: () => choose(0, false),
    G: () => choose(rows.length - 1, false), End: () => choose(rows.length - 1, false),
    f: toStuck, d: toggleDiagram, b: () => toBranch(1), B: () => toBranch(-1),
    "/": () => at("find").focus(), n: () => toHit(1), N: () => toHit(-1),
  };

  page.runs.forEach((known, index) => at("run").append(new Option(`${known.verdict}: ${known.name}`, String(index))));
  at("run-label").hidden = page.runs.length < 2;
  at("run").addEventListener("input", () => open(Number(at("run").value)));
  at("to-stuck").addEventListener("click", toStuck);
  at("to-branch").addEventListener("click", () => toBranch(1));
  at("toggle-diagram").addEventListener("click", toggleDiagram);
  at("find").addEventListener("input", find);
  at("find").addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    toHit(event.shiftKey ? -1 : 1);
  });
  at("rows").addEventListener("scroll", () => draw());
  window.addEventListener("beforeprint", () => draw(true));
  window.addEventListener("afterprint", () => draw());
  window.addEventListener("resize", () => {
    draw();
    show(chosen, false);
  });
  onKeys(KEYS, () => {
    at("find").value = "";
    find();
    at("rows").focus();
  });
  const [wantedRun, wantedRow] = location.hash.slice(1).split(".").map(Number);
  const troubled = page.runs.findIndex(({ verdict }) => verdict !== "accepted");
  const isWanted = wantedRun >= 1 && wantedRun <= page.runs.length;
  open(isWanted ? wantedRun - 1 : Math.max(0, troubled));
  if (isWanted && wantedRow >= 1 && wantedRow <= rows.length) choose(wantedRow - 1, true);
})();
