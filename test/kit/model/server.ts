/**
 * A model that follows a script instead of thinking, for real coding agents in tests. It speaks Anthropic Messages, OpenAI Responses, OpenAI
 * Chat Completions and Gemini, with and without streaming, and keeps no state of a conversation.
 */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { anthropic } from './anthropic.ts';
import { chat } from './chat.ts';
import { sendJson, type Body, type Format } from './format.ts';
import { gemini } from './gemini.ts';
import { responses } from './responses.ts';
import { moveOf, type Conversation, type Move, type Script } from './script.ts';

export interface Asked {
  path: string;
  conversation: Conversation;
  move: Move;
}

export interface ScriptedModel {
  url: string;
  /** All requests so far, also those that were refused. */
  asked: Asked[];
  /** Waits for the first request, of those before and after, that fulfils the condition. */
  waitFor(condition: (asked: Asked) => boolean): Promise<Asked>;
  close(): Promise<void>;
}

const formats: Format[] = [anthropic, responses, chat, gemini];
const usage = { input: 1_000, output: 20 };

export async function startModel(script: Script): Promise<ScriptedModel> {
  const asked: Asked[] = [];
  const waiting = new Set<{ condition: (asked: Asked) => boolean; resolve: (asked: Asked) => void }>();

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    if (request.method !== 'POST') return sendJson(response, ...listing(url));
    const body = await bodyOf(request);
    if (/count_?tokens$/i.test(url.pathname)) return sendJson(response, 200, { input_tokens: usage.input, totalTokens: usage.input });
    const format = formats.find(({ path }) => path.test(url.pathname));
    if (!format) return sendJson(response, 404, { error: { message: `${url.pathname} is not served`, type: 'not_found' } });
    const conversation = format.read(body);
    const move = moveOf(script(conversation), conversation);
    const entry = { path: url.pathname, conversation, move };
    asked.push(entry);
    for (const each of waiting) {
      if (!each.condition(entry)) continue;
      waiting.delete(each);
      each.resolve(entry);
    }
    if ('hang' in move) return;
    if ('status' in move) {
      const error = {
        type: move.status === 401 ? 'authentication_error' : 'api_error',
        code: move.status,
        message: `Scripted ${move.status}`,
      };
      return sendJson(response, move.status, { type: 'error', error });
    }
    const call = 'call' in move ? { id: `call_${plainId()}`, tool: move.call, args: move.args } : null;
    format.write(response, { id: `answer_${plainId()}`, text: 'text' in move ? move.text : null, call, usage }, { body, url });
  };

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else sendJson(response, 500, { error: { message: String(error) } });
    });
  });
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    waitFor: (condition) =>
      new Promise((resolve) => {
        const found = asked.find(condition);
        if (found) resolve(found);
        else waiting.add({ condition, resolve });
      }),
    async close() {
      server.closeAllConnections();
      await new Promise((done) => void server.close(done));
    },
  };
}

const plainId = (): string => randomUUID().replaceAll('-', '').slice(0, 20);

function listing(url: URL): [number, unknown] {
  if (!url.pathname.endsWith('/models')) return [url.pathname === '/' ? 200 : 404, {}];
  const model = { id: 'scripted', object: 'model', owned_by: 'test', created: 0 };
  return [200, { object: 'list', data: [model], models: [{ name: 'models/scripted' }] }];
}

async function bodyOf(request: IncomingMessage): Promise<Body> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const raw = Buffer.concat(chunks);
  const decode = { gzip: gunzipSync, br: brotliDecompressSync, zstd: zstdDecompressSync }[request.headers['content-encoding'] ?? ''];
  return JSON.parse((decode ? decode(raw) : raw).toString('utf8') || '{}') as Body;
}
