// The page of a trace. All that is shown is made as text nodes: nothing of a trace is ever parsed as markup.
(() => {
  const { trace, diagram } = data();
  const LANE_WIDTH = 120, ROW_HEIGHT = 26, HEAD_HEIGHT = 6, NUMBERS_WIDTH = 36;
  const chosen = { state: 0, variable: "", process: "", find: "" };
  const steps = [];

  const laneOf = (index) => diagram?.lane_of_state[index] ?? null;
  // An expression may begin with the name of a variable: `x + y` is none of `x`.
  const variableOf = (path) => trace.variables.find((name) => path === name) ??
    trace.variables.find((name) => path.startsWith(name) && /[.[]/.test(path[name.length])) ?? path;
  const isExpression = (name) => trace.expressions.includes(name);

  function titleOf(state) {
    if (!state.step) return "initial state";
    const parameters = state.step.parameters.map(({ name, value }) => `${name} = ${value}`).join(", ");
    return state.step.action + (parameters ? `(${parameters})` : "");
  }

  const placeOf = (place) => (place ? `${place.file}:${place.start.line}:${place.start.column}` : "");

  function changeElement(change) {
    const line = element("div", "change");
    line.append(element("span", "path", `${change.path}: `));
    if (change.kind === "replaced") {
      line.classList.add("inline");
      line.append(element("del", "", ...change.removed), " → ", element("ins", "", ...change.added));
      return line;
    }
    if (change.at != null) line.append(`at ${change.at} `);
    for (const value of change.removed) line.append(element("del", "", value), " ");
    for (const value of change.added) line.append(element("ins", "", value), " ");
    return line;
  }

  function buildSteps() {
    const last = trace.states.length - 1;
    trace.states.forEach((state, index) => {
      const head = element("div", "head", element("span", "number", String(state.state)));
      if (laneOf(index) != null) head.append(element("span", "lane", diagram.lanes[laneOf(index)]));
      head.append(titleOf(state));
      if (state.step?.place) head.append(element("span", "place", placeOf(state.step.place)));
      const changes = state.changes.map((change) => ({ change, line: changeElement(change) }));
      const step = element("div", "step", head, ...changes.map(({ line }) => line));
      if (index > 0 && changes.length === 0) step.append(element("div", "change", "(nothing changed)"));
      step.setAttribute("role", "option");
      step.id = `step-${state.state}`;
      if (index === last && trace.finding.kind && trace.finding.kind !== "example") step.classList.add("failed");
      step.addEventListener("click", () => choose(index));
      at("steps").append(step);
      steps.push({ step, changes, text: step.textContent.toLowerCase() });
    });
    const ending = trace.ending;
    if (ending.kind === "stuttering") at("steps").append(element("div", "empty", "… and the last state for ever."));
    if (ending.kind === "loop") {
      at("steps").append(element("div", "empty", `… and back to state ${ending.to}, and the same again for ever.`));
    }
  }

  function isShown(index) {
    const { changes, text } = steps[index];
    if (chosen.process !== "" && laneOf(index) !== Number(chosen.process)) return false;
    if (chosen.variable && index > 0 &&
        !changes.some(({ change }) => variableOf(change.path) === chosen.variable)) return false;
    return text.includes(chosen.find.toLowerCase());
  }

  function filter() {
    let count = 0;
    steps.forEach(({ step, changes }, index) => {
      const shown = isShown(index);
      step.hidden = !shown;
      count += shown ? 1 : 0;
      for (const { change, line } of changes) {
        line.hidden = chosen.variable !== "" && variableOf(change.path) !== chosen.variable;
      }
    });
    at("shown").textContent = `${count} of ${steps.length} states`;
    showState();
  }

  function showState() {
    const state = trace.states[chosen.state];
    if (!state) {
      at("state-title").textContent = "There is no state.";
      return;
    }
    at("state-title").textContent = `State ${state.state}: ${titleOf(state)}`;
    const changed = new Set(state.changes.map(({ path }) => variableOf(path)));
    const rows = state.values
      .filter(({ name }) => chosen.variable === "" || name === chosen.variable)
      .map(({ name, value }) => {
        const kinds = ["row", changed.has(name) && "changed", isExpression(name) && "expression"];
        const row = element("div", kinds.filter(Boolean).join(" "),
          element("div", "name", name), element("div", "value", value ?? "(no value)"));
        for (const change of state.changes.filter(({ path }) => variableOf(path) === name)) {
          row.append(changeElement(change));
        }
        return row;
      });
    at("values").replaceChildren(...rows);
  }

  function choose(index, focus = true) {
    if (index < 0 || index >= steps.length) return;
    steps[chosen.state]?.step.setAttribute("aria-selected", "false");
    chosen.state = index;
    const { step } = steps[index];
    step.setAttribute("aria-selected", "true");
    at("steps").setAttribute("aria-activedescendant", step.id);
    if (focus) reveal(at("steps"), step);
    for (const old of at("lanes").querySelectorAll(".chosen")) old.classList.remove("chosen");
    for (const mark of at("lanes").querySelectorAll(`[data-state="${index}"]`)) {
      mark.classList.add("chosen");
      if (focus) reveal(at("diagram"), mark);
    }
    history.replaceState(null, "", `#${index + 1}`);
    showState();
  }

  function move(direction) {
    for (let index = chosen.state + direction; index >= 0 && index < steps.length; index += direction) {
      if (!steps[index].step.hidden) return choose(index);
    }
  }

  function edge(direction) {
    const order = direction > 0 ? steps.length - 1 : 0;
    for (let index = order; index >= 0 && index < steps.length; index -= direction) {
      if (!steps[index].step.hidden) return choose(index);
    }
  }

  function buildFailure() {
    const failure = trace.failure, box = at("failure");
    box.append(element("h2", "", trace.headline));
    if (trace.finding.message) box.append(element("div", "value", trace.finding.message));
    if (failure) {
      box.append(element("div", "value", failure.text), element("div", "place", placeOf(failure.place)));
      for (const { name, value } of failure.values) box.append(element("div", "value", `${name} is ${value}`));
      for (const call of failure.calls) {
        box.append(element("div", "place", `reached by ${titleOf({ step: call })} ${placeOf(call.place)}`));
      }
    }
    box.tabIndex = -1;
    box.hidden = trace.finding.kind == null || (trace.finding.kind === "example" && !failure);
    at("to-failure").hidden = box.hidden;
  }

  function toFailure() {
    clear();
    choose(steps.length - 1);
    at("failure").scrollIntoView({ block: "nearest" });
    at("failure").focus({ preventScroll: true });
  }

  function clear() {
    for (const id of ["find", "variable", "process"]) at(id).value = "";
    Object.assign(chosen, { find: "", variable: "", process: "" });
    filter();
  }

  const centre = (lane) => NUMBERS_WIDTH + LANE_WIDTH * (lane + 0.5);
  const level = (index) => HEAD_HEIGHT + ROW_HEIGHT * (index + 0.5);

  function drawLanes(svg, width, height) {
    const arrow = drawn("marker", { id: "arrow", viewBox: "0 0 8 8", refX: 8, refY: 4, markerWidth: 7,
      markerHeight: 7, orient: "auto-start-reverse" },
      drawn("path", { d: "M0 0L8 4L0 8z", style: "fill: var(--faint)" }));
    svg.append(drawn("defs", {}, arrow));
    trace.states.forEach((_, index) => {
      const row = drawn("rect", { class: "row", x: 0, y: level(index) - ROW_HEIGHT / 2, width, height: ROW_HEIGHT,
        "data-state": index });
      row.addEventListener("click", () => choose(index));
      svg.append(row, drawn("text", { class: "number", x: 4, y: level(index) + 4 }, String(index + 1)));
    });
    diagram.lanes.forEach((name, lane) => {
      svg.append(
        drawn("line", { class: "lane-line", x1: centre(lane), x2: centre(lane), y1: 0, y2: height }));
      const head = element("div", "lane-name", name);
      head.style.width = `${LANE_WIDTH}px`;
      head.title = name;
      at("lane-names").append(head);
    });
  }

  function drawMessage(svg, message, end, kind) {
    if (message.from == null || message.to == null) return;
    const [x1, y1, y2] = [centre(message.from), level(message.sent), level(end)];
    const x2 = message.from === message.to ? x1 + 30 : centre(message.to);
    const line = drawn("line", { class: `message ${kind}`, x1, y1, x2, y2, "marker-end": "url(#arrow)" },
      drawn("title", {}, message.label));
    const label = drawn("text", { class: "label", x: (x1 + x2) / 2, y: (y1 + y2) / 2 - 3,
      "text-anchor": "middle" }, message.label.length > 18 ? `${message.label.slice(0, 17)}…` : message.label);
    svg.append(line, label);
  }

  function buildDiagram() {
    const hasLanes = diagram !== null;
    at("diagram").hidden = !hasLanes;
    at("toggle-diagram").hidden = !hasLanes;
    at("process-label").hidden = !hasLanes;
    if (!hasLanes) return;
    const svg = at("lanes");
    const width = NUMBERS_WIDTH + LANE_WIDTH * diagram.lanes.length;
    const height = HEAD_HEIGHT + ROW_HEIGHT * trace.states.length;
    for (const [name, value] of Object.entries({ width, height })) svg.setAttribute(name, value);
    svg.setAttribute("aria-label", `${diagram.lanes.length} processes, ${diagram.messages.length} messages`);
    at("lane-names").style.width = `${width}px`;
    at("lane-names").style.paddingLeft = `${NUMBERS_WIDTH}px`;
    drawLanes(svg, width, height);
    for (const message of diagram.messages) {
      for (const end of message.taken) drawMessage(svg, message, end, "taken");
      if (message.lost != null) drawMessage(svg, message, message.lost, "lost");
      else if (message.taken.length === 0) drawMessage(svg, message, message.sent + 0.4, "open");
    }
    diagram.lane_of_state.forEach((lane, index) => {
      if (lane == null) return;
      const event = drawn("circle", { class: "event", cx: centre(lane), cy: level(index), r: 5, "data-state": index },
        drawn("title", {}, titleOf(trace.states[index])));
      event.addEventListener("click", () => choose(index));
      svg.append(event);
    });
    diagram.lanes.forEach((name, lane) => at("process").append(new Option(name, String(lane))));
  }

  function toggleDiagram() {
    if (diagram === null) return;
    at("diagram").hidden = !at("diagram").hidden;
    at("toggle-diagram").setAttribute("aria-pressed", String(!at("diagram").hidden));
  }

  const KEYS = {
    j: () => move(1), ArrowDown: () => move(1), k: () => move(-1), ArrowUp: () => move(-1),
    g: () => edge(-1), Home: () => edge(-1), G: () => edge(1), End: () => edge(1),
    f: () => at("to-failure").hidden || toFailure(), d: toggleDiagram, "/": () => at("find").focus(),
  };

  at("headline").textContent = trace.headline;
  at("about").textContent = [trace.spec, trace.config, trace.tool, `${trace.states.length} states`]
    .filter(Boolean).join(", ");
  for (const name of trace.variables) at("variable").append(new Option(name, name));
  buildDiagram();
  buildFailure();
  buildSteps();
  for (const id of ["find", "variable", "process"]) {
    at(id).addEventListener("input", () => {
      chosen[id] = at(id).value;
      filter();
    });
  }
  at("to-failure").addEventListener("click", toFailure);
  at("toggle-diagram").addEventListener("click", toggleDiagram);
  at("clear").addEventListener("click", clear);
  onKeys(KEYS, () => {
    clear();
    at("steps").focus();
  });
  filter();
  const wanted = Number(location.hash.slice(1));
  choose(wanted >= 1 && wanted <= steps.length ? wanted - 1 : 0, wanted > 1);
})();
