/** Tool calls over HTTP, with the same rights as any other caller. */
import type { z } from 'zod';
import type { Envelope } from '../contracts/envelope.ts';
import type { ToolsByName } from '../tools/index.ts';
import { CliError, exitOf, exits, unreachable } from './exit.ts';
import { cliConfig, type Target, target } from './target.ts';

export type ToolName = keyof ToolsByName;
export type Input<N extends ToolName> = z.input<ToolsByName[N]['input']>;
export type Output<N extends ToolName> = z.output<ToolsByName[N]['output']>;
/** The answer of a call that succeeded. A call that waits for a person's decision has other data. */
export type Answer<N extends ToolName> = Envelope & { data: Output<N> };

export interface CallOptions {
  agentId?: string | undefined;
  idempotencyKey?: string | undefined;
  /** Gives up waiting for the answer. */
  signal?: AbortSignal | undefined;
}

/** How a request tells who sends it: the key, else the token of `signalbox login`. @throws CliError when the login is over */
export async function authorization({ url, key }: Target): Promise<Record<string, string>> {
  if (key !== undefined) return { 'x-api-key': key };
  const { tokenFor } = await import('./credentials.ts');
  const token = await tokenFor(cliConfig(), url);
  return token === null ? {} : { authorization: `Bearer ${token}` };
}

/** @returns status and parsed body. @throws CliError (unreachable) */
export async function post(to: Target, path: string, body: unknown, options: CallOptions = {}): Promise<{ status: number; body: unknown }> {
  const headers = {
    'content-type': 'application/json',
    ...(await authorization(to)),
    ...(options.agentId === undefined ? {} : { 'x-agent-id': options.agentId }),
    ...(options.idempotencyKey === undefined ? {} : { 'idempotency-key': options.idempotencyKey }),
  };
  return await send(to, path, { method: 'POST', headers, body: JSON.stringify(body), signal: options.signal ?? null });
}

/** @returns status and parsed body. @throws CliError (unreachable) */
export const get = async (to: Target, path: string, headers: Record<string, string>): Promise<{ status: number; body: unknown }> =>
  await send(to, path, { headers });

async function send({ url }: Target, path: string, init: RequestInit): Promise<{ status: number; body: unknown }> {
  let response: Response;
  let text: string;
  try {
    response = await fetch(`${url}${path}`, {
      ...init,
      headers: { accept: 'application/json', ...(init.headers as Record<string, string>) },
    });
    text = await response.text();
  } catch (error) {
    const cause = (error as Error).cause as { code?: string } | undefined;
    throw unreachable(`Signalbox at ${url} is not reachable (${cause?.code ?? (error as Error).message}).`);
  }
  try {
    return { status: response.status, body: JSON.parse(text) };
  } catch {
    throw new CliError(exits.failed, 'INTERNAL', `${url} answered with status ${response.status} and no JSON.`, {
      hint: 'Is it a Signalbox? SIGNALBOX_URL names its base address.',
    });
  }
}

/** Calls a tool by any of its names. @returns the whole envelope, also of a failed call */
export async function callTool(name: string, args: unknown, options: CallOptions = {}, to = target()): Promise<Envelope> {
  const { body } = await post(to, `/api/tools/${encodeURIComponent(name)}`, args, options);
  return body as Envelope;
}

/** Calls a tool and fails when the tool fails. @throws CliError with the tool's code and hint */
export async function ok<N extends ToolName>(name: N, args: Input<N>, options: CallOptions = {}, to = target()): Promise<Answer<N>> {
  const envelope = await callTool(name, args, options, to);
  if (envelope.error) throw failure(envelope);
  return envelope as Answer<N>;
}

export function failure(envelope: Envelope): CliError {
  const { code, message, suggestion } = envelope.error!;
  return new CliError(exitOf(code), code, message, { hint: suggestion, document: envelope });
}

export interface ListedTool {
  name: string;
  title?: string;
  description: string;
  annotations?: { readOnlyHint?: boolean; destructiveHint?: boolean };
  _meta?: Record<string, unknown>;
}

/** The tools that an MCP client sees under a profile. @throws CliError */
export async function listTools(profile: string, to = target()): Promise<ListedTool[]> {
  const { body, status } = await post(to, `/mcp/p/${encodeURIComponent(profile)}`, { jsonrpc: '2.0', id: 1, method: 'tools/list' }, {});
  const answer = body as { result?: { tools: ListedTool[] }; error?: { message: string; data?: { code?: string; suggestion?: string } } };
  // People read and type dots. Names contain no other hyphens, so this conversion is safe.
  if (answer.result) return answer.result.tools.map((tool) => ({ ...tool, name: tool.name.replaceAll('-', '.') }));
  const code = status === 401 ? 'UNAUTHORIZED' : ((answer.error?.data?.code ?? 'INTERNAL') as 'INTERNAL');
  throw new CliError(exitOf(code), code, answer.error?.message ?? `status ${status}`, { hint: answer.error?.data?.suggestion });
}
