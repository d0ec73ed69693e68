// The page of coverage: the annotated source, a list of actions, and what was never reached.
(() => {
  const { about, sources, views } = data();
  const number = (count) => count.toLocaleString("en-US");
  const placeOf = ({ file, start }) => `${file.split("/").at(-1)}:${start.line}:${start.column}`;
  const isBefore = (one, other) => one.line - other.line || one.column - other.column;
  const contains = (outer, inner) => outer.file === inner.file &&
    isBefore(outer.start, inner.start) <= 0 && isBefore(inner.end, outer.end) <= 0;
  const isSame = (one, other) => contains(one, other) && contains(other, one);
  const shown = { view: views[0], sort: null, descending: true, item: null, gap: -1, row: null };
  // What is counted, by its place: `items` in the order of the text, what contains others before them.
  let items = [], gaps = [], rows = [];

  // Expressions, and branches that stand where no expression is counted.
  function collect() {
    const { expressions, branches, actions } = shown.view;
    items = expressions.map((expression) => ({ ...expression, kind: "expression" }));
    const known = new Set(items.map(({ place }) => keyOf(place)));
    for (const branch of branches) {
      if (!known.has(keyOf(branch.place))) items.push({ ...branch, evaluated: branch.taken, true: null });
    }
    for (const action of actions) {
      if (action.possible > 0) continue;
      const item = items.find(({ place }) => isSame(place, action.place));
      if (item) item.action = action.name;
      else items.push({ place: action.place, kind: "action", action: action.name, evaluated: 0, true: null });
    }
    const order = new Map(sources.map(({ file }, index) => [file, index]));
    items = items.filter(({ place }) => order.has(place.file));
    items.sort((one, other) => order.get(one.place.file) - order.get(other.place.file) ||
      isBefore(one.place.start, other.place.start) || isBefore(other.place.end, one.place.end));
    const open = [];
    items.forEach((item, index) => {
      while (open.length && !contains(items[open.at(-1)].place, item.place)) open.pop();
      Object.assign(item, { index, parent: open.at(-1) ?? null, isNever: item.evaluated === 0,
        isFalse: item.evaluated > 0 && item.true === 0 });
      open.push(index);
    });
    // The outermost of what was never reached, and actions that were tried and never possible.
    gaps = items.filter((item) => (item.isNever && !(item.parent !== null && items[item.parent].isNever)) ||
      item.action !== undefined);
  }

  const keyOf = ({ file, start, end }) => `${file} ${start.line} ${start.column} ${end.line} ${end.column}`;

  function textOf({ file, start, end }) {
    const lines = sources.find((source) => source.file === file)?.text.split("\n") ?? [];
    const parts = lines.slice(start.line - 1, end.line).map((line, index, all) => {
      const letters = [...line];
      const to = index === all.length - 1 ? end.column - 1 : letters.length;
      return letters.slice(index === 0 ? start.column - 1 : 0, to).join("");
    });
    return parts.join("\n");
  }

  const shortText = (place, length = 70) => {
    const text = textOf(place).replace(/\s+/g, " ");
    return text.length > length ? `${text.slice(0, length - 1)}…` : text;
  };

  function tally(count, all, words) {
    const part = element("span", count > 0 ? "tally never" : "tally", `${number(count)} of ${number(all)} ${words}`);
    at("summary").append(part);
  }

  function showSummary() {
    at("summary").replaceChildren();
    const { actions, branches, expressions } = shown.view;
    tally(actions.filter(({ generated }) => generated === 0).length, actions.length, "actions never possible");
    tally(branches.filter(({ taken }) => taken === 0).length, branches.length, "branches never taken");
    tally(expressions.filter(({ evaluated }) => evaluated === 0).length, expressions.length,
      "expressions never evaluated");
  }

  function sortedActions() {
    const actions = [...shown.view.actions];
    const isNever = ({ generated }) => (generated === 0 ? 0 : 1);
    if (shown.sort === null) return actions.sort((one, other) => isNever(one) - isNever(other));
    const direction = shown.descending ? -1 : 1;
    const by = (action) => action[shown.sort];
    return actions.sort((one, other) => direction *
      (typeof by(one) === "string" ? by(one).localeCompare(by(other)) : by(one) - by(other)));
  }

  function showActions() {
    const rowsOf = sortedActions().map((action) => {
      const link = element("a", "", action.name);
      link.href = `#${lineId(action.place.file, action.place.start.line)}`;
      link.title = placeOf(action.place);
      link.addEventListener("click", (event) => {
        event.preventDefault();
        chooseAction(action);
      });
      const cells = [action.tried, action.possible, action.generated].map((n) => element("td", "", number(n)));
      return element("tr", action.generated === 0 ? "never" : "", element("td", "text", link), ...cells);
    });
    at("actions").tBodies[0].replaceChildren(...rowsOf);
    for (const head of at("actions").querySelectorAll("th")) {
      const isBy = head.firstElementChild.dataset.by === shown.sort;
      if (isBy) head.setAttribute("aria-sort", shown.descending ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    }
  }

  function showGaps() {
    at("n-gaps").textContent = gaps.length === 0 ? "nothing: every part of the model was" : `(${gaps.length})`;
    at("gaps").replaceChildren(...gaps.map((item, index) => {
      const link = element("a", "what", item.action ? `action ${item.action}` : shortText(item.place));
      link.href = `#${lineId(item.place.file, item.place.start.line)}`;
      link.addEventListener("click", (event) => {
        event.preventDefault();
        chooseGap(index);
      });
      const kind = item.action ? "never possible" : item.kind === "expression" ? item.definition ?? "" : item.kind;
      return element("li", "", link, element("span", "where", [kind, placeOf(item.place)].filter(Boolean).join(", ")));
    }));
  }

  const lineId = (file, line) => `${file}:${line}`;

  // The parts of a line, each with the innermost item that it belongs to.
  function segments(inLine, line, letters) {
    const owner = new Array(letters.length).fill(null);
    for (const item of inLine) {
      const { start, end } = item.place;
      const from = start.line < line ? 0 : start.column - 1;
      const to = end.line > line ? letters.length : end.column - 1;
      for (let at = from; at < Math.min(to, letters.length); at += 1) owner[at] = item;
    }
    const parts = [];
    letters.forEach((letter, at) => {
      if (at > 0 && owner[at] === owner[at - 1]) parts.at(-1).text += letter;
      else parts.push({ item: owner[at], text: letter });
    });
    return parts;
  }

  function classesOf(item) {
    if (item.isNever) return "never";
    return item.isFalse ? "false" : "";
  }

  const countsOf = (item) => {
    if (item.kind !== "expression") return item.action ? "never possible" : `${item.kind}: taken ${number(item.evaluated)} times`;
    const trues = item.true === null ? "" : `, true ${number(item.true)}`;
    return `evaluated ${number(item.evaluated)}${trues}, cost ${number(item.cost)}`;
  };

  function codeOf(inLine, line, text) {
    const parts = segments(inLine, line, [...text]).map(({ item, text: words }) => {
      const blank = words.match(/^\s*/)[0];
      if (item === null || blank === words) return words;
      const part = element("span", classesOf(item), words.slice(blank.length));
      part.dataset.e = item.index;
      part.title = countsOf(item);
      part.addEventListener("click", () => choose(item));
      return blank ? [blank, part] : part;
    });
    return element("span", "code", ...parts.flat());
  }

  function stateOf(starting, inLine) {
    if (starting.length === 0) return "";
    if (starting.every(({ isNever }) => isNever)) return "never";
    const isGap = ({ isNever, action }) => isNever || action !== undefined;
    return inLine.some(isGap) ? "partly" : "reached";
  }

  function rowOf(file, line, text, inLine, costMax) {
    const starting = inLine.filter(({ place }) => place.start.line === line);
    const first = starting.find(({ kind }) => kind === "expression");
    const cell = (name, count) => element("span", name, count === undefined || count === null ? "" : number(count));
    const row = element("div", `row ${stateOf(starting, inLine)}`, element("span", "number", String(line)),
      cell("evaluated", first?.evaluated), cell("true", first?.true), cell("cost", first?.cost), codeOf(inLine, line, text));
    if (first?.cost) row.querySelector(".cost").style.setProperty("--share", `${(100 * first.cost) / costMax}%`);
    row.id = lineId(file, line);
    if (starting.length > 0) rows.push({ row, starting, text: text.toLowerCase() });
    else row.dataset.plain = "";
    return row;
  }

  function listingOf({ file, text }) {
    const mine = items.filter(({ place }) => place.file === file);
    const costMax = Math.max(1, ...mine.map(({ cost }) => cost ?? 0));
    const byLine = new Map();
    const lineMax = text.split("\n").length;
    for (const item of mine) {
      for (let line = item.place.start.line; line <= Math.min(item.place.end.line, lineMax); line += 1) {
        if (!byLine.has(line)) byLine.set(line, []);
        byLine.get(line).push(item);
      }
    }
    const names = ["", "evaluated", "true", "cost", ""].map((name, index) =>
      element("span", ["number", "evaluated", "true", "cost", "code"][index], name));
    const lines = text.replace(/\n$/, "").split("\n").map((words, index) =>
      rowOf(file, index + 1, words.replace(/\r$/, ""), byLine.get(index + 1) ?? [], costMax));
    const never = mine.filter(({ kind, isNever }) => kind === "expression" && isNever).length;
    const all = mine.filter(({ kind }) => kind === "expression").length;
    const numbers = all === 0 ? "nothing of it is counted" : `${number(all - never)} of ${number(all)} expressions evaluated`;
    return [element("h2", "file", file, element("span", "numbers", numbers)),
      element("div", "listing", element("div", "row head", ...names), ...lines)];
  }

  function showSource() {
    rows = [];
    at("source").replaceChildren(...sources.flatMap(listingOf));
  }

  function fact(list, name, value) {
    list.append(element("dt", "", name), element("dd", "", value));
  }

  function showDetail(item) {
    const list = element("dl", "");
    at("around").replaceChildren();
    at("detail").classList.toggle("nothing", item === null);
    if (item === null) {
      at("detail-title").textContent = "Counts";
      at("counts").replaceChildren(element("p", "keys", "Choose an expression in the source, an action, or a gap."));
      return;
    }
    at("detail-title").textContent = item.action ? `Action ${item.action}` : item.definition ?? item.kind;
    fact(list, "place", placeOf(item.place));
    const action = shown.view.actions.find(({ place }) => isSame(place, item.place));
    if (action) {
      for (const [name, key] of [["tried", "tried"], ["possible", "possible"], ["states made", "generated"]]) {
        fact(list, name, number(action[key]));
      }
    }
    if (item.kind === "expression") {
      fact(list, "evaluated", number(item.evaluated));
      if (item.true !== null) {
        const share = item.evaluated ? ` (${((100 * item.true) / item.evaluated).toFixed(1)} %)` : "";
        fact(list, "true", number(item.true) + share);
      }
      fact(list, "cost", number(item.cost));
      if (item.evaluated) fact(list, "cost, each time", (item.cost / item.evaluated).toFixed(1));
    } else if (!item.action) fact(list, "taken", number(item.evaluated));
    for (const branch of shown.view.branches.filter(({ place, kind }) => kind !== "action" && isSame(place, item.place))) {
      fact(list, `${branch.kind}, taken`, number(branch.taken));
    }
    at("counts").replaceChildren(list, element("div", "text", textOf(item.place)));
    showAround(item);
  }

  function showAround(item) {
    const around = [];
    for (let outer = item.parent; outer !== null; outer = items[outer].parent) around.push(items[outer]);
    if (around.length > 0) at("around").append(element("h2", "", "Inside of"));
    for (const outer of around) {
      const button = element("button", "", shortText(outer.place, 50), element("div", "numbers", countsOf(outer)));
      button.type = "button";
      button.addEventListener("click", () => choose(outer));
      at("around").append(button);
    }
  }

  function choose(item, isRevealed = true) {
    for (const old of document.querySelectorAll(".code .chosen, .row.at")) old.classList.remove("chosen", "at");
    shown.item = item;
    shown.gap = gaps.indexOf(item);
    for (const [index, entry] of [...at("gaps").children].entries()) entry.classList.toggle("chosen", index === shown.gap);
    showDetail(item);
    if (item === null) return;
    for (const part of document.querySelectorAll(".code [data-e]")) {
      const inner = items[part.dataset.e];
      if (contains(item.place, inner.place)) part.classList.add("chosen");
    }
    const row = at(lineId(item.place.file, item.place.start.line));
    row?.classList.add("at");
    shown.row = rows.findIndex((candidate) => candidate.row === row);
    if (isRevealed && row) row.scrollIntoView({ block: "nearest" });
    if (shown.gap >= 0) reveal(at("lists"), at("gaps").children[shown.gap]);
  }

  const chooseGap = (index) => gaps.length > 0 && choose(gaps[(index + gaps.length) % gaps.length]);

  function moveGap(direction) {
    if (shown.gap >= 0 || shown.item === null) return chooseGap(shown.gap < 0 && direction < 0 ? -1 : shown.gap + direction);
    const isPast = (item) => direction * (item.index - shown.item.index) > 0;
    const found = direction > 0 ? gaps.findIndex(isPast) : gaps.findLastIndex(isPast);
    chooseGap(found < 0 ? (direction > 0 ? 0 : -1) : found);
  }

  function chooseAction(action) {
    const item = items.find(({ place }) => isSame(place, action.place)) ??
      items.find(({ place }) => contains(action.place, place));
    if (item) choose(item);
    else at(lineId(action.place.file, action.place.start.line))?.scrollIntoView({ block: "nearest" });
    at("source").focus({ preventScroll: true });
  }

  function moveRow(direction) {
    const from = shown.row === null || shown.row < 0 ? (direction > 0 ? -1 : rows.length) : shown.row;
    const next = rows[from + direction];
    if (next) choose(next.starting[0]);
  }

  function nextOnRow() {
    const starting = rows[shown.row]?.starting;
    if (starting) choose(starting[(starting.indexOf(shown.item) + 1) % starting.length]);
  }

  function outwards() {
    if (shown.item !== null && shown.item.parent !== null) choose(items[shown.item.parent]);
  }

  function find() {
    const wanted = at("find").value.toLowerCase();
    let count = 0, first = null;
    for (const row of document.querySelectorAll(".listing .row:not(.head)")) {
      const isFound = wanted !== "" && row.querySelector(".code").textContent.toLowerCase().includes(wanted);
      row.classList.toggle("found", isFound);
      if (isFound) first ??= row;
      count += isFound ? 1 : 0;
    }
    at("shown").textContent = wanted === "" ? "" : `${count} lines`;
    first?.scrollIntoView({ block: "center" });
  }

  function clear() {
    at("find").value = "";
    find();
    choose(null);
    at("source").focus({ preventScroll: true });
  }

  function show(view) {
    Object.assign(shown, { view, item: null, gap: -1, row: null });
    collect();
    showSummary();
    showActions();
    showGaps();
    showSource();
    showDetail(null);
    find();
  }

  at("headline").textContent = `Coverage of ${about.spec}`;
  at("about").textContent = about.origin;
  at("ending").textContent = about.ending;
  at("ending").classList.toggle("cut", !about.is_complete);
  at("view-label").hidden = views.length < 2;
  views.forEach(({ title }, index) => at("view").append(new Option(title, String(index))));
  at("view").addEventListener("input", () => show(views[Number(at("view").value)]));
  at("find").addEventListener("input", find);
  at("next").addEventListener("click", () => moveGap(1));
  at("previous").addEventListener("click", () => moveGap(-1));
  for (const button of at("actions").querySelectorAll("th button")) {
    button.addEventListener("click", () => {
      const { by } = button.dataset;
      shown.descending = shown.sort === by ? !shown.descending : by !== "name";
      shown.sort = by;
      showActions();
    });
  }
  onKeys({
    n: () => moveGap(1), p: () => moveGap(-1), j: () => moveRow(1), ArrowDown: () => moveRow(1),
    k: () => moveRow(-1), ArrowUp: () => moveRow(-1), Enter: () => nextOnRow(), u: outwards,
    a: () => at("actions").querySelector("tbody a")?.focus(), "/": () => at("find").focus(),
  }, clear);
  show(views[0]);
})();
