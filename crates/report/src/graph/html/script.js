// The page of a state graph: a picture that moves and zooms, and the values of the state that is chosen.
(() => {
  const { graph, layout } = data();
  const shown = { chosen: null, find: "", action: "", x: 0, y: 0, scale: 1 };
  const SCALE_MIN = 0.02, SCALE_MAX = 4, SCALE_READABLE = 0.5, ZOOM = 1.25;
  const stateOf = new Map(graph.states.map((state, index) => [state.id, index]));
  const states = [], steps = [];
  const svg = at("drawing");
  const scene = drawn("g", { id: "scene" });

  const labelOf = (step) => step.action + (step.parameters.length === 0 ? "" :
    `(${step.parameters.map(({ name, value }) => `${name} = ${value}`).join(", ")})`);
  const shortLabel = (text) => (text.length > 28 ? `${text.slice(0, 27)}…` : text);

  function drawStep(step, index) {
    const { d, x, y } = layout.paths[index];
    const part = drawn("g", { class: step.violates.length > 0 ? "step bad" : "step" },
      drawn("path", { d, "marker-end": "url(#arrow)" }),
      drawn("text", { x, y, "text-anchor": "middle" }, shortLabel(labelOf(step))),
      drawn("title", {}, `${labelOf(step)}: ${step.from} → ${step.to}`));
    steps.push(part);
    return part;
  }

  function drawState(state, index) {
    const { x, y, width, height, lines } = layout.boxes[index];
    const classes = ["state", state.initial ? "initial" : "", state.expanded ? "" : "open",
      state.violates.length > 0 ? "bad" : ""].filter(Boolean).join(" ");
    const texts = lines.map((line, at) => drawn("text",
      { x: x + 10, y: y + 15 + at * 15, class: at === 0 ? "id" : "" }, line));
    const part = drawn("g", { class: classes, id: `state-${state.id}`, tabindex: "-1" },
      drawn("rect", { x, y, width, height }), ...texts);
    part.addEventListener("click", () => choose(index, false));
    const text = [`${state.id}`, ...state.values.map(({ name, value }) => `${name} = ${value}`)].join("\n");
    states.push({ part, text: text.toLowerCase() });
    return part;
  }

  function draw() {
    const arrow = drawn("marker", { id: "arrow", viewBox: "0 0 8 8", refX: 8, refY: 4, markerWidth: 9, markerHeight: 9, markerUnits: "userSpaceOnUse",
      orient: "auto-start-reverse" }, drawn("path", { d: "M0 0L8 4L0 8z", style: "fill: var(--faint)" }));
    scene.append(...graph.steps.map(drawStep), ...graph.states.map(drawState));
    svg.append(drawn("defs", {}, arrow), scene);
    svg.setAttribute("aria-label", `${graph.states.length} states, ${graph.steps.length} steps`);
  }

  function move() {
    scene.setAttribute("transform", `translate(${shown.x} ${shown.y}) scale(${shown.scale})`);
  }

  const size = () => at("picture").getBoundingClientRect();

  function fit() {
    const { width, height } = size();
    shown.scale = Math.min(1.2, Math.max(SCALE_MIN, Math.min(width / layout.width, height / layout.height)));
    shown.x = (width - layout.width * shown.scale) / 2;
    shown.y = Math.max(0, (height - layout.height * shown.scale) / 2);
    move();
  }

  // Keeps what is at (x, y) of the picture where it is.
  function zoom(factor, x = size().width / 2, y = size().height / 2) {
    const scale = Math.min(SCALE_MAX, Math.max(SCALE_MIN, shown.scale * factor));
    shown.x = x - ((x - shown.x) * scale) / shown.scale;
    shown.y = y - ((y - shown.y) * scale) / shown.scale;
    shown.scale = scale;
    move();
  }

  function pan(x, y) {
    shown.x += x;
    shown.y += y;
    move();
  }

  function centre(index) {
    const { x, y, width, height } = layout.boxes[index];
    const frame = size();
    shown.scale = Math.max(shown.scale, 0.7);
    shown.x = frame.width / 2 - (x + width / 2) * shown.scale;
    shown.y = frame.height / 2 - (y + height / 2) * shown.scale;
    move();
  }

  // All of it, unless nothing could be read then: then from the first state on.
  function begin() {
    fit();
    if (shown.scale >= SCALE_READABLE || graph.states.length === 0) return;
    shown.scale = SCALE_READABLE;
    centre(0);
    pan(0, 40 - (shown.y + layout.boxes[0].y * shown.scale));
  }

  function mark(text, isBad) {
    at("marks").append(element("span", isBad ? "mark bad" : "mark", text));
  }

  function showState() {
    for (const id of ["marks", "values", "steps"]) at(id).replaceChildren();
    if (shown.chosen === null) {
      at("state-title").textContent = "No state is chosen";
      return;
    }
    const state = graph.states[shown.chosen];
    at("state-title").textContent = `State ${state.id}`;
    mark(`level ${state.level}`, false);
    if (state.initial) mark("initial", false);
    if (!state.expanded) mark("not all steps from it are here", false);
    if (!state.in_model) mark("outside of the constraint", false);
    for (const name of state.violates) mark(`violates ${name}`, true);
    at("values").append(...state.values.map(({ name, value }) =>
      element("div", "row", element("div", "name", name), element("div", "value", value))));
    listSteps("Steps from it", graph.steps.filter(({ from }) => from === state.id), ({ to }) => to);
    listSteps("Steps to it", graph.steps.filter(({ to }) => to === state.id), ({ from }) => from);
  }

  function listSteps(title, some, otherOf) {
    if (some.length === 0) return;
    at("steps").append(element("h3", "", `${title} (${some.length})`));
    for (const step of some) {
      const bad = step.violates.length > 0 ? `, violates ${step.violates.join(", ")}` : "";
      const button = element("button", "", `${labelOf(step)} · state ${otherOf(step)}${bad}`);
      button.type = "button";
      button.addEventListener("click", () => choose(stateOf.get(otherOf(step))));
      at("steps").append(button);
    }
  }

  function choose(index, isCentred = true) {
    if (shown.chosen !== null) states[shown.chosen].part.classList.remove("chosen");
    shown.chosen = index;
    if (index !== null) {
      states[index].part.classList.add("chosen");
      if (isCentred) centre(index);
    }
    const id = index === null ? null : graph.states[index].id;
    graph.steps.forEach(({ from, to }, at) => steps[at].classList.toggle("near", from === id || to === id));
    showState();
  }

  const isFound = (index) => shown.find !== "" && states[index].text.includes(shown.find.toLowerCase());

  function filter() {
    let count = 0;
    states.forEach(({ part }, index) => {
      const found = isFound(index);
      part.classList.toggle("found", found);
      count += found ? 1 : 0;
    });
    graph.steps.forEach(({ action }, index) =>
      steps[index].classList.toggle("dimmed", shown.action !== "" && action !== shown.action));
    at("shown").textContent = shown.find === "" ? "" : `${count} of ${states.length} states`;
  }

  function step(direction) {
    const from = shown.chosen ?? (direction > 0 ? -1 : states.length);
    for (let index = from + direction; index >= 0 && index < states.length; index += direction) {
      if (shown.find === "" || isFound(index)) return choose(index);
    }
  }

  const violation = graph.states.findIndex(({ violates }) => violates.length > 0);
  const badStep = graph.steps.find(({ violates }) => violates.length > 0);

  function toViolation() {
    if (violation >= 0) choose(violation);
    else if (badStep) choose(stateOf.get(badStep.to));
  }

  function toggleLabels() {
    const isHidden = svg.classList.toggle("unlabelled");
    at("toggle-labels").setAttribute("aria-pressed", String(!isHidden));
  }

  function clear() {
    for (const id of ["find", "action"]) at(id).value = "";
    Object.assign(shown, { find: "", action: "" });
    filter();
    choose(null);
    at("picture").focus();
  }

  function listen() {
    const picture = at("picture");
    let last = null;
    picture.addEventListener("pointerdown", (event) => { last = [event.clientX, event.clientY]; });
    picture.addEventListener("pointermove", (event) => {
      if (last === null) return;
      picture.classList.add("moving");
      pan(event.clientX - last[0], event.clientY - last[1]);
      last = [event.clientX, event.clientY];
    });
    for (const name of ["pointerup", "pointerleave", "pointercancel"]) {
      picture.addEventListener(name, () => {
        last = null;
        picture.classList.remove("moving");
      });
    }
    picture.addEventListener("wheel", (event) => {
      event.preventDefault();
      const { left, top } = size();
      zoom(event.deltaY < 0 ? ZOOM : 1 / ZOOM, event.clientX - left, event.clientY - top);
    }, { passive: false });
    for (const id of ["find", "action"]) {
      at(id).addEventListener("input", () => {
        shown[id] = at(id).value;
        filter();
      });
    }
    at("find").addEventListener("keydown", (event) => {
      if (event.key !== "Enter") return;
      choose(null);
      step(1);
    });
    const buttons = { smaller: () => zoom(1 / ZOOM), larger: () => zoom(ZOOM), fit, "to-violation": toViolation,
      "toggle-labels": toggleLabels };
    for (const [id, action] of Object.entries(buttons)) at(id).addEventListener("click", action);
    onKeys({
      "+": () => zoom(ZOOM), "=": () => zoom(ZOOM), "-": () => zoom(1 / ZOOM), 0: fit, f: toViolation, l: toggleLabels,
      n: () => step(1), p: () => step(-1), "/": () => at("find").focus(), ArrowLeft: () => pan(60, 0),
      ArrowRight: () => pan(-60, 0), ArrowUp: () => pan(0, 60), ArrowDown: () => pan(0, -60),
    }, clear);
    window.addEventListener("resize", begin);
  }

  at("headline").textContent = `States of ${graph.spec}`;
  at("about").textContent = `${graph.states.length} states, ${graph.steps.length} steps` +
    (graph.is_complete ? ": all that there are" : ": not all that there are");
  at("notes").append(...graph.notes.map((note) => element("li", "", note)));
  for (const name of new Set(graph.steps.map(({ action }) => action))) at("action").append(new Option(name, name));
  at("to-violation").hidden = violation < 0 && !badStep;
  draw();
  listen();
  begin();
  showState();
})();
