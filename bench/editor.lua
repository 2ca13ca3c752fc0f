-- Neovim as an editor of a project: it starts the server, types, and notes when each finding is at its line.
local node, cli, folder, results = unpack(vim.split(vim.env.MONGOLINT_BENCH_EDITOR, '\n'))
local LONGEST = 600000
local clock = function() return vim.loop.hrtime() / 1e6 end
local config = {
  name = 'mongolint',
  cmd = { node, cli, 'lsp', 'shop.evidence.jsonl.gz', '--code', 'src' },
  root_dir = folder,
}

vim.cmd('cd ' .. folder)
local started = clock()
vim.cmd('edit src/first.ts')
if vim.lsp.start then
  vim.lsp.start(config)
else
  vim.lsp.buf_attach_client(0, vim.lsp.start_client(config))
end

-- The milliseconds until a finding of a check is at a line, from 0.
local function shown(check, line, since)
  local function isThere()
    for _, each in ipairs(vim.diagnostic.get(0, { lnum = line })) do
      if each.code == check or (each.user_data or {}).lsp and each.user_data.lsp.code == check then return true end
    end
    return false
  end
  if not vim.wait(LONGEST, isThere, 5) then error('no ' .. check .. ' at line ' .. line) end
  return clock() - since
end

local function asked(method, extra)
  local params = vim.tbl_extend('force', vim.lsp.util.make_position_params(0, 'utf-16'), extra or {})
  for _, answer in pairs(vim.lsp.buf_request_sync(0, method, params, LONGEST)) do return answer.result end
end

local report = { start = shown('unindexed-query', 3, started), changes = {} }
for number = 1, tonumber(vim.env.MONGOLINT_BENCH_CHANGES) do
  local last = vim.api.nvim_buf_line_count(0)
  local since = clock()
  vim.api.nvim_buf_set_lines(0, last, last, false, {
    'export function changed' .. number .. '(value: string) {',
    '  return orders.find({ field' .. number .. ': value }).toArray();',
    '}',
  })
  table.insert(report.changes, shown('unindexed-query', last + 1, since))
end

vim.api.nvim_win_set_cursor(0, { 4, 10 })
report.hover = asked('textDocument/hover').contents.value
local line = { line = 3, character = 0 }
report.actions = vim.tbl_map(
  function(action) return action.title end,
  asked('textDocument/codeAction', { range = { start = line, ['end'] = line }, context = { diagnostics = {} } })
)

-- A text that does not parse takes no finding away; the file behind it is the one that is read next.
local before = #vim.diagnostic.get(0)
vim.api.nvim_buf_set_lines(0, 0, 0, false, { 'const = {{' })
vim.wait(2000)
report.whileBroken = #vim.diagnostic.get(0) == before

vim.fn.writefile({ vim.fn.json_encode(report) }, results)
vim.lsp.stop_client(vim.lsp.get_active_clients())
vim.wait(5000, function() return #vim.lsp.get_active_clients() == 0 end)
vim.cmd('qall!')
