// Pages that the program wrote, shown in panels: one for traces and one for coverage, used again.
"use strict";

const path = require("path");

/** The pages in the answer to a check: `{ kind, title, file }` for each that there is. */
function pagesOf(answer) {
  const pages = [];
  if (answer && answer.trace_page) {
    pages.push({ kind: "trace", title: `Trace: ${answer.property || answer.verdict}`, file: answer.trace_page });
  }
  if (answer && answer.coverage_page) {
    pages.push({ kind: "coverage", title: "Coverage", file: answer.coverage_page });
  }
  return pages;
}

/** The command line that makes a page of a trace file: the page is beside it, or in `folder`. */
function traceCommand(trace, folder) {
  const page = path.join(folder, `${path.basename(trace)}.html`);
  return { args: ["trace", "html", trace, "--out", page], page };
}

/** The model that a file belongs to: what `specline.check` takes. A configuration is for the module it is named after. */
function modelOf(uri, exists) {
  const other = (ending) => uri.replace(/\.[^./]*$/, ending);
  if (uri.endsWith(".cfg")) {
    return { module: other(".tla"), config: uri };
  }
  return exists(other(".cfg")) ? { module: uri, config: other(".cfg") } : { module: uri };
}

module.exports = { pagesOf, traceCommand, modelOf };
