import type { Command } from 'commander';
import { examples, isJson, list, number } from './help.ts';

export interface EventOptions {
  types?: string[];
  subject?: string;
  since: string;
  follow?: boolean;
  limit: number;
}

export function addEventCommands(program: Command): void {
  program
    .command('events')
    .summary('what happens')
    .description(
      'Shows what happened in your tenant, in order, as far back as it is kept (seven days), and with --follow what happens next.',
    )
    .option('--types <list>', 'only these, e.g. issue.flagged,ingestion.failed', list)
    .option('--subject <id>', 'only about this')
    .option('--since <event>', 'after the event with this id; oldest: all that are kept; now: what comes', 'oldest')
    .option('--follow', 'go on until interrupted')
    .option('--limit <n>', 'at most, without --follow', number(1, 500), 100)
    .addHelpText(
      'after',
      examples(
        ['signalbox events --follow', 'all that happens'],
        ['signalbox events --types issue.flagged --follow --since now --json', 'one JSON document per line'],
      ),
    )
    .action(async (options: EventOptions, command: Command) => (await import('../events.ts')).showEvents(options, isJson(command)));
}
