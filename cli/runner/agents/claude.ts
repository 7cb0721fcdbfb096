/** Claude Code. Its session, cost and refusals are in the last event; an exit code of 0 says nothing. */
import { join } from 'node:path';
import type { RunUsage } from '../../../contracts/work/runs.ts';
import type { Agent } from './agent.ts';
import { at, countAt, readerOf, type Json } from './reading.ts';
import { takeStreamJson } from './stream-json.ts';

export const claude: Agent = {
  name: 'claude',
  title: 'Claude Code',
  command: 'claude',
  install: 'npm install --global @anthropic-ai/claude-code',
  resumes: true,
  named: true,
  launch({ prompt, sessionId, resume, folder, mcp, model, budgetUsd, extra }) {
    const file = join(folder, 'mcp.json');
    return {
      command: 'claude',
      args: [
        '--print',
        '--output-format',
        'stream-json',
        '--verbose',
        ...(resume === null ? ['--session-id', sessionId] : ['--resume', resume]),
        ...(mcp ? ['--mcp-config', file, '--strict-mcp-config'] : []),
        // Nobody is there to be asked. Bypassing all permissions would refuse to run as root.
        '--permission-mode',
        'acceptEdits',
        '--allowedTools',
        'Bash,Read,Edit,Write,NotebookEdit,WebFetch,WebSearch,mcp__signalbox',
        '--disallowedTools',
        'AskUserQuestion',
        ...(model === null ? [] : ['--model', model]),
        ...(budgetUsd === null ? [] : ['--max-budget-usd', String(budgetUsd)]),
        ...extra,
      ],
      env: { DISABLE_AUTOUPDATER: '1' },
      files: mcp ? [{ path: file, content: JSON.stringify({ mcpServers: { signalbox: { type: 'http', ...mcp } } }) }] : [],
      stdin: prompt,
    };
  },
  reader: (former) => readerOf((event, state) => takeStreamJson(event, state, (result) => usageOf(result, former?.cost_usd ?? 0))),
};

/** @param spent its price is that of the whole session, its tokens are those of this run */
function usageOf(result: Json, spent: number): RunUsage {
  const cached = countAt(result, 'usage', 'cache_read_input_tokens');
  const cost = at(result, 'total_cost_usd');
  return {
    input_tokens: countAt(result, 'usage', 'input_tokens') + countAt(result, 'usage', 'cache_creation_input_tokens') + cached,
    output_tokens: countAt(result, 'usage', 'output_tokens'),
    cached_tokens: cached,
    cost_usd: typeof cost === 'number' ? Math.max(0, cost - spent) : null,
  };
}
