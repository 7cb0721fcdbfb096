import type { Command } from 'commander';
import { examples, isJson, list, number, oneOf } from './help.ts';

// Not imported as values: help needs no zod.
const kinds = ['managed', 'worker', 'peer'] as const;

export interface AgentFilters {
  status?: string;
  kind?: string;
  limit: number;
}

export interface Registering {
  type: string;
  kind?: string;
  id?: string;
  endpoint?: string;
  card?: string;
  name?: string;
  can?: string[];
  stableKey?: string;
}

export interface Reading {
  agent?: string;
  all?: boolean;
  ack?: boolean;
  wait?: number;
  limit: number;
  agentId?: string;
}

export function addAgentCommands(program: Command): void {
  const agents = program
    .command('agents')
    .summary('who the agents are, how they do, and their messages')
    .description('Workers, managed agents and peers: whether they are there, what they can do, and what they say to each other.');
  const load = () => import('../agents.ts');

  agents
    .command('ls')
    .summary('list them with their health')
    .description('Lists registered agents with state, health, version, reported cost and latest action.')
    .option('--status <status>', 'active or paused', oneOf('active', 'paused'))
    .option('--kind <kind>', kinds.join(', '), oneOf(...kinds))
    .option('--limit <n>', 'at most', number(1, 100), 50)
    .addHelpText('after', examples(['signalbox agents ls', ''], ['signalbox agents ls --status paused --json', '']))
    .action(async (options: AgentFilters, command: Command) => (await load()).listAgents(options, isJson(command)));

  agents
    .command('get <id>')
    .summary('everything about one')
    .description('Shows an agent: where it is reached, what it can do, its objectives and how they are met.')
    .addHelpText('after', examples(['signalbox agents get builder-1', '']))
    .action(async (id: string, _options: object, command: Command) => (await load()).getAgent(id, isJson(command)));

  agents
    .command('register')
    .summary('make an agent known')
    .description('Registers a peer (with --endpoint or --card), a worker or a managed agent. Prints its id.')
    .requiredOption('--type <type>', 'what sort of agent it is, e.g. researcher')
    .option('--kind <kind>', 'worker or managed; a peer needs none', oneOf('worker', 'managed'))
    .option('--id <id>', 'of a worker or managed agent: the name it works under')
    .option('--endpoint <url>', 'of a peer: where it takes POST /a2a/tasks')
    .option('--card <url>', 'of a peer: the card of a standard A2A agent')
    .option('--name <name>', 'for people')
    .option('--can <list>', 'capabilities by name', list)
    .option('--stable-key <key>', 'of a peer: registered again under it, it is updated')
    .addHelpText(
      'after',
      examples(
        ['signalbox agents register --type researcher --endpoint https://agent.example --can summarize', 'a peer'],
        ['signalbox agents register --type assistant --card https://agent.example/.well-known/agent-card.json', 'a standard A2A agent'],
        ['signalbox agents register --type builder --id builder-1', 'a worker'],
      ),
    )
    .action(async (options: Registering, command: Command) => (await load()).registerAgent(options, isJson(command)));

  agents
    .command('deactivate <id>')
    .summary('pause one')
    .description('Pauses an agent: it claims no new tasks and nothing is delegated to it.')
    .requiredOption('--reason <text>', 'why')
    .addHelpText('after', examples(['signalbox agents deactivate builder-1 --reason "Too many errors"', '']))
    .action(async (id: string, options: { reason: string }, command: Command) =>
      (await load()).deactivateAgent(id, options.reason, isJson(command)),
    );

  agents
    .command('activate <id>')
    .summary('let a paused one go on')
    .description('Ends the pause of an agent.')
    .addHelpText('after', examples(['signalbox agents activate builder-1', '']))
    .action(async (id: string, _options: object, command: Command) => (await load()).activateAgent(id, isJson(command)));

  agents
    .command('messages')
    .summary('read an inbox')
    .description('Shows unread messages, oldest first. People may read the inbox of any agent.')
    .option('--agent <id>', 'whose; default: your own')
    .option('--all', 'also those that were read')
    .option('--ack', 'mark what is shown as read')
    .option('--wait <seconds>', 'wait for one when there is none', number(1, 30))
    .option('--limit <n>', 'at most', number(1, 100), 20)
    .option('--agent-id <id>', 'the worker in whose name it is done; default: the key')
    .addHelpText(
      'after',
      examples(['signalbox agents messages --agent builder-1', ''], ['signalbox agents messages --agent-id builder-1 --wait 30 --ack', '']),
    )
    .action(async (options: Reading, command: Command) => (await load()).readMessages(options, isJson(command)));

  agents
    .command('send <id> <message...>')
    .summary('send a message')
    .description('Puts a message into the inbox of an agent, where it stays until it is read.')
    .option('--agent-id <id>', 'the worker in whose name it is sent; default: the key')
    .addHelpText('after', examples(['signalbox agents send builder-1 "The schema has changed"', '']))
    .action(async (id: string, words: string[], options: { agentId?: string }, command: Command) =>
      (await load()).sendMessage(id, words.join(' '), options.agentId, isJson(command)),
    );
}
