/** Language models as far as the SDK speaks to them: three providers' forms of answers, refusals and failures over HTTP. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readConfig, type Config } from '../../platform/config.ts';

export interface Asked {
  system: string;
  /** What the user side has said, the newest last. */
  prompts: string[];
  /** What stands in the prompt's data blocks, line by line. */
  data: Record<string, unknown>[];
  /** Whether a schema came along as the provider takes it. */
  structured: boolean;
  headers: Record<string, string | string[] | undefined>;
  body: Record<string, unknown>;
}

/** A text or an object (as JSON) that the model returns, or a failure. */
export type Said = string | object | Failing;

interface Failing {
  status: number;
  headers?: Record<string, string>;
  body?: unknown;
}

/** Said as texts. */
type Mishap = 'HANG' | 'REFUSE' | 'CUT' | 'TOO_LONG' | 'NONSENSE';
const mishaps: ReadonlySet<unknown> = new Set<Mishap>(['HANG', 'REFUSE', 'CUT', 'TOO_LONG', 'NONSENSE']);

export interface ModelDouble {
  /** As LLM_BASE_URL. */
  url(provider: Config['LLM_PROVIDER']): string;
  /** The configuration under which it is asked. */
  config(provider: Config['LLM_PROVIDER'], env?: Record<string, string>): Config;
  env(provider: Config['LLM_PROVIDER'], env?: Record<string, string>): Record<string, string>;
  asked: Asked[];
  /** Said first, in order; after that `answer` is asked. */
  next: Said[];
  answer: (asked: Asked) => Said | Promise<Said>;
  /** Whether answers tell how many tokens they took: 100 in, 10 out. */
  counts: boolean;
  close(): Promise<void>;
}

export const doubleKey = 'key-of-the-double-5fd1';

export async function modelDouble(): Promise<ModelDouble> {
  const server = createServer((request, reply) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      void (async () => {
        const wire = wires.find(({ path }) => path.test(request.url ?? ''));
        if (!wire) return json(reply, { error: { message: `nothing at ${request.url}` } }, 404);
        const body: any = JSON.parse(text);
        if (![request.headers.authorization, request.headers['x-api-key'], request.headers['x-goog-api-key']].join().includes(doubleKey)) {
          return json(reply, { error: { type: 'authentication_error', message: `wrong key`, status: 'UNAUTHENTICATED', code: 401 } }, 401);
        }
        const read = wire.read(body);
        const asked: Asked = { ...read, data: dataOf(read.prompts[0] ?? ''), headers: request.headers, body };
        double.asked.push(asked);
        const said = double.next.shift() ?? (await double.answer(asked));
        if (said === 'HANG') return;
        if (said === 'CUT') return request.socket.destroy();
        if (said === 'NONSENSE') return void reply.writeHead(200, { 'content-type': 'text/html' }).end('<html>gateway</html>');
        if (isFailing(said)) {
          const error = { type: 'failed', message: 'it failed', code: said.status, status: 'FAILED' };
          return json(reply, said.body ?? { error }, said.status, said.headers);
        }
        const how = mishaps.has(said) ? (said as Mishap) : null;
        json(
          reply,
          wire.answer(
            how === null ? (typeof said === 'string' ? said : JSON.stringify(said)) : '{"unfinished": [',
            how,
            body,
            double.counts,
          ),
        );
      })();
    });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const double: ModelDouble = {
    url: (provider) => `${origin}${provider === 'google' ? '/v1beta' : '/v1'}`,
    env: (provider, env = {}) => ({
      LLM_PROVIDER: provider,
      LLM_MODEL: provider === 'anthropic' ? 'claude-test' : provider === 'google' ? 'gemini-test' : 'test',
      LLM_API_KEY: doubleKey,
      LLM_BASE_URL: double.url(provider),
      ...env,
    }),
    config: (provider, env) => readConfig(double.env(provider, env)),
    asked: [],
    next: [],
    answer: () => ({ status: 500 }),
    counts: true,
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
  return double;
}

