import type { Command } from 'commander';
import { examples, isJson, list, number } from './help.ts';

export interface EntityFilters {
  type?: string;
  limit: number;
}

export interface RelatedOptions {
  type?: string;
  hops: number;
  only?: string[];
  limit: number;
}

const typeHelp = 'customer, feature, issue, theme, stakeholder, or another type';

export function addEntityCommands(program: Command): void {
  const entities = program
    .command('entities')
    .summary('who and what the documents are about')
    .description('Customers, features, issues, themes, people and other things that were found in what was ingested.');
  const load = () => import('../entities.ts');

  entities
    .command('ls [search...]')
    .summary('list them, most mentioned first')
    .description('Lists entities, or finds them by a name or the beginning of one.')
    .option('--type <type>', typeHelp)
    .option('--limit <n>', 'at most', number(1, 100), 25)
    .addHelpText('after', examples(['signalbox entities ls --type customer', ''], ['signalbox entities ls pay', '']))
    .action(async (words: string[], options: EntityFilters, command: Command) =>
      (await load()).listEntities(words.join(' '), options, isJson(command)),
    );

  entities
    .command('get <name...>')
    .summary('everything about one')
    .description('Shows an entity by its id or by any of its names.')
    .option('--type <type>', typeHelp)
    .addHelpText('after', examples(['signalbox entities get Acme --type customer', '']))
    .action(async (words: string[], options: { type?: string }, command: Command) =>
      (await load()).getEntity(words.join(' '), options, isJson(command)),
    );

  entities
    .command('related <name...>')
    .summary('what hangs together with one')
    .description('Shows what is connected with an entity, nearest first, and over what.')
    .option('--type <type>', typeHelp)
    .option('--hops <n>', 'steps away', number(1, 4), 2)
    .option('--only <list>', 'only entities of these types', list)
    .option('--limit <n>', 'at most', number(1, 100), 25)
    .addHelpText('after', examples(['signalbox entities related Acme --hops 3 --only issue,feature', '']))
    .action(async (words: string[], options: RelatedOptions, command: Command) =>
      (await load()).relatedEntities(words.join(' '), options, isJson(command)),
    );
}
