import { type Command, InvalidArgumentError } from 'commander';
import { exportFormats, exportTypes } from '../../contracts/governance/exports.ts';
import { examples, isJson, number, oneOf } from './help.ts';

export interface ExportOptions {
  format: (typeof exportFormats)[number];
  from?: string;
  to?: string;
  out?: string;
}

export interface LedgerFilters {
  tool?: string;
  call?: string;
  type?: 'started' | 'completed' | 'failed';
  principal?: string;
  error?: string;
  since?: string;
  until?: string;
  limit: number;
}

const unit: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** `15m`, `2h`, `1d` ago, or a point in time. @returns ISO time */
function time(text: string): string {
  const [, count, of] = /^(\d+)([smhd])$/.exec(text) ?? [];
  const at = count && of ? Date.now() - Number(count) * (unit[of] ?? 0) * 1000 : Date.parse(text);
  if (Number.isNaN(at)) throw new InvalidArgumentError('A span like 15m, 2h, 1d, or a time like 2026-01-31T08:00:00Z.');
  return new Date(at).toISOString();
}

export function addJobCommands(program: Command): void {
  const jobs = program
    .command('jobs')
    .summary('look at and cancel long-running work')
    .description('Work that goes on after its call was answered, such as an ingestion.');
  const load = () => import('../jobs.ts');

  jobs
    .command('get <id>')
    .summary('state, progress and result')
    .description('Shows a job.')
    .option('--wait', 'until it has ended')
    .addHelpText(
      'after',
      examples(['signalbox jobs get job_01jd3f8k2m9x', ''], ['signalbox jobs get job_01jd3f8k2m9x --wait', 'follows it to its end']),
    )
    .action(async (id: string, options: { wait?: boolean }, command: Command) => (await load()).getJob(id, options, isJson(command)));

  jobs
    .command('cancel <id>')
    .summary('stop a job')
    .description('Asks a job to stop. What it has written so far it takes back.')
    .addHelpText('after', examples(['signalbox jobs cancel job_01jd3f8k2m9x', '']))
    .action(async (id: string, _options: unknown, command: Command) => (await load()).cancelJob(id, isJson(command)));

  const ledger = program
    .command('ledger')
    .summary('who called what, with which outcome')
    .description('Searches the record of all calls of your tenant, newest first. It holds hashes and references, never arguments.')
    .option('--tool <name>', 'calls of this tool')
    .option('--call <id>', 'one call')
    .option('--type <type>', 'started, completed or failed', oneOf('started', 'completed', 'failed'))
    .option('--principal <name>', 'calls of this worker or person')
    .option('--error <code>', 'failed with this code, e.g. CONFLICT')
    .option('--since <time>', 'e.g. 15m, 2h, 1d or a time', time)
    .option('--until <time>', 'likewise', time)
    .option('--limit <n>', 'at most', number(1, 100), 30)
    .addHelpText(
      'after',
      examples(
        ['signalbox ledger --since 1h --type failed', 'what went wrong lately'],
        ['signalbox ledger --principal builder-1 --tool work.task.complete', ''],
      ),
    )
    .action(async (options: LedgerFilters, command: Command) => (await load()).searchLedger(options, isJson(command)));

  ledger
    .command('verify')
    .summary('has it been changed?')
    .description(
      'Holds the ledger of your tenant, or an exported file of it, against its chain. Exit code 1 when something was changed, taken out or put in. A file is checked here, without a server, under the key of the installation that wrote it.',
    )
    .option('--file <path>', 'of signalbox ledger export')
    .addHelpText(
      'after',
      examples(
        ['signalbox ledger verify --json', 'with the head of the chain, to be kept elsewhere'],
        ['signalbox ledger verify --file ledger.jsonl', 'offline'],
      ),
    )
    .action(async (options: { file?: string }, command: Command) => {
      if (options.file === undefined) return (await load()).verifyLedger(isJson(command));
      const { verifyLedgerFile } = await import('../exports.ts');
      return await verifyLedgerFile(options.file, isJson(command));
    });

  ledger
    .command('export')
    .summary('into a file')
    .description('Writes the ledger, or the part that the options of signalbox ledger name, into a file of JSON lines.')
    .option('--out <path>', 'the file; default: its own name, here')
    .addHelpText(
      'after',
      examples(
        ['signalbox ledger --since 30d export --out ledger.jsonl', 'the last 30 days, with links'],
        ['signalbox ledger export --json', 'where the file is and what it holds'],
      ),
    )
    .action(async (options: { out?: string }, command: Command) => {
      const { exportLedger } = await import('../exports.ts');
      return await exportLedger({ ...command.parent!.opts<LedgerFilters>(), ...options }, isJson(command));
    });

  program
    .command('export')
    .argument('<type>', 'what', oneOf(...exportTypes))
    .summary('write records into a file')
    .description(
      `Writes records of your tenant into a file: ${exportTypes.join(', ')}. JSON is exact; CSV is a zip with one file per table.`,
    )
    .option('--format <format>', exportFormats.join(' or '), oneOf(...exportFormats), 'json')
    .option('--from <date>', 'from this date on, e.g. 2026-01-01')
    .option('--to <date>', 'until this date, included')
    .option('--out <path>', 'the file; default: its own name, here')
    .addHelpText(
      'after',
      examples(
        ['signalbox export signals --format csv --from 2026-01-01', 'for a spreadsheet'],
        ['signalbox export full_backup --out backup.json', 'everything'],
      ),
    )
    .action(async (type: (typeof exportTypes)[number], options: ExportOptions, command: Command) => {
      const { exportRecords } = await import('../exports.ts');
      await exportRecords(type, options, isJson(command));
    });
}
