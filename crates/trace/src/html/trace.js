// The page of a trace. Everything is shown as text nodes: nothing of a trace is ever parsed as markup.
(() => {
  const page = data();
  const { diagram, program, variables } = page;
  useNodes(page.nodes);
  const states = page.states, last = states.length - 1;
  const isWrong = program !== null && program.differences.length > 0;
  const chosen = { state: 0, variable: "", process: "", find: "" };
  const steps = [];
  const lanes = diagram?.lanes ?? [];

  const laneOf = (index) => diagram?.lane_of_state[index] ?? null;
  const isExpression = (name) => page.expressions.includes(name);

  function stepTitle(step, max = 60) {
    if (!step) return "initial state";
    const parameters = step.parameters.map(({ name, value }) => `${name} = ${briefOf(value, max)}`).join(", ");
    return step.action + (parameters ? `(${parameters})` : "");
  }
  const titles = states.map(({ step }) => stepTitle(step));
  // In a lane, only the values are shown, without the lane's own name: a step of `s1` is `Deliver(s2)` there.
  const laneTitles = states.map(({ step }, index) => {
    if (!step) return "";
    const values = step.parameters.map(({ value }) => bareName(briefOf(value, 24)));
    const own = values.indexOf(lanes[laneOf(index)]);
    const parameters = values.filter((_, parameter) => parameter !== own).join(", ");
    return step.action + (parameters ? `(${parameters})` : "");
  });
  const roomForLanes = () => Math.min(620, Math.max(320, document.documentElement.clientWidth * (program ? 0.32 : 0.36)));
  let drawing = diagram && laneDrawing(diagram, laneTitles, roomForLanes());

  function stepElement(state, index) {
    const head = element("div", "head", element("span", "number", String(index + 1)));
    if (laneOf(index) != null) head.append(element("span", "lane", lanes[laneOf(index)]));
    head.append(titles[index]);
    if (state.step?.place) head.append(element("span", "place", state.step.place));
    const lines = state.changes.map(changeElement);
    const changes = element("div", "of-spec", ...lines);
    if (index > 0 && lines.length === 0) changes.append(element("div", "change faint", "(nothing changed)"));
    const both = program ? element("div", "both", changes, programColumn(program, index)) : changes;
    const step = element("div", "step", head, both);
    step.setAttribute("role", "option");
    step.id = `step-${index + 1}`;
    const isFailure = program ? isWrong : page.finding.kind && page.finding.kind !== "example";
    if (index === last && isFailure) step.classList.add("failed");
    step.addEventListener("click", () => choose(index, false));
    steps.push({ step, lines, text: step.textContent.toLowerCase() });
    return step;
  }

  function buildSteps() {
    at("steps").append(...states.map(stepElement));
    const ending = page.ending;
    if (ending.kind === "stuttering") at("steps").append(element("div", "empty", "… and the last state for ever."));
    if (ending.kind === "loop") {
      at("steps").append(element("div", "empty", `… and back to state ${ending.to}, and the same again for ever.`));
    }
    at("sides-head").hidden = !program;
    document.body.classList.toggle("two-sided", program !== null);
  }

  function isShown(index) {
    if (chosen.process !== "" && laneOf(index) !== Number(chosen.process)) return false;
    if (chosen.variable && index > 0 &&
        !states[index].changes.some(({ variable }) => variables[variable] === chosen.variable)) return false;
    return steps[index].text.includes(chosen.find.toLowerCase());
  }

  // Steps that are filtered out of the list are not in the diagram either.
  function filter() {
    const shown = [];
    steps.forEach(({ step, lines }, index) => {
      const isIn = isShown(index);
      step.hidden = !isIn;
      if (isIn) shown.push(index);
      lines.forEach((line, change) => {
        const variable = variables[states[index].changes[change].variable];
        line.hidden = chosen.variable !== "" && variable !== chosen.variable;
      });
    });
    at("shown").textContent = shown.length === steps.length ? counted(steps.length, "state") :
      `${shown.length} of ${counted(steps.length, "state")}`;
    for (const name of at("lane-names").children) {
      name.setAttribute("aria-pressed", String(name.dataset.lane === chosen.process));
    }
    if (diagram) {
      drawLanes(at("lanes"), drawing, shown, (index) => choose(index, true));
      if (isWrong) at("lanes").querySelector(`.state-row[data-state="${last}"]`)?.classList.add("wrong");
    }
    mark(false);
    showState();
  }

  function showState() {
    const state = states[chosen.state];
    if (!state) {
      at("state-title").textContent = "There is no state.";
      return;
    }
    at("state-title").textContent = `State ${chosen.state + 1}: ${titles[chosen.state]}`;
    at("failure").classList.toggle("brief", chosen.state !== last);
    at("values").replaceChildren(...stateTables({
      ids: state.values,
      before: states[chosen.state - 1]?.values ?? null,
      reals: program ? program.rows[chosen.state].real : null,
      variables, lanes, isExpression,
      isIn: (variable) => chosen.variable === "" || variables[variable] === chosen.variable,
      room: at("state").clientWidth,
    }));
  }

  // --- choosing

  function mark(isFollowed) {
    for (const old of at("lanes").querySelectorAll(".chosen")) old.classList.remove("chosen");
    for (const made of at("lanes").querySelectorAll(`[data-state="${chosen.state}"]`)) {
      made.classList.add("chosen");
      if (isFollowed) reveal(at("diagram"), made, 60);
      if (isFollowed && made.matches(".event")) revealAcross(at("diagram"), made);
    }
  }

  // If there are many lanes, the lane of the step is shown.
  function revealAcross(part, inner) {
    const [outside, inside] = [part.getBoundingClientRect(), inner.getBoundingClientRect()];
    if (inside.left < outside.left + 40 || inside.right > outside.right - 40) {
      part.scrollLeft += inside.left - outside.left - outside.width / 2;
    }
  }

  function choose(index, focus = true) {
    if (index < 0 || index >= steps.length) return;
    steps[chosen.state]?.step.setAttribute("aria-selected", "false");
    chosen.state = index;
    const { step } = steps[index];
    step.setAttribute("aria-selected", "true");
    at("steps").setAttribute("aria-activedescendant", step.id);
    if (focus) reveal(at("steps"), step);
    mark(true);
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
    const failure = page.failure, box = at("failure");
    box.append(element("h2", "", ...marked(page.headline)));
    if (page.finding.message) box.append(element("div", "value", page.finding.message));
    if (failure) {
      box.append(element("div", "value", failure.text), element("div", "place", failure.place ?? ""));
      for (const { name, value } of failure.values) {
        box.append(element("div", "named", element("span", "value", `${name} is `), valueElement(value, `failure/${name}`, 200)));
      }
      for (const call of failure.calls) {
        box.append(element("div", "place", `reached by ${stepTitle(call)} ${call.place ?? ""}`));
      }
    }
    box.tabIndex = -1;
    box.hidden = page.finding.kind == null || (page.finding.kind === "example" && !failure);
    at("to-failure").hidden = box.hidden && !isWrong;
  }

  function toFailure() {
    clear();
    choose(steps.length - 1);
    const box = isWrong ? at("differs") : at("failure");
    box.scrollIntoView({ block: "nearest" });
    box.focus({ preventScroll: true });
  }

  function clear() {
    for (const id of ["find", "variable", "process"]) at(id).value = "";
    Object.assign(chosen, { find: "", variable: "", process: "" });
    filter();
  }

  function buildDiagram() {
    const hasLanes = diagram !== null;
    for (const id of ["diagram", "toggle-diagram", "process-label"]) at(id).hidden = !hasLanes;
    if (!hasLanes) return;
    at("lanes").setAttribute("aria-label", `${counted(lanes.length, "process")}, ${counted(diagram.messages.length, "message")}`.replace("processs", "processes"));
    at("legend").append(...legendItems(drawing));
    lanes.forEach((name, lane) => {
      at("process").append(new Option(name, String(lane)));
      const head = element("button", "lane-name", name);
      head.type = "button";
      head.dataset.lane = String(lane);
      head.title = `${name}: its steps alone, or all`;
      head.addEventListener("click", () => {
        chosen.process = chosen.process === String(lane) ? "" : String(lane);
        at("process").value = chosen.process;
        filter();
      });
      at("lane-names").append(head);
    });
  }

  function widen() {
    if (!diagram) return;
    drawing = laneDrawing(diagram, laneTitles, roomForLanes());
    at("lane-names").style.width = `${drawing.total}px`;
    at("lane-names").style.paddingLeft = `${LANES_LEFT}px`;
    for (const name of at("lane-names").children) name.style.width = `${drawing.width}px`;
  }

  function buildHint() {
    if (!page.hint) return;
    const box = at("hint");
    box.append(element("summary", "", diagram ? "Why are no messages drawn?" : "Why are there no lanes?"),
      element("p", "", ...marked(page.hint.text)), element("pre", "", page.hint.lines));
    box.open = diagram === null;
    box.hidden = false;
  }

  function toggleDiagram() {
    if (diagram === null) return;
    at("diagram").hidden = !at("diagram").hidden;
    at("toggle-diagram").setAttribute("aria-pressed", String(!at("diagram").hidden));
  }

  function about() {
    const facts = page.facts.map(([name, value]) => element("span", "fact", element("span", "fact-name", `${name}: `), value));
    const known = facts.length > 0 ? [] : [page.spec, page.config, page.tool].filter(Boolean).map((text) => element("span", "fact", text));
    at("about").replaceChildren(...known, ...facts);
  }

  const KEYS = {
    j: () => move(1), ArrowDown: () => move(1), k: () => move(-1), ArrowUp: () => move(-1),
    g: () => edge(-1), Home: () => edge(-1), G: () => edge(1), End: () => edge(1),
    f: () => at("to-failure").hidden || toFailure(), d: toggleDiagram, "/": () => at("find").focus(),
  };

  at("headline").replaceChildren(...marked(program ? program.headline : page.headline));
  if (isWrong) at("to-failure").firstChild.textContent = "What differs ";
  about();
  for (const name of variables) at("variable").append(new Option(name, name));
  buildDiagram();
  if (program) buildDiffers(at("differs"), program);
  buildFailure();
  buildSteps();
  buildHint();
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
  widen();
  window.addEventListener("resize", () => {
    const before = drawing?.width;
    widen();
    if (drawing?.width !== before) filter();
  });
  filter();
  const wanted = Number(location.hash.slice(1));
  const isWanted = wanted >= 1 && wanted <= steps.length;
  // A divergence is shown first.
  choose(isWanted ? wanted - 1 : isWrong ? last : 0, isWanted || isWrong);
})();
