/** All commands with options and help. Completion and docs/cli.md are generated from this tree, too. */
import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { version } from '../platform/version.ts';
import { blobRows } from './commands/blobs.ts';
import { governanceRows } from './commands/governance.ts';
import { knowledgeRows } from './commands/knowledge.ts';
import { clientRows, stackRows } from './commands/stack.ts';
import { temporalRows } from './commands/temporal.ts';
import { shapeRows } from './commands/shape.ts';
import { workRows } from './commands/work.ts';
import { workRunnerRows } from './commands/work-runner.ts';
import { addRows } from './table.ts';

const after = `
Start with:
  $ signalbox up --detach         start everything, come back when it is ready
  $ signalbox connect cursor      how to connect a client
  $ signalbox tools ls            what can be called

Where commands connect to: SIGNALBOX_URL, else the stack of this folder (.signalbox/runtime.json).
As whom:                   SIGNALBOX_API_KEY, else \`signalbox login\`, else the local key of that stack.
Exit codes: 0 done, 1 it failed, 2 wrong usage, 3 nothing running or reachable, 4 the key may not.`;

export function buildProgram(): Command {
  const { description } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as Record<string, string>;
  const program = new Command('signalbox')
    .description(description ?? '')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [command]', 'show help of a command')
    .option('--json', 'print one JSON document on stdout and nothing else')
    .configureHelp({ showGlobalOptions: true, sortSubcommands: false })
    .showSuggestionAfterError()
    .addHelpText('after', after);
  // In the order of help.
  addRows(program, {
    ...stackRows,
    ...blobRows,
    ...temporalRows,
    ...knowledgeRows,
    ...workRows,
    ...shapeRows,
    ...workRunnerRows,
    ...governanceRows,
    ...clientRows,
  });
  throwInsteadOfExit(program);
  return program;
}

/** main.ts sets exit codes. Usage errors name the command's help. */
function throwInsteadOfExit(command: Command): void {
  command.exitOverride();
  command.showHelpAfterError(`(${fullName(command)} --help shows how)`);
  for (const inner of command.commands) throwInsteadOfExit(inner);
}

const fullName = (command: Command): string => (command.parent ? `${fullName(command.parent)} ${command.name()}` : command.name());
