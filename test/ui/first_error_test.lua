-- Run by Neovim with the settings and the files of docs/editor.md: carries out the commands that
-- stand there.

local function fail(message)
  io.stderr:write("first_error_test: " .. message .. "\n")
  vim.cmd("cquit")
end

local begun = vim.loop.hrtime()
if not vim.wait(20000, function()
  return #vim.diagnostic.get(0) == 1
end, 5) then
  fail("no error")
end
local shown = (vim.loop.hrtime() - begun) / 1e6
local found = vim.diagnostic.get(0)[1]
if found.lnum ~= 4 or found.message:match("^[^\n]*") ~= "requires a valid handle but %relu is invalidated" then
  fail("the error is " .. vim.inspect(found))
end

vim.cmd("lua vim.diagnostic.goto_next()")
if vim.api.nvim_win_get_cursor(0)[1] ~= 5 then
  fail("the cursor is elsewhere")
end
for _, part in ipairs({ "line 3: handle %relu is set here", "consumes this handle", "line 5: fix-it: " }) do
  if not found.message:find(part, 1, true) then
    fail("'" .. part .. "' is not said")
  end
end

-- The answer to the list.
vim.ui.select = function(items, _, choose)
  choose(items[1], 1)
end
vim.cmd("lua vim.lsp.buf.code_action()")
if not vim.wait(20000, function()
  return #vim.diagnostic.get(0) == 0
end, 5) then
  fail("the error stays")
end
local line = vim.api.nvim_buf_get_lines(0, 4, 5, true)[1]
if not line:find("tile_using_for %tile tile_sizes [0, 64]", 1, true) then
  fail("the line is " .. line)
end
print(string.format("first_error_test: passed; the error is shown after %.0f ms\n", shown))
vim.cmd("qall!")
