import type { Command } from 'commander';
import { examples, isJson } from './help.ts';

export function addInsightCommands(program: Command): void {
  program
    .command('recount')
    .summary('count all signals of your tenant again')
    .description(
      'Rebuilds the counts behind heatmaps, trends and profiles from the signals, and says how many were wrong. Needed only after a repair of the database by hand.',
    )
    .addHelpText('after', examples(['signalbox recount', '']))
    .action(async (_options: object, command: Command) => (await import('../insight.ts')).recount(isJson(command)));
}
