/** What people copy to connect a client, when nothing is known of its machine. */
import { clients, describeClient, tomlTable, type ClientName } from './clients.shared.ts';

/** Stands where the key belongs. */
export const keyPlaceholder = 'YOUR_KEY';

/** Ways besides the clients that have a configuration file. */
export const otherWays = ['curl', 'langgraph', 'a2a'] as const;
export const ways = [...clients, ...otherWays] as const;
export type Way = (typeof ways)[number];

export interface Wanted {
  /** Of the server, without a slash at its end. */
  url: string;
  /** False: the server needs no key. */
  keyed: boolean;
  agentId?: string | undefined;
  profile?: string | undefined;
}

export interface Connection {
  name: Way;
  title: string;
  /** Language of the text. */
  format: 'json' | 'toml' | 'sh' | 'ts';
  /** With the placeholder in place of the key. */
  text: string;
  /** Where the text belongs; absent: it is run, or is part of a program. */
  file?: string;
  user_file?: string;
  /** Does the same as the text. */
  command?: string;
  after: string;
}

export const connectionOf = (name: Way, wanted: Wanted): Connection =>
  (otherWays as readonly string[]).includes(name) ? other(name as (typeof otherWays)[number], wanted) : client(name as ClientName, wanted);

function client(name: ClientName, { url, keyed, agentId, profile }: Wanted): Connection {
  const headers = { ...(keyed ? { 'X-API-Key': keyPlaceholder } : {}), ...(agentId === undefined ? {} : { 'X-Agent-Id': agentId }) };
  const { title, format, shown, projectFile, userFile, command, after } = describeClient(name, {
    home: '~',
    applications: '~/.config',
    mcp: mcpOf(url, profile),
    headers,
    bridge: {
      command: 'node',
      args: [
        '/path/to/signalbox/cli/signalbox.js',
        'mcp',
        ...(agentId === undefined ? [] : ['--agent-id', agentId]),
        ...(profile === undefined ? [] : ['--profile', profile]),
      ],
      env: { SIGNALBOX_URL: url, ...(keyed ? { SIGNALBOX_API_KEY: keyPlaceholder } : {}) },
    },
  });
  return {
    name,
    title,
    format,
    text: format === 'toml' ? tomlTable(shown) : JSON.stringify(shown, null, 2),
    ...(projectFile === undefined ? {} : { file: slashed(projectFile) }),
    user_file: slashed(userFile),
    ...(command === undefined ? {} : { command }),
    after,
  };
}

function other(name: (typeof otherWays)[number], { url, keyed, agentId, profile }: Wanted): Connection {
  const headers = { ...(keyed ? { 'X-API-Key': keyPlaceholder } : {}), ...(agentId === undefined ? {} : { 'X-Agent-Id': agentId }) };
  const flags = Object.entries(headers).map(([header, value]) => ` -H '${header}: ${value}'`);
  const curl = (path: string, body: object, more = ''): string =>
    `curl -s ${url}${path}${flags.join('')}${more} \\\n  -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`;
  switch (name) {
    case 'curl':
      return {
        name,
        title: 'curl',
        format: 'sh',
        text: [
          curl('/api/tools/system.tool.search', { query: 'import a PDF' }),
          curl(mcpOf('', profile), { jsonrpc: '2.0', id: 1, method: 'tools/list' }),
        ].join('\n\n'),
        after: 'The first calls a tool, the second lists tools over MCP.',
      };
    case 'langgraph':
      return {
        name,
        title: 'LangGraph',
        format: 'ts',
        text: [
          "import { signalboxTools } from 'signalbox/langgraph';",
          '',
          'const tools = await signalboxTools({',
          `  url: ${JSON.stringify(url)},`,
          `  apiKey: ${JSON.stringify(keyed ? keyPlaceholder : 'none')},`,
          ...(agentId === undefined ? [] : [`  agentId: ${JSON.stringify(agentId)},`]),
          ...(profile === undefined ? [] : [`  profile: ${JSON.stringify(profile)},`]),
          '});',
        ].join('\n'),
        after: 'Give the tools to bindTools and to ToolNode.',
      };
    case 'a2a':
      return {
        name,
        title: 'A2A',
        format: 'sh',
        text: [
          `curl -s ${url}/.well-known/agent-card.json`,
          curl(
            '/a2a',
            {
              jsonrpc: '2.0',
              id: 1,
              method: 'SendMessage',
              params: { message: { messageId: 'm1', role: 'ROLE_USER', parts: [{ text: 'Which skills do you have?' }] } },
            },
            ` -H 'A2A-Version: 1.0'`,
          ),
        ].join('\n\n'),
        after: 'The first fetches the agent card, the second sends a message.',
      };
  }
}

const mcpOf = (url: string, profile: string | undefined): string => `${url}/mcp${profile === undefined ? '' : `/p/${profile}`}`;
const slashed = (path: string): string => path.replaceAll('\\', '/');
