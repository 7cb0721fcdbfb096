/** Codex. Its sandbox lets it write into the worktree alone, so it cannot commit, and gives its shell no network. */
import type { AgentEvent, RunUsage } from '../../../contracts/work/runs.ts';
import type { Agent } from './agent.ts';
import { at, countAt, listAt, readerOf, shown, textAt, usageEvent, type Json, type State } from './reading.ts';

export const codex: Agent = {
  name: 'codex',
  title: 'Codex',
  command: 'codex',
  install: 'npm install --global @openai/codex',
  resumes: true,
  named: false,
  launch({ prompt, resume, mcp, model, extra }) {
    // Values of headers stay out of the arguments: Codex reads them from these variables.
    const headers = Object.entries(mcp?.headers ?? {}).map(([name, value]) => ({
      name,
      value,
      variable: `SIGNALBOX_MCP_${name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}`,
    }));
    const inline = headers.map(({ name, variable }) => `${JSON.stringify(name)} = ${JSON.stringify(variable)}`).join(', ');
    const settings = [
      'approval_policy="never"',
      // As a setting, because `resume` has no flag for it.
      'sandbox_mode="workspace-write"',
      ...(mcp ? [`mcp_servers.signalbox.url=${JSON.stringify(mcp.url)}`, `mcp_servers.signalbox.env_http_headers={ ${inline} }`] : []),
    ];
    return {
      command: 'codex',
      args: [
        'exec',
        ...(resume === null ? [] : ['resume']),
        '--json',
        ...settings.flatMap((setting) => ['-c', setting]),
        ...(model === null ? [] : ['--model', model]),
        ...extra,
        ...(resume === null ? [] : [resume]),
        '-',
      ],
      env: Object.fromEntries(headers.map(({ variable, value }) => [variable, value])),
      files: [],
      stdin: prompt,
    };
  },
  reader: (former) => readerOf((event, state) => take(event, state, former ?? nothing)),
};

const nothing: RunUsage = { input_tokens: 0, output_tokens: 0, cached_tokens: 0, cost_usd: null };

function take(event: Json, state: State, former: RunUsage): AgentEvent[] {
  switch (event['type']) {
    case 'thread.started':
      state.sessionId = textAt(event, 'thread_id') || null;
      return [];
    case 'turn.started':
      state.finished = false;
      return [];
    case 'item.started':
      return begun(event);
    case 'item.completed':
      return completed(event, state);
    case 'turn.completed':
      state.finished = true;
      state.usage = {
        input_tokens: less(countAt(event, 'usage', 'input_tokens'), former.input_tokens),
        output_tokens: less(countAt(event, 'usage', 'output_tokens'), former.output_tokens),
        cached_tokens: less(countAt(event, 'usage', 'cached_input_tokens'), former.cached_tokens),
        cost_usd: null,
      };
      return [usageEvent(state.usage)];
    case 'turn.failed':
      state.failure = textAt(event, 'error', 'message') || 'The turn failed.';
      return [shown('notice', state.failure)];
    case 'error': {
      const message = textAt(event, 'message');
      if (/unexpected status 40[13]\b/.test(message)) state.keyRefused += 1;
      return [shown('notice', message)];
    }
    default:
      return [];
  }
}

const less = (count: number, former: number): number => Math.max(0, count - former);

function begun(event: Json): AgentEvent[] {
  const item = at(event, 'item');
  if (at(item, 'type') === 'command_execution') return [shown('tool', `shell ${textAt(item, 'command')}`, { tool: 'shell' })];
  if (at(item, 'type') !== 'mcp_tool_call') return [];
  const tool = `${textAt(item, 'server')}.${textAt(item, 'tool')}`;
  return [shown('tool', `${tool} ${textAt(item, 'arguments')}`, { tool })];
}

function completed(event: Json, state: State): AgentEvent[] {
  const item = at(event, 'item');
  switch (at(item, 'type')) {
    case 'agent_message':
      state.text = textAt(item, 'text');
      return [shown('text', state.text)];
    case 'command_execution':
      return [shown('tool_result', textAt(item, 'aggregated_output'), { exit_code: at(item, 'exit_code') })];
    case 'mcp_tool_call': {
      const error = textAt(item, 'error', 'message');
      const content = listAt(item, 'result', 'content').map((part) => textAt(part, 'text'));
      return [shown('tool_result', error || content.join('\n'), error ? { error: true } : {})];
    }
    case 'file_change':
      return listAt(item, 'changes').map((change) => shown('file', textAt(change, 'path'), { path: textAt(change, 'path') }));
    case 'error':
      return [shown('notice', textAt(item, 'message'))];
    default:
      return [];
  }
}
