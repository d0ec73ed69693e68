"use strict";
// What the scripts of all pages share. All that is shown is made as text nodes: no data is ever parsed as markup.
const at = (id) => document.getElementById(id);
const data = () => JSON.parse(at("data").textContent);

function element(tag, classes, ...children) {
  const made = document.createElement(tag);
  if (classes) made.className = classes;
  made.append(...children);
  return made;
}

// Words of ours, in which names stand between backquotes.
const marked = (text) => text.split("`").map((part, index) => (index % 2 === 1 ? element("code", "", part) : part));

function drawn(tag, attributes, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

// Moves what is inside a part of the page, never the page: that would take the rest out of sight.
function reveal(part, inner, margin = 26) {
  const [outside, inside] = [part.getBoundingClientRect(), inner.getBoundingClientRect()];
  if (inside.top < outside.top) part.scrollTop -= outside.top - inside.top + margin;
  if (inside.bottom > outside.bottom) part.scrollTop += inside.bottom - outside.bottom + margin;
}

// Calls what `keys` has for a key, unless somebody types or presses a button; `escape` in any case.
function onKeys(keys, escape) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") return escape();
    const { tagName } = event.target;
    const isTyping = ["INPUT", "SELECT"].includes(tagName);
    const isPressing = event.key === "Enter" && ["A", "BUTTON"].includes(tagName);
    const action = isTyping || isPressing ? undefined : keys[event.key];
    if (action) {
      event.preventDefault();
      action();
    }
  });
}

