/** OpenCode. Ends with exit code 0, and without an answer, after a permission was refused. */
import { join } from 'node:path';
import type { AgentEvent } from '../../../contracts/work/runs.ts';
import type { Agent } from './agent.ts';
import { at, countAt, readerOf, shown, textAt, toolCall, usageEvent, type Json, type State } from './reading.ts';

export const opencode: Agent = {
  name: 'opencode',
  title: 'OpenCode',
  command: 'opencode',
  install: 'npm install --global opencode-ai',
  resumes: true,
  named: false,
  launch({ prompt, resume, folder, mcp, model, extra }) {
    const file = join(folder, 'opencode.json');
    return {
      command: 'opencode',
      args: [
        'run',
        '--format',
        'json',
        '--auto',
        ...(resume === null ? [] : ['--session', resume]),
        ...(model === null ? [] : ['--model', model]),
        ...extra,
      ],
      // Read besides the configuration of the user and of the project. Version 2 reads this form, too.
      env: { OPENCODE_DISABLE_AUTOUPDATE: '1', ...(mcp ? { OPENCODE_CONFIG: file } : {}) },
      files: mcp ? [{ path: file, content: JSON.stringify({ mcp: { signalbox: { type: 'remote', enabled: true, ...mcp } } }) }] : [],
      stdin: prompt,
    };
  },
  reader: () => readerOf(take),
};

function take(event: Json, state: State): AgentEvent[] {
  state.sessionId ??= textAt(event, 'sessionID') || null;
  const part = at(event, 'part');
  switch (event['type']) {
    case 'step_start':
      state.finished = false;
      return [];
    case 'text':
      state.text = textAt(part, 'text');
      return [shown('text', state.text)];
    case 'tool_use': {
      const error = textAt(part, 'state', 'error');
      if (/rejected permission|permission.{0,40}(?:denied|rejected)|rule which prevents/i.test(error))
        state.refused.push(textAt(part, 'tool'));
      const result = error || textAt(part, 'state', 'output');
      return [toolCall(textAt(part, 'tool'), at(part, 'state', 'input')), shown('tool_result', result, error ? { error: true } : {})];
    }
    case 'step_finish': {
      state.finished = at(part, 'reason') === 'stop';
      const cost = at(part, 'cost');
      const { usage } = state;
      const read = countAt(part, 'tokens', 'cache', 'read');
      state.usage = {
        input_tokens: usage.input_tokens + countAt(part, 'tokens', 'input') + countAt(part, 'tokens', 'cache', 'write') + read,
        output_tokens: usage.output_tokens + countAt(part, 'tokens', 'output') + countAt(part, 'tokens', 'reasoning'),
        cached_tokens: usage.cached_tokens + read,
        // Zero is said of models whose price it does not know.
        cost_usd: typeof cost === 'number' && cost > 0 ? (usage.cost_usd ?? 0) + cost : usage.cost_usd,
      };
      return [usageEvent(state.usage)];
    }
    case 'error': {
      state.failure = [
        textAt(event, 'error', 'name'),
        textAt(event, 'error', 'data', 'statusCode'),
        textAt(event, 'error', 'data', 'message'),
      ]
        .filter(Boolean)
        .join(' ');
      return [shown('notice', state.failure)];
    }
    default:
      return [];
  }
}
