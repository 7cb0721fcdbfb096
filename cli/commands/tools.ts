import type { Command } from 'commander';
import { examples, isJson } from './help.ts';

export interface CallToolOptions {
  idempotencyKey?: string;
  agentId?: string;
}

export function addToolCommands(program: Command): void {
  const tools = program
    .command('tools')
    .summary('list, describe and call tools')
    .description('Every tool, by any of its names, called like any other client would.');

  tools
    .command('ls')
    .summary('list tools')
    .description('Lists the tools your key may call.')
    .option('--profile <name>', 'core (what clients are shown first), devflow, agentic-rag, unified, all, …', 'unified')
    .addHelpText(
      'after',
      examples(['signalbox tools ls', 'every tool'], ['signalbox tools ls --profile core', 'what a client is shown first']),
    )
    .action(async (options: { profile: string }, command: Command) => {
      const { listCommand } = await import('../tools.ts');
      await listCommand(options.profile, isJson(command));
    });

  tools
    .command('describe <name>')
    .summary('arguments and answer of a tool')
    .description('Shows what a tool takes, answers and may do, by any of its names.')
    .addHelpText(
      'after',
      examples(['signalbox tools describe work.task.claim', ''], ['signalbox tools describe claim_task --json', 'with the whole schemas']),
    )
    .action(async (name: string, _options: unknown, command: Command) => {
      const { describeCommand } = await import('../tools.ts');
      await describeCommand(name, isJson(command));
    });

  tools
    .command('call <name> [arguments]')
    .summary('call a tool')
    .description(
      'Calls a tool with a JSON object, given directly, as @FILE, or as - for stdin. Prints its data; with --json the whole envelope.',
    )
    .option('--idempotency-key <key>', 'a repeat under the same key acts once')
    .option('--agent-id <id>', 'the worker that the call is attributed to')
    .addHelpText(
      'after',
      examples(
        [`signalbox tools call work.task.create '{"description":"Fix login","phase_id":2}'`, ''],
        ['signalbox tools call work.board.get', 'no arguments'],
        ['signalbox tools call index.chunk.search @query.json --json', 'arguments from a file'],
      ),
    )
    .action(async (name: string, args: string | undefined, options: CallToolOptions, command: Command) => {
      const { callCommand } = await import('../tools.ts');
      await callCommand(name, args, options, isJson(command));
    });
}
