import { type Command, InvalidArgumentError } from 'commander';
import { channels } from '../../contracts/outbound/notifications.ts';
import { examples, isJson, list, number } from './help.ts';

export interface RunOptions {
  date?: string;
  notify?: boolean;
}

export interface ConfigureOptions {
  topic?: { name: string; keywords: string[]; weight?: number }[];
  at?: string;
  timeZone?: string;
  to?: { channel: string; recipient: string }[];
  sources?: string[];
  maxHighlights?: number;
  enabled?: boolean;
}

function date(text: string): string {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) throw new InvalidArgumentError('A day like 2026-11-14.');
  return text;
}

/** `name`, `name=word,other word`, with `@2` at the end for its weight. */
function topic(text: string, before: ConfigureOptions['topic'] = []): NonNullable<ConfigureOptions['topic']> {
  const [, name = '', words = '', weight] = /^([^=@]+)(?:=([^@]*))?(?:@(\d+(?:\.\d+)?))?$/.exec(text) ?? [];
  if (name.trim() === '') throw new InvalidArgumentError('A topic like "cloud security=breach,ransomware@2".');
  return [...before, { name: name.trim(), keywords: list(words), ...(weight === undefined ? {} : { weight: Number(weight) }) }];
}

function recipient(text: string, before: ConfigureOptions['to'] = []): NonNullable<ConfigureOptions['to']> {
  const [, channel, address] = new RegExp(`^(${channels.join('|')}):(.+)$`).exec(text) ?? [];
  if (!channel || !address)
    throw new InvalidArgumentError(`One of ${channels.join(', ')}, a colon, and where to, e.g. email:pm@acme.test.`);
  return [...before, { channel, recipient: address }];
}

export function addBriefCommands(program: Command): void {
  const briefs = program
    .command('brief')
    .summary('the daily brief of the feeds')
    .description('What the feeds told on a day: each story once, judged by the configured topics, with what it rests on.');
  const load = () => import('../brief.ts');

  briefs
    .command('run')
    .summary('make or refresh the brief of a day')
    .description('Reads the feeds, judges and stores their articles, makes the brief and follows it to its end.')
    .option('--date <date>', 'default: today, in the configured time zone', date)
    .option('--notify', 'tell the recipients again')
    .option('--no-notify', 'tell nobody')
    .addHelpText(
      'after',
      examples(['signalbox brief run', 'today; readers are told once a day'], ['signalbox brief run --date 2026-11-14 --json', '']),
    )
    .action(async (options: RunOptions, command: Command) => (await load()).runBrief(options, isJson(command)));

  briefs
    .command('show')
    .argument('[date]', 'default: the newest', date)
    .summary('read one')
    .description('Prints a brief as Markdown.')
    .addHelpText('after', examples(['signalbox brief show', 'the newest'], ['signalbox brief show 2026-11-14 --json', 'with its evidence']))
    .action(async (day: string | undefined, _options: unknown, command: Command) => (await load()).showBrief(day, isJson(command)));

  briefs
    .command('list')
    .summary('which there are')
    .description('Lists briefs, newest day first.')
    .option('--limit <n>', 'at most', number(1, 100), 20)
    .addHelpText('after', examples(['signalbox brief list', '']))
    .action(async (options: { limit: number }, command: Command) => (await load()).listBriefs(options.limit, isJson(command)));

  briefs
    .command('configure')
    .summary('topics, time, recipients')
    .description('Changes what is given and shows what holds then.')
    .option('--topic <topic>', 'name=word,word@weight; repeated: all topics', topic)
    .option('--at <time>', 'e.g. 07:00')
    .option('--time-zone <name>', 'e.g. Europe/Berlin')
    .option('--to <recipient>', 'slack:…, email:… or webhook:…; repeated: all recipients', recipient)
    .option('--sources <feeds>', 'ids of the feeds it is made from', list)
    .option('--max-highlights <n>', 'stories in a brief', number(1, 20))
    .option('--enabled', 'make it every day')
    .option('--no-enabled', 'only when asked')
    .addHelpText(
      'after',
      examples(
        ['signalbox brief configure', 'shows what holds'],
        ['signalbox brief configure --topic "AI=language model@2" --topic security', ''],
        ['signalbox brief configure --at 07:00 --time-zone Europe/Berlin --to email:pm@acme.test --enabled', ''],
      ),
    )
    .action(async (options: ConfigureOptions, command: Command) => (await load()).configureBrief(options, isJson(command)));
}
