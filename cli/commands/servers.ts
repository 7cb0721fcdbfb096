import type { Command } from 'commander';
import { examples, isJson, list, number, oneOf } from './help.ts';

// Not imported as values: help needs no zod.
const transports = ['stdio', 'http', 'sse'] as const;
const approvals = ['A0', 'A1', 'A2'] as const;

export interface AddServerOptions {
  transport?: (typeof transports)[number];
  env?: string[];
  header?: string[];
  cwd?: string;
  timeout?: number;
  concurrency?: number;
  approval?: (typeof approvals)[number];
  approveAll?: boolean;
}

export interface ImportOptions {
  only?: string[];
  approval?: (typeof approvals)[number];
  approveAll?: boolean;
}

const repeated = (text: string, before: string[] = []): string[] => [...before, text];

export function addServerCommands(program: Command): void {
  const servers = program
    .command('servers')
    .summary('other MCP servers whose tools are called through this one')
    .description('External MCP servers: their tools are called external.{server}.{tool}, once a person has approved them.');
  const load = () => import('../servers.ts');

  servers
    .command('add <name> <target> [args...]')
    .summary('make one known')
    .description('Adds a server by its command (with arguments after --) or its url, and shows the tools that wait for approval.')
    .option('--transport <kind>', transports.join(', '), oneOf(...transports))
    .option('--env <name[=value]>', 'environment of a command; without a value: as it is here', repeated)
    .option('--header <name: value>', 'sent to a url with each request', repeated)
    .option('--cwd <folder>', 'where a command is started')
    .option('--timeout <ms>', 'for one call', number(100, 600_000))
    .option('--concurrency <n>', 'calls at the same time', number(1, 256))
    .option('--approval <class>', 'what its tools ask: A0 nothing, A1 by level of care, A2 always', oneOf(...approvals))
    .option('--approve-all', 'approve its tools as they are, but for suspicious ones')
    .addHelpText(
      'after',
      examples(
        ['signalbox servers add files -- npx -y @modelcontextprotocol/server-filesystem /data', ''],
        ['signalbox servers add crm https://mcp.example.com/mcp --header "Authorization: Bearer …" --approve-all', ''],
      ),
    )
    .action(async (name: string, target: string, args: string[], options: AddServerOptions, command: Command) =>
      (await load()).addServer(name, target, args, options, isJson(command)),
    );

  servers
    .command('import <files...>')
    .summary('take over those of another client')
    .description(
      'Adds the servers of mcp.json, claude_desktop_config.json and the like. ${NAME} is filled from the environment and kept sealed.',
    )
    .option('--only <list>', 'these alone', list)
    .option('--approval <class>', 'what their tools ask', oneOf(...approvals))
    .option('--approve-all', 'approve their tools as they are, but for suspicious ones')
    .addHelpText('after', examples(['signalbox servers import .mcp.json --approve-all', '']))
    .action(async (files: string[], options: ImportOptions, command: Command) =>
      (await load()).importServers(files, options, isJson(command)),
    );

  servers
    .command('ls')
    .summary('list them with their health')
    .description('Lists external servers: whether they answer, and how many of their tools can be called.')
    .addHelpText('after', examples(['signalbox servers ls', '']))
    .action(async (_options: object, command: Command) => (await load()).listServers(isJson(command)));

  servers
    .command('test <name>')
    .summary('ask one now')
    .description('Asks a server what it offers, and says how long it took or why it failed.')
    .addHelpText('after', examples(['signalbox servers test crm', '']))
    .action(async (name: string, _options: object, command: Command) => (await load()).testServer(name, isJson(command)));

  servers
    .command('approve <name> [tools...]')
    .summary('let its tools be called')
    .description('Shows tools that wait or have changed, with what looks suspicious. With names, or --all, they are approved.')
    .option('--all', 'all but suspicious ones')
    .addHelpText('after', examples(['signalbox servers approve crm', 'look first'], ['signalbox servers approve crm --all', '']))
    .action(async (name: string, tools: string[], options: { all?: boolean }, command: Command) =>
      (await load()).approveTools(name, tools, options.all ?? false, isJson(command)),
    );

  servers
    .command('rm <name>')
    .summary('forget one')
    .description('Removes a server, its credentials and what was approved of it.')
    .addHelpText('after', examples(['signalbox servers rm crm', '']))
    .action(async (name: string, _options: object, command: Command) => (await load()).removeServer(name, isJson(command)));
}
