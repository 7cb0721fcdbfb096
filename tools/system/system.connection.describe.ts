import { z } from 'zod';
import { keyPresets } from '../../contracts/governance/keys.ts';
import { profiles } from '../catalogue/catalogue.ts';
import { defineTool } from '../catalogue/define.ts';
import { listedTokens } from '../catalogue/listed-schema.ts';
import { connectionOf, keyPlaceholder, ways } from './connections.shared.ts';

export default defineTool({
  name: 'system.connection.describe',
  title: 'Describe how to connect a client',
  description:
    'What to copy into the configuration of each client (Claude Code, Cursor, VS Code, …, curl, LangGraph, A2A), with a placeholder for the key; the profiles with their number of tools and tokens; sets of scopes for new keys.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: [],
  latency: 'L1',
  input: z.object({
    url: z
      .string()
      .regex(/^https?:\/\/[\w.:[\]-]{1,200}$/, 'http(s)://host:port')
      .describe('Address of this server, as the client reaches it')
      .meta({ examples: ['http://127.0.0.1:8080'] }),
    client: z.enum(ways).optional().describe('Only this one'),
    profile: z.enum(profiles).optional().describe('Which tools the client is shown'),
    agent_id: z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9._:@/-]{0,127}$/, 'letters, digits and . _ : @ / -')
      .optional()
      .describe('Name of the worker'),
    keyed: z.boolean().default(true).describe('false: the server needs no key'),
  }),
  output: z.object({
    key_placeholder: z.string(),
    clients: z.array(
      z.object({
        name: z.enum(ways),
        title: z.string(),
        format: z.enum(['json', 'toml', 'sh', 'ts']),
        text: z.string(),
        file: z.string().optional().describe('Configuration file of a project'),
        user_file: z.string().optional(),
        command: z.string().optional().describe('Does the same as the text'),
        after: z.string().describe('What to do next'),
      }),
    ),
    profiles: z.array(z.object({ name: z.enum(profiles), tools: z.number(), tokens: z.number().describe('About') })),
    presets: z.array(z.object({ name: z.string(), title: z.string(), role: z.string(), scopes: z.array(z.string()) })),
    scopes: z.array(z.string()).describe('All scopes that tools require'),
  }),
  intents: ['how do I connect Claude Code', 'configuration for Cursor', 'connect an agent', 'which profile costs how many tokens'],
  aliases: [],
  async handler({ url, client, profile, agent_id: agentId, keyed }, { caller, tools: { catalogue } }) {
    const wanted = { url, keyed, agentId, profile };
    return {
      data: {
        key_placeholder: keyPlaceholder,
        clients: ways.filter((way) => client === undefined || way === client).map((way) => connectionOf(way, wanted)),
        profiles: profiles.map((name) => {
          const listed = catalogue.list(caller, name);
          return { name, tools: listed.length, tokens: listedTokens({ tools: listed }) };
        }),
        presets: keyPresets.map((preset) => ({ ...preset, scopes: [...preset.scopes] })),
        scopes: [...new Set(catalogue.tools.flatMap(({ scopes }) => scopes))].toSorted(),
      },
    };
  },
});
