/** GitHub Copilot CLI. Tells no tokens, only its premium requests. */
import { join } from 'node:path';
import type { AgentEvent } from '../../../contracts/work/runs.ts';
import type { Agent } from './agent.ts';
import { at, countAt, readerOf, shown, textAt, toolCall, type Json, type State } from './reading.ts';

export const copilot: Agent = {
  name: 'copilot',
  title: 'GitHub Copilot CLI',
  command: 'copilot',
  install: 'npm install --global @github/copilot',
  resumes: true,
  named: true,
  launch({ prompt, sessionId, resume, folder, mcp, model, extra }) {
    const file = join(folder, 'mcp.json');
    return {
      command: 'copilot',
      args: [
        '--output-format',
        'json',
        '--allow-all',
        '--no-ask-user',
        '--no-auto-update',
        resume === null ? `--session-id=${sessionId}` : `--resume=${resume}`,
        ...(mcp ? ['--additional-mcp-config', `@${file}`] : []),
        ...(model === null ? [] : ['--model', model]),
        ...extra,
      ],
      env: {},
      files: mcp ? [{ path: file, content: JSON.stringify({ mcpServers: { signalbox: { type: 'http', ...mcp, tools: ['*'] } } }) }] : [],
      stdin: prompt,
    };
  },
  reader: () => readerOf(take),
};

function take(event: Json, state: State): AgentEvent[] {
  const data = event['data'];
  switch (event['type']) {
    case 'assistant.message': {
      const text = textAt(data, 'content');
      if (text === '') return [];
      state.text = text;
      return [shown('text', text)];
    }
    case 'tool.execution_start':
      return [toolCall(textAt(data, 'toolName'), at(data, 'arguments'))];
    case 'tool.execution_complete': {
      const error = textAt(data, 'error', 'message');
      if (at(data, 'error', 'code') === 'denied') state.refused.push('a tool');
      return [shown('tool_result', error || textAt(data, 'result', 'content'), error ? { error: true } : {})];
    }
    case 'model.call_failure': {
      const status = countAt(data, 'statusCode');
      if (status === 401 || status === 403) state.keyRefused += 1;
      return [shown('notice', `The model's provider answered ${status || 'nothing'}`)];
    }
    case 'session.error':
      state.failure = textAt(data, 'message');
      return [shown('notice', state.failure)];
    case 'result':
      state.sessionId = textAt(event, 'sessionId') || null;
      state.finished = event['exitCode'] === 0;
      return [];
    default:
      return [];
  }
}
