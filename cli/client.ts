/** Tool calls over HTTP: the command acts like any other caller. */
import type { Envelope } from '../contracts/envelope.ts';
import { CliError, exitOf, exits, unreachable } from './exit.ts';
import { type Target, target } from './target.ts';

export interface CallOptions {
  agentId?: string | undefined;
  idempotencyKey?: string | undefined;
}

/** @returns status and parsed body. @throws CliError (unreachable) */
async function request(
  { url, key }: Target,
  path: string,
  body: unknown,
  options: CallOptions,
): Promise<{ status: number; body: unknown }> {
  let response: Response;
  try {
    response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...(key === undefined ? {} : { 'x-api-key': key }),
        ...(options.agentId === undefined ? {} : { 'x-agent-id': options.agentId }),
        ...(options.idempotencyKey === undefined ? {} : { 'idempotency-key': options.idempotencyKey }),
      },
      body: JSON.stringify(body),
    });
  } catch (error) {
    const cause = (error as Error).cause as { code?: string } | undefined;
    throw unreachable(`Signalbox at ${url} is not reachable (${cause?.code ?? (error as Error).message}).`);
  }
  const text = await response.text();
  try {
    return { status: response.status, body: JSON.parse(text) };
  } catch {
    throw new CliError(exits.failed, 'INTERNAL', `${url} answered with status ${response.status} and no JSON.`, {
      hint: 'Is it a Signalbox? SIGNALBOX_URL names its base address.',
    });
  }
}

/** Calls a tool by any of its names. @returns its whole answer, failures included */
export async function callTool(name: string, args: unknown, options: CallOptions = {}, to = target()): Promise<Envelope> {
  const { body } = await request(to, `/api/tools/${encodeURIComponent(name)}`, args, options);
  return body as Envelope;
}

/** Calls a tool that must succeed. @throws CliError with the tool's own code and hint */
export async function ok<T>(name: string, args: unknown, options: CallOptions = {}, to = target()): Promise<Envelope & { data: T }> {
  const envelope = await callTool(name, args, options, to);
  if (envelope.error) throw failure(envelope);
  return envelope as Envelope & { data: T };
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

/** What an MCP client is shown under a profile. @throws CliError */
export async function listTools(profile: string, to = target()): Promise<ListedTool[]> {
  const { body, status } = await request(to, `/mcp/p/${encodeURIComponent(profile)}`, { jsonrpc: '2.0', id: 1, method: 'tools/list' }, {});
  const answer = body as { result?: { tools: ListedTool[] }; error?: { message: string; data?: { code?: string; suggestion?: string } } };
  // People read and type dots; no name has a hyphen of its own.
  if (answer.result) return answer.result.tools.map((tool) => ({ ...tool, name: tool.name.replaceAll('-', '.') }));
  const code = status === 401 ? 'UNAUTHORIZED' : ((answer.error?.data?.code ?? 'INTERNAL') as 'INTERNAL');
  throw new CliError(exitOf(code), code, answer.error?.message ?? `status ${status}`, { hint: answer.error?.data?.suggestion });
}
