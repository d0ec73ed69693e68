-- Drives Neovim's own client: starts the server on the open module, and prints what the editor knows afterwards.
local function say(text)
  io.stdout:write(text .. "\n")
end

local client = vim.lsp.start_client({
  name = "specline",
  cmd = { os.getenv("SPECLINE"), "lsp" },
  root_dir = os.getenv("SPECLINE_FOLDER"),
})
vim.lsp.buf_attach_client(0, client)

local has_messages = vim.wait(60000, function()
  return #vim.diagnostic.get(0) > 0
end, 20)
if not has_messages then
  say("no messages")
  vim.cmd("cquit 1")
end
local first = vim.diagnostic.get(0)[1].message:gsub("\n.*", "")
say("message: " .. first)

-- The `Init` of `Spec == Init /\ ...`.
vim.api.nvim_win_set_cursor(0, { 9, 8 })
local function ask(method)
  local answers = vim.lsp.buf_request_sync(0, method, vim.lsp.util.make_position_params(), 60000)
  return answers[client].result
end
say("definition: line " .. ask("textDocument/definition").range.start.line + 1)
say("hover: " .. ask("textDocument/hover").contents.value:match("Init == m = 0"))

local before = vim.api.nvim_buf_get_lines(0, 0, -1, false)
vim.api.nvim_buf_set_lines(0, 6, 7, false, { "Init   ==   n=0" })
vim.wait(60000, function()
  return #vim.diagnostic.get(0) == 0
end, 20)
local options = { tabSize = 2, insertSpaces = true }
local edits = vim.lsp.buf_request_sync(0, "textDocument/formatting",
  { textDocument = vim.lsp.util.make_text_document_params(), options = options }, 60000)
vim.lsp.util.apply_text_edits(edits[client].result, 0, "utf-16")
local after = vim.api.nvim_buf_get_lines(0, 6, 7, false)[1]
say("formatted: " .. tostring(#before > 0 and after == "Init == n = 0"))
vim.cmd("qall!")
