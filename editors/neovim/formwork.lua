-- Formwork in Neovim 0.7 or later: starts formwork-lsp-server for files of MLIR.
-- Put this file into ~/.config/nvim/plugin/.
--
-- vim.g.formwork_server is the command, a list: { "/path/to/formwork-lsp-server", "--target=sm_90" }.

local client

-- Neovim does not show the other places of a diagnostic: the server puts them into its message, of
-- which the line in the text has the beginning, and the window of vim.diagnostic.open_float all.
local capabilities = vim.lsp.protocol.make_client_capabilities()
capabilities.textDocument.publishDiagnostics = { relatedInformation = false }

local function shorten(diagnostic)
  local first = diagnostic.message:match("^[^\n]*")
  return diagnostic.code and first .. " [" .. diagnostic.code .. "]" or first
end

local function start(buffer)
  local settings = {
    name = "formwork",
    cmd = vim.g.formwork_server or { "formwork-lsp-server" },
    root_dir = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(buffer), ":p:h"),
    capabilities = capabilities,
    on_exit = function()
      client = nil
    end,
  }
  -- One server for all files.
  client = client or vim.lsp.start_client(settings)
  if client then
    vim.lsp.buf_attach_client(buffer, client)
    vim.diagnostic.config({ virtual_text = { format = shorten } }, vim.lsp.diagnostic.get_namespace(client))
  end
  -- Since Neovim 0.10.
  if vim.lsp.inlay_hint then
    vim.lsp.inlay_hint.enable(true, { bufnr = buffer })
  end
end

vim.api.nvim_create_autocmd({ "BufRead", "BufNewFile" }, {
  pattern = "*.mlir",
  callback = function(event)
    vim.bo[event.buf].filetype = "mlir"
    start(event.buf)
  end,
})
