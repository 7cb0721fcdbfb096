/** What each wire format does: reads a request and writes an answer. */
import type { ServerResponse } from 'node:http';
import type { Called, Conversation, Said, Tool } from './script.ts';

export interface Usage {
  input: number;
  output: number;
}

export interface Answer {
  text: string | null;
  call: { id: string; tool: Tool; args: Record<string, unknown> } | null;
  usage: Usage;
  /** Of this answer, unique. */
  id: string;
}

export type Body = Record<string, any>;

export interface Format {
  /** Path of its requests. */
  path: RegExp;
  read(body: Body): Conversation;
  write(response: ServerResponse, answer: Answer, request: { body: Body; url: URL }): void;
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

/** Server-sent events. @returns writes one */
export function eventStream(response: ServerResponse): (data: unknown, event?: string) => void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  return (data, event) => {
    response.write(`${event ? `event: ${event}\n` : ''}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`);
  };
}

/** The text of a message's content, in any of the formats. */
export function textOf(content: unknown): string {
  if (content === null || content === undefined) return '';
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return JSON.stringify(content);
  return content.map((part: Body) => String(part['text'] ?? part['tool_name'] ?? '')).join('\n');
}

/** Collects a conversation from a request. */
export function collector(): {
  items: (Said | Called)[];
  said(text: string): void;
  called(id: string, name: string): void;
  result(id: string, text: string): void;
} {
  const items: (Said | Called)[] = [];
  return {
    items,
    said: (text) => void items.push({ kind: 'said', text }),
    called: (id, name) => void items.push({ kind: 'called', id, name, result: null }),
    result(id, text) {
      const call = items.findLast((item): item is Called => item.kind === 'called' && item.id === id);
      if (call) call.result = text;
    },
  };
}

export const descriptionsOf = (tools: Body[]): string =>
  tools.map((tool) => String(tool['description'] ?? tool['function']?.description ?? '')).join('\n');
