"use strict";

const assert = require("node:assert");
const test = require("node:test");
const { pagesOf, traceCommand, modelOf } = require("../panels");
const manifest = require("../package.json");

test("the pages of an answer are those that were written", () => {
  assert.deepStrictEqual(pagesOf(null), []);
  assert.deepStrictEqual(pagesOf({ verdict: "holds", trace_page: null, coverage_page: "c.html" }), [
    { kind: "coverage", title: "Coverage", file: "c.html" },
  ]);
  const pages = pagesOf({ verdict: "violated", property: "Safe", trace_page: "t.html", coverage_page: null });
  assert.deepStrictEqual(pages, [{ kind: "trace", title: "Trace: Safe", file: "t.html" }]);
});

test("a model is a module with the configuration of its name", () => {
  const all = () => true;
  const none = () => false;
  assert.deepStrictEqual(modelOf("file:///a/M.tla", all), { module: "file:///a/M.tla", config: "file:///a/M.cfg" });
  assert.deepStrictEqual(modelOf("file:///a/M.tla", none), { module: "file:///a/M.tla" });
  assert.deepStrictEqual(modelOf("file:///a/M.cfg", none), { module: "file:///a/M.tla", config: "file:///a/M.cfg" });
});

test("a trace file becomes a page in a folder of its own", () => {
  const { args, page } = traceCommand("runs/found.itf.json", "pages");
  assert.deepStrictEqual(args, ["trace", "html", "runs/found.itf.json", "--out", page]);
});

test("no command of the extension is one that the server registers", () => {
  const own = manifest.contributes.commands.map((command) => command.command);
  assert.ok(!own.includes("specline.check") && !own.includes("specline.translate"));
});

test("the languages are those of the other extension for TLA+, so that both serve the same files", () => {
  assert.deepStrictEqual(manifest.contributes.languages.map((language) => language.id), ["tlaplus", "tlaplus_cfg"]);
});
