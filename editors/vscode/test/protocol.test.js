// The server through the library that Visual Studio Code's client is made of. `SPECLINE` is the program.
"use strict";

const assert = require("node:assert");
const { spawn } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const test = require("node:test");
const { pathToFileURL } = require("node:url");
const protocol = require("vscode-languageserver-protocol/node");
const { pagesOf } = require("../panels");

const MODULE = `---- MODULE Counter ----
EXTENDS Naturals
VARIABLE n
Init == n = 0
Next == n < 3 /\\ n' = n + 1
Small == n < 2
====
`;
const CONFIG = "INIT Init\nNEXT Next\nINVARIANT Small\nCHECK_DEADLOCK FALSE\n";

test("a session as the extension has it", { timeout: 120_000 }, async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "specline-test-"));
  const file = (name, text) => {
    fs.writeFileSync(path.join(folder, name), text);
    return pathToFileURL(path.join(folder, name)).toString();
  };
  const module = file("Counter.tla", MODULE);
  const config = file("Counter.cfg", CONFIG);
  const child = spawn(process.env.SPECLINE || "specline", ["lsp"], { stdio: ["pipe", "pipe", "inherit"] });
  const connection = protocol.createProtocolConnection(child.stdout, child.stdin, console);
  const diagnosed = new Promise((resolve) => {
    connection.onNotification(protocol.PublishDiagnosticsNotification.type, (about) => {
      if (about.uri === module) resolve(about.diagnostics);
    });
  });
  connection.listen();
  const initialized = await connection.sendRequest(protocol.InitializeRequest.type, {
    processId: process.pid,
    rootUri: pathToFileURL(folder).toString(),
    capabilities: {},
  });
  assert.strictEqual(initialized.capabilities.positionEncoding, "utf-16");
  await connection.sendNotification(protocol.InitializedNotification.type, {});
  await connection.sendNotification(protocol.DidOpenTextDocumentNotification.type, {
    textDocument: { uri: module, languageId: "tlaplus", version: 1, text: MODULE },
  });
  assert.deepStrictEqual(await diagnosed, []);
  const lenses = await connection.sendRequest(protocol.CodeLensRequest.type, { textDocument: { uri: module } });
  const lens = lenses.find((lens) => lens.range.start.line === 5);
  assert.strictEqual(lens.command.title, "▶ check Counter.cfg");
  assert.deepStrictEqual(lens.command.arguments, [{ module, config }]);
  const answer = await connection.sendRequest(protocol.ExecuteCommandRequest.type, lens.command);
  assert.strictEqual(answer.verdict, "violated");
  for (const page of pagesOf(answer)) {
    const html = fs.readFileSync(page.file, "utf8");
    assert.ok(html.includes("<html"), page.kind);
    assert.ok(!/(src|href)="https?:/.test(html), `${page.kind} needs no network`);
  }
  assert.deepStrictEqual(pagesOf(answer).map((page) => page.kind), ["trace", "coverage"]);
  await connection.sendRequest(protocol.ShutdownRequest.type);
  await connection.sendNotification(protocol.ExitNotification.type);
  const code = await new Promise((resolve) => child.on("exit", resolve));
  assert.strictEqual(code, 0);
  assert.ok(!fs.existsSync(pagesOf(answer)[0].file), "pages go with the session");
});
