-- Opens a file in Neovim with the language server, waits for its findings, takes the first fix of a line, and writes down what
-- became of it: run by __tests__/lsp/neovim.test.ts. What it is asked for stands in the environment.
local function env(name)
  local value = os.getenv(name) or error(name .. ' is not set')
  return value
end
local seen = { messages = {} }

vim.lsp.handlers['window/showMessage'] = function(_, params) table.insert(seen.messages, params.message) end
local shown_version
local publish = vim.lsp.handlers['textDocument/publishDiagnostics']
vim.lsp.handlers['textDocument/publishDiagnostics'] = function(problem, params, ...)
  if params.uri == vim.uri_from_bufnr(0) then shown_version = params.version end
  return publish(problem, params, ...)
end
vim.ui.select = function(items, options, choose)
  seen.offered = vim.tbl_map(options.format_item or tostring, items)
  choose(items[1], 1)
end

local function finish()
  seen.text = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, true), '\n') .. '\n'
  seen.modified = vim.bo.modified
  local file = assert(io.open(env('RESULT'), 'w'))
  file:write(vim.fn.json_encode(seen))
  file:close()
  vim.cmd('qall!')
end

local function found()
  return vim.tbl_map(function(finding)
    return { finding.lnum + 1, finding.severity, finding.code or vim.NIL, finding.message }
  end, vim.diagnostic.get(0))
end

local function walk()
  vim.cmd('edit ' .. vim.fn.fnameescape((env('FILE'))))
  -- The settings on the page, by which a file of this type is served.
  dofile((env('SETTINGS')))
  vim.bo.filetype = 'apache'
  local client = vim.lsp.buf_get_clients(0)
  client = next(client)

  vim.wait(20000, function() return shown_version ~= nil end, 20)
  seen.before = found()

  local line = tonumber(env('LINE'))
  vim.api.nvim_win_set_cursor(0, { line, 0 })
  local hover = vim.lsp.buf_request_sync(0, 'textDocument/hover', vim.lsp.util.make_position_params(), 20000)
  for _, answer in pairs(hover or {}) do seen.hover = answer.result and answer.result.contents.value end

  local tick = vim.b.changedtick
  vim.lsp.buf.code_action()
  vim.wait(20000, function() return vim.b.changedtick ~= tick end, 20)
  -- The findings of the new text.
  local changed = vim.lsp.util.buf_versions[0] or vim.lsp.util.buf_versions[vim.api.nvim_get_current_buf()]
  vim.wait(20000, function() return (shown_version or -1) >= changed end, 20)
  seen.after = found()
  vim.lsp.stop_client(client)
  vim.wait(5000, function() return vim.lsp.client_is_stopped(client) end, 20)
  seen.stopped = vim.lsp.client_is_stopped(client)
  finish()
end

-- An error must not leave the editor waiting for somebody.
local ok, why = pcall(walk)
if not ok then
  io.stderr:write(tostring(why) .. '\n')
  vim.cmd('cquit!')
end
