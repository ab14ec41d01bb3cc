-- Run by Neovim without a screen: diagnostics come, a fix-it is carried out, and they go.
-- $SERVER is the server, $FOLDER holds schedule.mlir and its payload.mlir.

local function fail(message)
  io.stderr:write("neovim_test: " .. message .. "\n")
  vim.cmd("cquit")
end

local function wait(what, done)
  if not vim.wait(20000, done, 20) then
    fail("no " .. what)
  end
end

vim.g.formwork_server = { os.getenv("SERVER") }
vim.cmd("source " .. os.getenv("PLUGIN"))
vim.cmd("edit " .. os.getenv("FOLDER") .. "/schedule.mlir")

local function get(id)
  return vim.tbl_filter(function(found)
    return found.code == id
  end, vim.diagnostic.get(0))
end

wait("missing form", function()
  return #get("fw-missing-form") == 2
end)
local place = get("fw-missing-form")[1]
if not place.message:find("\nline %d+: ") then
  fail("the message has no other places: " .. place.message)
end
local shown
for space = 1, vim.api.nvim_create_namespace("") do
  for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(0, space, 0, -1, { details = true })) do
    for _, part in ipairs(mark[4].virt_text or {}) do
      shown = part[1]:find("[fw-missing-form]", 1, true) and part[1] or shown
    end
  end
end
if not shown or shown:find("line %d+: ") then
  fail("behind the line stands " .. tostring(shown))
end

-- The action at that line, as vim.lsp.buf.code_action finds and applies it.
vim.api.nvim_win_set_cursor(0, { place.lnum + 1, place.col })
local context = { diagnostics = vim.lsp.diagnostic.get_line_diagnostics() }
local function find_actions()
  local parameters = vim.lsp.util.make_range_params()
  parameters.context = context
  local answers = vim.lsp.buf_request_sync(0, "textDocument/codeAction", parameters, 10000)
  for _, answer in pairs(answers or {}) do
    return answer.result or {}
  end
  return {}
end
local actions
wait("action", function()
  actions = find_actions()
  return #actions == 2
end)
if not actions[1].title:find("insert 'transform.normalform.normalize", 1, true) then
  fail("the action is " .. actions[1].title)
end
vim.lsp.util.apply_workspace_edit(actions[1].edit, "utf-16")
wait("end of the first diagnostic", function()
  return #get("fw-missing-form") == 1
end)

-- All others at once.
place = get("fw-missing-form")[1]
vim.api.nvim_win_set_cursor(0, { place.lnum + 1, place.col })
wait("action for all", function()
  actions = find_actions()
  return #actions == 2
end)
vim.lsp.util.apply_workspace_edit(actions[2].edit, "utf-16")
wait("end of all diagnostics", function()
  return #vim.diagnostic.get(0) == 0
end)

-- A line that is typed is seen, and its end, too.
vim.api.nvim_buf_set_lines(0, 3, 3, false, { "  what" })
wait("error of the parser", function()
  local all = vim.diagnostic.get(0)
  return #all == 1 and all[1].lnum == 3 and all[1].severity == vim.diagnostic.severity.ERROR
end)
vim.api.nvim_buf_set_lines(0, 3, 4, false, {})
wait("end of the error", function()
  return #vim.diagnostic.get(0) == 0
end)
print("neovim_test: passed\n")
vim.cmd("qall!")
