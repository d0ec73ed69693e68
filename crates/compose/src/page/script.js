(function () {
  const page = data();
  const add = (parent, name, text, kind) => {
    const made = document.createElement(name);
    if (text) made.textContent = text;
    if (kind) made.className = kind;
    parent.appendChild(made);
    return made;
  };
  document.getElementById("headline").textContent = page.title;
  for (const line of page.about) add(document.getElementById("about"), "p", line);
  const cell = (row, step, kind) => {
    const made = add(row, "td", null, kind);
    if (!step) return made;
    for (const hidden of step.hidden) add(made, "div", "(" + hidden + ")", "hidden");
    add(made, "div", step.step);
    return made;
  };
  const main = document.getElementById("differences");
  for (const one of page.differences) {
    const section = add(main, "section");
    const can = one.can === "fine" ? page.fine : page.coarse;
    const cannot = one.can === "fine" ? page.coarse : page.fine;
    add(section, "h2", can + " can take " + one.actions.join(" or ") + " here, " + cannot + " cannot");
    if (one.accepted) add(section, "p", "accepted: " + one.accepted, "accepted");
    const table = add(section, "table");
    const head = add(table, "tr");
    for (const title of ["what the target sees", page.fine, page.coarse]) add(head, "th", title);
    one.rows.forEach((row, at) => {
      const line = add(table, "tr");
      add(line, "td", row.changes.join("\n")).style.whiteSpace = "pre-wrap";
      const isLast = at === one.rows.length - 1;
      for (const side of ["fine", "coarse"]) {
        const isStuck = isLast && side !== one.can;
        const made = cell(line, isStuck ? null : row[side], isStuck ? "cannot" : null);
        if (isStuck) {
          add(made, "div", "cannot");
          for (const other of one.instead) add(made, "div", "can " + other.action + ": " + other.changed.join(", "), "hidden");
        }
      }
    });
  }
})();