const isFailing = (said: Said): said is Failing => typeof said === 'object' && 'status' in said;

interface Wire {
  path: RegExp;
  read(body: any): Pick<Asked, 'system' | 'prompts' | 'structured'>;
  answer(text: string, how: Mishap | null, body: any, counts: boolean): unknown;
}

const wires: Wire[] = [
  {
    path: /^\/v1\/chat\/completions$/,
    read: ({ messages, response_format }) => ({
      system: messages
        .filter((m: any) => m.role === 'system')
        .map((m: any) => textOf(m.content))
        .join('\n'),
      prompts: messages.filter((m: any) => m.role === 'user').map((m: any) => textOf(m.content)),
      structured: response_format?.type === 'json_schema',
    }),
    answer: (text, how, body, counts) => ({
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 1_790_000_000,
      model: body.model,
      choices: [
        {
          index: 0,
          message:
            how === 'REFUSE'
              ? { role: 'assistant', content: null, refusal: 'I cannot help with that.' }
              : { role: 'assistant', content: text },
          finish_reason: how === 'TOO_LONG' ? 'length' : 'stop',
        },
      ],
      ...(counts ? { usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 } } : {}),
    }),
  },
  {
    path: /^\/v1\/messages$/,
    read: ({ system, messages, output_config, tools }) => ({
      system: textOf(system),
      prompts: messages.filter((m: any) => m.role === 'user').map((m: any) => textOf(m.content)),
      structured: output_config?.format?.type === 'json_schema' || tools?.some((tool: any) => tool.name === 'json') === true,
    }),
    answer: (text, how, body) => ({
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: body.model,
      content:
        how === 'REFUSE'
          ? []
          : body.tools?.some((tool: any) => tool.name === 'json') && parsed(text) !== undefined
            ? [{ type: 'tool_use', id: 'toolu_1', name: 'json', input: parsed(text) }]
            : [{ type: 'text', text }],
      stop_reason:
        how === 'REFUSE'
          ? 'refusal'
          : how === 'TOO_LONG'
            ? 'max_tokens'
            : body.tools && parsed(text) !== undefined
              ? 'tool_use'
              : 'end_turn',
      stop_sequence: null,
      usage: { input_tokens: 100, output_tokens: 10 },
    }),
  },
  {
    path: /^\/v1beta\/models\/[^/:]+:generateContent$/,
    read: ({ systemInstruction, contents, generationConfig }) => ({
      system: textOf(systemInstruction?.parts),
      prompts: contents.filter((m: any) => m.role === 'user').map((m: any) => textOf(m.parts)),
      structured: generationConfig?.responseSchema !== undefined || generationConfig?.responseJsonSchema !== undefined,
    }),
    answer: (text, how, _body, counts) => ({
      candidates: [
        {
          ...(how === 'REFUSE' ? {} : { content: { role: 'model', parts: [{ text }] } }),
          finishReason: how === 'REFUSE' ? 'SAFETY' : how === 'TOO_LONG' ? 'MAX_TOKENS' : 'STOP',
        },
      ],
      ...(counts ? { usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 10, totalTokenCount: 110 } } : {}),
    }),
  },
];

const textOf = (content: any): string =>
  typeof content === 'string' ? content : ((content as any[]) ?? []).map((part) => part.text ?? '').join('');

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Lines of JSON between the marks of services/kernel/language/fence.ts. */
function dataOf(prompt: string): Record<string, unknown>[] {
  const block = /^<<<data (\w+)\n([\s\S]*?)\ndata \1>>>$/m.exec(prompt)?.[2] ?? '';
  return block
    .split('\n')
    .map(parsed)
    .filter((value): value is Record<string, unknown> => typeof value === 'object' && value !== null);
}

function json(reply: ServerResponse, body: unknown, status = 200, headers: Record<string, string> = {}): void {
  reply.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}
