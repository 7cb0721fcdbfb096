/** Every command with its options and help; the tree is also what completion and docs/cli.md are made from. */
import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { version } from '../platform/version.ts';
import { addAgentCommands } from './commands/agents.ts';
import { addApprovalCommands } from './commands/approvals.ts';
import { addBriefCommands } from './commands/brief.ts';
import { addConnectCommands } from './commands/connect.ts';
import { addEntityCommands } from './commands/entities.ts';
import { addFeedCommands } from './commands/feeds.ts';
import { addEventCommands } from './commands/events.ts';
import { addInsightCommands } from './commands/insight.ts';
import { addJobCommands } from './commands/jobs.ts';
import { addKeyCommands } from './commands/keys.ts';
import { addKnowledgeCommands } from './commands/knowledge.ts';
import { addModelCommands } from './commands/models.ts';
import { addServerCommands } from './commands/servers.ts';
import { addStackCommands } from './commands/stack.ts';
import { addToolCommands } from './commands/tools.ts';
import { addWorkCommands } from './commands/work.ts';

const after = `
Start with:
  $ signalbox up --detach         start everything, come back when it is ready
  $ signalbox connect cursor      how to connect a client
  $ signalbox tools ls            what can be called

Where commands connect to: SIGNALBOX_URL, else the stack of this folder (.signalbox/runtime.json).
With which key:            SIGNALBOX_API_KEY, else the local key of that stack.
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
  addStackCommands(program);
  addKeyCommands(program);
  addToolCommands(program);
  addKnowledgeCommands(program);
  addEntityCommands(program);
  addInsightCommands(program);
  addEventCommands(program);
  addFeedCommands(program);
  addBriefCommands(program);
  addWorkCommands(program);
  addAgentCommands(program);
  addServerCommands(program);
  addApprovalCommands(program);
  addJobCommands(program);
  addModelCommands(program);
  addConnectCommands(program);
  throwInsteadOfExit(program);
  return program;
}

/** Exit codes are main.ts's business. Errors of usage name the help that would have prevented them. */
function throwInsteadOfExit(command: Command): void {
  command.exitOverride();
  command.showHelpAfterError(`(${fullName(command)} --help shows how)`);
  for (const inner of command.commands) throwInsteadOfExit(inner);
}

const fullName = (command: Command): string => (command.parent ? `${fullName(command.parent)} ${command.name()}` : command.name());
