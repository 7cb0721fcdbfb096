/** Gemini CLI. */
import { join } from 'node:path';
import type { AgentEvent } from '../../../contracts/work/runs.ts';
import type { Agent } from './agent.ts';
import { countAt, readerOf, shown, textAt, toolCall, usageEvent, type Json, type State } from './reading.ts';

export const gemini: Agent = {
  name: 'gemini',
  title: 'Gemini CLI',
  command: 'gemini',
  install: 'npm install --global @google/gemini-cli',
  resumes: true,
  named: true,
  launch({ prompt, sessionId, resume, folder, mcp, model, extra }) {
    const file = join(folder, 'gemini.json');
    const server = mcp && { httpUrl: mcp.url, headers: mcp.headers, trust: true };
    return {
      command: 'gemini',
      args: [
        '--output-format',
        'stream-json',
        '--approval-mode',
        'yolo',
        '--skip-trust',
        ...(resume === null ? ['--session-id', sessionId] : ['--resume', resume]),
        ...(model === null ? [] : ['--model', model]),
        ...extra,
      ],
      // The only settings outside the worktree and the user's home. It ignores the file unless root owns it and every folder above.
      env: mcp ? { GEMINI_CLI_SYSTEM_SETTINGS_PATH: file } : {},
      files: mcp ? [{ path: file, content: JSON.stringify({ mcpServers: { signalbox: server } }) }] : [],
      stdin: prompt,
    };
  },
  reader() {
    // An answer comes in pieces.
    let isAnswering = false;
    return readerOf((event, state) => {
      const isPiece = event['type'] === 'message' && event['role'] === 'assistant';
      if (isPiece) state.text = `${isAnswering ? state.text : ''}${textAt(event, 'content')}`;
      isAnswering = isPiece;
      return isPiece ? [shown('text', textAt(event, 'content'))] : take(event, state);
    });
  },
};

function take(event: Json, state: State): AgentEvent[] {
  switch (event['type']) {
    case 'init':
      state.sessionId = textAt(event, 'session_id') || null;
      return [];
    case 'tool_use':
      return [toolCall(textAt(event, 'tool_name'), event['parameters'])];
    case 'tool_result': {
      const error = textAt(event, 'error', 'message');
      if (/denied by policy|policy_violation/i.test(`${error} ${textAt(event, 'error', 'type')}`))
        state.refused.push(textAt(event, 'tool_id').split('__')[0]!);
      return [shown('tool_result', error || textAt(event, 'output'), event['status'] === 'error' ? { error: true } : {})];
    }
    case 'error':
      return [shown('notice', textAt(event, 'message'))];
    case 'result':
      state.finished = event['status'] === 'success';
      if (!state.finished) state.failure = textAt(event, 'error', 'message') || 'It ended with an error.';
      state.usage = {
        input_tokens: countAt(event, 'stats', 'input_tokens'),
        output_tokens: countAt(event, 'stats', 'output_tokens'),
        cached_tokens: countAt(event, 'stats', 'cached'),
        cost_usd: null,
      };
      return [usageEvent(state.usage)];
    default:
      return [];
  }
}
