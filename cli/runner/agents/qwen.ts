/** Qwen Code. Prints the events of Claude Code, but counts a whole session in its last one. */
import { join } from 'node:path';
import type { Agent } from './agent.ts';
import { countAt, readerOf } from './reading.ts';
import { takeStreamJson } from './stream-json.ts';

export const qwen: Agent = {
  name: 'qwen',
  title: 'Qwen Code',
  command: 'qwen',
  install: 'npm install --global @qwen-code/qwen-code',
  resumes: true,
  named: true,
  launch({ prompt, sessionId, resume, folder, mcp, model, extra }) {
    const file = join(folder, 'mcp.json');
    const server = mcp && { httpUrl: mcp.url, headers: mcp.headers, trust: true };
    return {
      command: 'qwen',
      args: [
        '--output-format',
        'stream-json',
        '--approval-mode',
        'yolo',
        ...(resume === null ? ['--session-id', sessionId] : ['--resume', resume]),
        ...(mcp ? ['--mcp-config', file] : []),
        ...(model === null ? [] : ['--model', model]),
        ...extra,
      ],
      env: { QWEN_CODE_SUPPRESS_YOLO_WARNING: '1' },
      files: mcp ? [{ path: file, content: JSON.stringify({ mcpServers: { signalbox: server } }) }] : [],
      stdin: prompt,
    };
  },
  reader() {
    const sum = { input_tokens: 0, output_tokens: 0, cached_tokens: 0, cost_usd: null };
    return readerOf((event, state) => {
      if (event['type'] === 'assistant') {
        sum.input_tokens += countAt(event, 'message', 'usage', 'input_tokens');
        sum.output_tokens += countAt(event, 'message', 'usage', 'output_tokens');
        sum.cached_tokens += countAt(event, 'message', 'usage', 'cache_read_input_tokens');
      }
      state.usage = { ...sum };
      return takeStreamJson(event, state, () => ({ ...sum }));
    });
  },
};
