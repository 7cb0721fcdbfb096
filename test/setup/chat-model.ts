/** A model that says what a script says, over OpenAI's chat completions. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Said = { call: string; args: object } | { text: string } | { status: number };

export interface ChatModel {
  /** For OPENAI_BASE_URL. */
  url: string;
  /** The tools of each request. */
  offered: string[][];
  close(): Promise<void>;
}

/** @param script gets the answers of tools so far, oldest first */
export async function chatModel(script: (answers: string[]) => Said): Promise<ChatModel> {
  const offered: string[][] = [];
  let count = 0;
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      const send = (status: number, body: object): void =>
        void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      const { messages = [], tools = [], model, stream } = JSON.parse(text || '{}') as Record<string, any>;
      if (!request.url?.endsWith('/chat/completions') || stream) return send(404, { error: { message: `${request.url} is not served` } });
      offered.push(tools.map((tool: { function: { name: string } }) => tool.function.name));
      const said = script(
        messages.filter(({ role }: { role: string }) => role === 'tool').map(({ content }: { content: unknown }) => textOf(content)),
      );
      if ('status' in said) return send(said.status, { error: { message: 'The model has failed.', type: 'invalid_request_error' } });
      count += 1;
      const call = 'call' in said && {
        id: `call_${count}`,
        type: 'function',
        function: { name: said.call, arguments: JSON.stringify(said.args) },
      };
      const message = { role: 'assistant', content: 'text' in said ? said.text : null, ...(call ? { tool_calls: [call] } : {}) };
      send(200, {
        id: `chatcmpl-${count}`,
        object: 'chat.completion',
        created: 1_790_000_000,
        model,
        choices: [{ index: 0, message, finish_reason: call ? 'tool_calls' : 'stop', logprobs: null }],
        usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
      });
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    offered,
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

const textOf = (content: unknown): string =>
  Array.isArray(content) ? content.map((part: { text?: string }) => part.text ?? '').join('') : String(content);
