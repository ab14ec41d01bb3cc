-- Formwork in Neovim 0.7 or later: starts formwork-lsp-server for files of MLIR.
-- Put this file into ~/.config/nvim/plugin/.
--
-- vim.g.formwork_server is the command, a list: { "/path/to/formwork-lsp-server", "--target=sm_90" }.

local client

local function start(buffer)
  local settings = {
    name = "formwork",
    cmd = vim.g.formwork_server or { "formwork-lsp-server" },
    root_dir = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(buffer), ":p:h"),
    on_exit = function()
      client = nil
    end,
  }
  -- One server for all files.
  client = client or vim.lsp.start_client(settings)
  if client then
    vim.lsp.buf_attach_client(buffer, client)
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
