import type { Command } from 'commander';
import { examples, isJson, list, number, oneOf } from './help.ts';

export interface IngestOptions {
  title?: string;
  tags?: string[];
  agentId?: string;
}

export interface SearchOptions {
  mode?: string;
  limit: number;
  tags?: string[];
}

export function addKnowledgeCommands(program: Command): void {
  const load = () => import('../knowledge.ts');

  program
    .command('ingest <files...>')
    .summary('make documents searchable')
    .description(
      'Takes in files (transcripts, PDF, Office, HTML, e-mail, text), folders and zip archives, and web addresses. The same content twice is one document. Folders and archives are read where Signalbox runs, inside INGEST_ROOTS.',
    )
    .option('--title <title>', 'default: the name of the file')
    .option('--tags <list>', 'words to filter by', list)
    .option('--agent-id <id>', 'the worker in whose name it is done')
    .addHelpText(
      'after',
      examples(
        ['signalbox ingest meeting.vtt --tags acme,renewal', ''],
        ['signalbox ingest handbook.pdf contracts/ https://example.com/faq', 'a file, a folder, a page'],
        ['signalbox ingest notes/*.md --json', 'what became of each'],
      ),
    )
    .action(async (files: string[], options: IngestOptions, command: Command) => (await load()).ingest(files, options, isJson(command)));

  program
    .command('search <text...>')
    .summary('find passages, with their place in the source')
    .description('Searches what was ingested. Each hit is cited: source, time and speaker or lines.')
    .option('--mode <mode>', 'hybrid (words and meaning) or semantic (meaning alone)', oneOf('hybrid', 'semantic'))
    .option('--limit <n>', 'at most', number(1, 50), 5)
    .option('--tags <list>', 'in sources that carry these', list)
    .addHelpText(
      'after',
      examples(
        ['signalbox search why did they postpone the rollout', ''],
        ['signalbox search "login fails" --mode semantic --limit 10 --json', ''],
      ),
    )
    .action(async (words: string[], options: SearchOptions, command: Command) =>
      (await load()).search(words.join(' '), options, isJson(command)),
    );
}
