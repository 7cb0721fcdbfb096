import { type Command, Option } from 'commander';
import { examples, isJson } from './help.ts';

export function addStackCommands(program: Command): void {
  program
    .command('up')
    .summary('start the whole stack')
    .description('Starts Postgres, Temporal, the api and a worker on this machine, and stays until Ctrl-C. Data stays in .signalbox/.')
    .option('-d, --detach', 'start in the background and come back when it is ready')
    .addOption(new Option('--supervise').hideHelp())
    .addHelpText(
      'after',
      examples(
        ['signalbox up', 'start, stop with Ctrl-C'],
        ['signalbox up --detach', 'start in the background, stop with `signalbox down`'],
        ['MCP_SERVER_PORT=9000 signalbox up', 'on another port'],
      ),
    )
    .action(async (options: { detach?: boolean; supervise?: boolean }, command: Command) => {
      const { upCommand } = await import('../up.ts');
      await upCommand(options, isJson(command));
    });

  program
    .command('down')
    .summary('stop the stack')
    .description('Stops the stack of this folder in order. Nothing is lost: running processes go on at the next start.')
    .addHelpText('after', examples(['signalbox down', '']))
    .action(async (_options: unknown, command: Command) => {
      const { downCommand } = await import('../status.ts');
      await downCommand(isJson(command));
    });

  program
    .command('status')
    .summary('what runs: pids, ports, memory')
    .description('Shows the parts of the stack of this folder. Exit code 3 when nothing runs.')
    .addHelpText('after', examples(['signalbox status', ''], ['signalbox status --json', 'for scripts']))
    .action(async (_options: unknown, command: Command) => {
      const { statusCommand } = await import('../status.ts');
      await statusCommand(isJson(command));
    });

  program
    .command('doctor')
    .summary('check everything and say what to do')
    .description('Checks Node, parts, ports, database, Temporal, workers, api, model, and that every open task and job has its process.')
    .option('--fix', 'start lost processes again')
    .addHelpText(
      'after',
      examples(['signalbox doctor', 'exit code 1 when something fails'], ['signalbox doctor --fix', 'and start lost processes again']),
    )
    .action(async (options: { fix?: boolean }, command: Command) => {
      const { doctorCommand } = await import('../doctor.ts');
      await doctorCommand(options, isJson(command));
    });

  program
    .command('mcp')
    .summary('MCP over stdio, for clients that start a process')
    .description(
      'Bridges MCP on stdin and stdout to the running stack. Clients start it; `signalbox connect CLIENT` writes their configuration.',
    )
    .option('--profile <name>', 'which tools are listed: core, devflow, unified, all, …')
    .option('--agent-id <id>', 'the worker that calls are attributed to')
    .addHelpText('after', examples(['signalbox mcp', ''], ['signalbox mcp --profile devflow', "with DevFlow's tool names"]))
    .action(async (options: { profile?: string; agentId?: string }) => {
      const { mcpCommand } = await import('../bridge.ts');
      await mcpCommand(options);
    });
}
