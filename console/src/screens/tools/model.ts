/** What the catalogue shows, and calls as other programs make them. */
import type { Envelope } from '../../../../contracts/envelope.ts';

export interface Listed {
  name: string;
  title: string;
  effect: string;
  approval: string;
  aliases: string[];
}

export interface Domain {
  domain: string;
  tools: Listed[];
}

export interface Found {
  name: string;
  title: string;
  description: string;
  effect: string;
  score: number;
}

export interface Described extends Listed {
  description: string;
  version: number;
  idempotent: boolean;
  external: boolean;
  scopes: string[];
  latency: string;
  input_schema: Record<string, unknown>;
  tokens: number;
  example: Record<string, unknown> | null;
}

export interface Row extends Listed {
  domain: string;
  score: number | null;
  /** What the key gets for it. */
  may: 'allow' | 'ask' | 'deny';
}

const domainOf = (name: string): string => name.slice(0, name.indexOf('.'));

/** The tools of the list, or what was found, best first; of what was found, the list has the rest. */
export function rowsOf(
  domains: readonly Domain[],
  found: readonly Found[] | null,
  filter: { domain: string; effect: string },
  may: (tool: string) => Row['may'],
): Row[] {
  const all = new Map(domains.flatMap(({ tools }) => tools.map((tool) => [tool.name, tool] as const)));
  const rows = (found ?? [...all.values()]).map((tool): Row => {
    const listed = all.get(tool.name);
    return {
      name: tool.name,
      title: tool.title,
      effect: tool.effect,
      approval: listed?.approval ?? '',
      aliases: listed?.aliases ?? [],
      domain: domainOf(tool.name),
      score: 'score' in tool ? tool.score : null,
      // Tools of other servers are not in the session's list: what is listed may be called.
      may: domainOf(tool.name) === 'external' && listed && may(tool.name) === 'deny' ? 'allow' : may(tool.name),
    };
  });
  return rows.filter(
    (row) => (filter.domain === '' || row.domain === filter.domain) && (filter.effect === '' || row.effect === filter.effect),
  );
}

export const effectWords: Record<string, string> = { read: 'reads', write: 'writes', destructive: 'destroys' };

/** `A0`, `A1`, `A2`, or those for people and agents apart. */
export const approvalWords = (approval: string): string =>
  approval.includes('people')
    ? 'depends on whether the caller is a person or an agent'
    : ({ A0: 'no approval is needed', A1: 'approval is needed where the policy requires it', A2: 'approval is always needed' }[approval] ??
      '');

/** For a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

export const curlOf = (origin: string, tool: string, args: object): string =>
  [
    `curl -s ${origin}/api/tools/${tool}`,
    `  -H "X-API-Key: $SIGNALBOX_API_KEY" -H 'Content-Type: application/json'`,
    `  -d ${quoted(JSON.stringify(args))}`,
  ].join(' \\\n');

/** The request of an MCP client; names have hyphens there. */
export const mcpOf = (tool: string, args: object): object => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: tool.replaceAll('.', '-'), arguments: args },
});

/** A call made on the page, newest first. */
export interface Made {
  at: number;
  tool: string;
  args: Record<string, unknown>;
  answer: Envelope;
  ms: number;
}

export const statusWord = ({ status }: Pick<Envelope, 'status'>): string =>
  status === 'accepted' ? 'continues as a job' : status === 'pending_approval' ? 'waits for a person' : status;
