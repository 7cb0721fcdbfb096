import type { Command } from 'commander';
import { examples, isJson, number } from './help.ts';

export function addModelCommands(program: Command): void {
  const models = program
    .command('models')
    .summary('the language model, if one is configured')
    .description('Everything works without a language model; one that is configured (LLM_PROVIDER and the like) makes it better.');
  const load = () => import('../models.ts');

  models
    .command('test')
    .summary('ask it once')
    .description(
      'Asks the model that the environment of this command names one small question, and says how long it took and what it used.',
    )
    .addHelpText('after', examples(['LLM_PROVIDER=anthropic LLM_MODEL=… LLM_API_KEY=… signalbox models test', '']))
    .action(async (_options: object, command: Command) => (await load()).testModel(isJson(command)));

  models
    .command('usage')
    .summary('what was used of it')
    .description('Shows which model is configured, what your tenant used of it, and the budget of a day.')
    .option('--days <n>', 'how many days back', number(1, 366), 7)
    .addHelpText('after', examples(['signalbox models usage --days 30', '']))
    .action(async ({ days }: { days: number }, command: Command) => (await load()).modelUsage(days, isJson(command)));
}
