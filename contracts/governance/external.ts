import { z } from 'zod';

export const serverName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_]{0,31}$/, 'lower-case letters, digits and _, at most 32')
  .describe('Its tools are called external.{this}.{tool}')
  .meta({ examples: ['github'] });

export const serverTransports = ['stdio', 'http', 'sse'] as const;
export type ServerTransport = (typeof serverTransports)[number];

const text = z.string().min(1).max(4_096);
const named = z.record(z.string().min(1).max(256), z.string().max(16_384));

/** Address of a server. `${NAME}` stands for a value of `credentials.variables`. */
export const serverTarget = {
  transport: z.enum(serverTransports).optional().describe('Default: stdio with a command, http with a url; http falls back to sse'),
  command: text.optional().describe('Of stdio: the program, started on the host of Signalbox'),
  args: z.array(z.string().max(4_096)).max(100).optional(),
  cwd: text.optional().describe('Of stdio: the folder it is started in'),
  url: text
    .optional()
    .describe('Of http and sse')
    .meta({ examples: ['https://mcp.example.com/mcp'] }),
};

/** One field, so that all of it can be kept out of answers, logs and hashes. */
export const serverCredentials = z
  .object({
    env: named.optional().describe('Environment of a stdio server'),
    headers: named.optional().describe('Sent with each request to a http or sse server'),
    variables: named.optional().describe('Values of ${NAME} in args, url, env and headers'),
  })
  .describe('Kept sealed and never shown again');

export const serverLimits = {
  timeout_ms: z.number().int().min(100).max(600_000).optional().describe('For one call, in ms; default 30000'),
  concurrency: z.number().int().min(1).max(256).optional().describe('Calls at the same time; default 8'),
  approval: z
    .enum(['A0', 'A1', 'A2'])
    .optional()
    .describe('What its tools ask: A0 nothing, A1 as the level of care says (default), A2 always'),
};

export interface ServerCredentials {
  env: Record<string, string>;
  headers: Record<string, string>;
  variables: Record<string, string>;
}

export type GivenCredentials = { [K in keyof ServerCredentials]?: ServerCredentials[K] | undefined };

export const externalServer = z.object({
  name: z.string(),
  transport: z.enum(serverTransports),
  /** As given, with `${…}` unresolved. */
  target: z.record(z.string(), z.unknown()),
  /** Names of the environment variables, headers and `${…}` that have a value. */
  credentials: z.array(z.string()),
  enabled: z.boolean(),
  timeout_ms: z.number(),
  concurrency: z.number(),
  approval: z.enum(['A0', 'A1', 'A2']),
  health: z.enum(['unknown', 'healthy', 'unhealthy']),
  last_error: z.string().nullable(),
  last_seen_at: z.string().nullable(),
  server_name: z.string().nullable(),
  server_version: z.string().nullable(),
  protocol_version: z.string().nullable(),
  tools: z.object({ approved: z.number(), waiting: z.number(), changed: z.number(), gone: z.number() }),
  created_by: z.string(),
  created_at: z.string(),
});
export type ExternalServer = z.infer<typeof externalServer>;

export const toolStates = ['approved', 'waiting', 'changed', 'gone'] as const;
export type ToolState = (typeof toolStates)[number];

export const toolFlag = z.object({
  kind: z.enum(['instructions', 'hidden_text', 'other_tool', 'long', 'schema']),
  what: z.string(),
});
export type ToolFlag = z.infer<typeof toolFlag>;

export const externalToolEntry = z.object({
  name: z.string().describe('As it is called here'),
  server: z.string(),
  tool: z.string().describe('As its server calls it'),
  state: z.enum(toolStates).describe('Only approved ones can be called'),
  effect: z.enum(['read', 'write', 'destructive']),
  description: z.string(),
  hash: z.string().describe('Of the definition as the server gives it now'),
  flags: z.array(toolFlag).describe('What a person should look at before approving it'),
  changes: z.array(z.string()).describe('What has changed since it was approved'),
  approved_by: z.string().nullable(),
  approved_at: z.string().nullable(),
});
export type ExternalToolEntry = z.infer<typeof externalToolEntry>;

export const toolMark = z.object({
  path: z.string().describe('JSON pointer of the text in the definition'),
  key: z.boolean().describe("It is in the field's name, not in its value"),
  start: z.number().int().describe('In UTF-16 units'),
  end: z.number().int(),
  kind: z.enum(['instructions', 'hidden_text', 'other_tool', 'long', 'schema']),
  what: z.string(),
});
export type ToolMark = z.infer<typeof toolMark>;

const definition = z.record(z.string(), z.unknown());

export const externalToolDefinition = externalToolEntry.extend({
  approved_hash: z.string().nullable(),
  present: definition.describe('As the server gives it now'),
  approved: definition.nullable().describe('As it was approved: calls are checked against this one'),
  marks: z.array(toolMark).describe('Where the present definition holds what its flags say; at most 200'),
  approved_marks: z.array(toolMark),
  approvals: z
    .array(z.object({ hash: z.string(), by: z.string(), at: z.string(), tool_call_id: z.string() }))
    .describe('Who approved which definition when, newest first, from the ledger'),
});
export type ExternalToolDefinition = z.infer<typeof externalToolDefinition>;

/** A definition as the ledger keeps it: its tool, and which one of it. */
export const definitionRef = (name: string, hash: string): { type: 'external_tool'; id: string } => ({
  type: 'external_tool',
  id: `${name}@${hash}`,
});
