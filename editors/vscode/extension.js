// Starts `specline lsp`, and shows what checks of models write. Everything else is the server's.
"use strict";

const { execFile } = require("child_process");
const fs = require("fs");
const os = require("os");
const path = require("path");
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");
const { pagesOf, traceCommand, modelOf } = require("./panels");

let client;
/** The newest page of each kind, and the panel that shows it. */
const pages = new Map();
const panels = new Map();

function settings() {
  return vscode.workspace.getConfiguration("specline");
}

async function activate(context) {
  const register = (name, run) => context.subscriptions.push(vscode.commands.registerCommand(name, run));
  register("specline.checkFile", checkFile);
  register("specline.translateFile", () => onFile((uri) => run("specline.translate", { module: uri })));
  register("specline.showTrace", () => show("trace"));
  register("specline.showCoverage", () => show("coverage"));
  register("specline.openTrace", openTrace);
  register("specline.restart", async () => {
    await stop();
    await start();
  });
  await start();
}

async function start() {
  const command = settings().get("path");
  const server = { command, args: ["lsp"] };
  client = new LanguageClient("specline", "Specline", server, {
    documentSelector: [{ language: "tlaplus" }, { language: "tlaplus_cfg" }],
    initializationOptions: { libraries: settings().get("libraries") },
    middleware: {
      // Lenses run this. Files are saved first, since a check reads them; its pages are kept for the panels.
      executeCommand: async (name, args, next) => {
        if (name === "specline.check") {
          await vscode.workspace.saveAll(false);
        }
        const answer = await next(name, args);
        if (name === "specline.check") {
          keep(answer);
        }
        return answer;
      },
    },
  });
  try {
    await client.start();
  } catch (error) {
    vscode.window.showErrorMessage(
      `Specline: \`${command} lsp\` cannot be started (${error.message}). Install it, or set \`specline.path\`.`,
    );
  }
}

async function stop() {
  if (client && client.isRunning()) {
    await client.stop();
  }
}

async function onFile(body) {
  const editor = vscode.window.activeTextEditor;
  if (editor) {
    await body(editor.document.uri.toString());
  }
}

async function checkFile() {
  const exists = (uri) => fs.existsSync(vscode.Uri.parse(uri).fsPath);
  await onFile((uri) => run("specline.check", modelOf(uri, exists)));
}

/** Runs a command of the server, as lenses do. */
async function run(name, argument) {
  await vscode.commands.executeCommand(name, argument);
}

function keep(answer) {
  for (const page of pagesOf(answer)) {
    pages.set(page.kind, page);
    if (page.kind === "trace" || panels.has(page.kind)) {
      show(page.kind);
    }
  }
}

function show(kind) {
  const page = pages.get(kind);
  if (!page) {
    vscode.window.showInformationMessage(`Specline: there is no ${kind} yet. Check a model first.`);
    return;
  }
  let panel = panels.get(kind);
  if (!panel) {
    panel = vscode.window.createWebviewPanel(`specline.${kind}`, page.title, vscode.ViewColumn.Beside, {
      enableScripts: true,
      enableFindWidget: true,
      retainContextWhenHidden: true,
    });
    panel.onDidDispose(() => panels.delete(kind));
    panels.set(kind, panel);
  }
  panel.title = page.title;
  // A page is one file that needs no network.
  panel.webview.html = fs.readFileSync(page.file, "utf8");
  panel.reveal(undefined, true);
}

async function openTrace() {
  const chosen = await vscode.window.showOpenDialog({ filters: { Traces: ["json"] }, openLabel: "Show the trace" });
  if (!chosen || chosen.length === 0) {
    return;
  }
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "specline-trace-"));
  const { args, page } = traceCommand(chosen[0].fsPath, folder);
  execFile(settings().get("path"), args, (error, _, stderr) => {
    if (error) {
      vscode.window.showErrorMessage(`Specline: ${stderr || error.message}`);
      return;
    }
    pages.set("trace", { kind: "trace", title: path.basename(args[2]), file: page });
    show("trace");
  });
}

module.exports = { activate, deactivate: stop };
