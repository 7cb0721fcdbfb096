import { readFileSync } from 'node:fs';
import { basename, extname } from 'node:path';
import type { IngestAnswer, SearchHit } from '../contracts/knowledge.ts';
import { ok } from './client.ts';
import type { IngestOptions, SearchOptions } from './commands/knowledge.ts';
import { CliError, exits } from './exit.ts';
import { failedJob, followJob, progressLine } from './jobs.ts';
import { clean, defined, elapsed, note, oneLine, paint, say, sayJson } from './output.ts';
import { aside } from './tools.ts';

const formats: Record<string, { format: string; tool: string }> = {
  '.vtt': { format: 'vtt', tool: 'ingest.transcript.submit' },
  '.srt': { format: 'srt', tool: 'ingest.transcript.submit' },
  '.txt': { format: 'txt', tool: 'ingest.document.submit' },
  '.md': { format: 'md', tool: 'ingest.document.submit' },
  '.markdown': { format: 'md', tool: 'ingest.document.submit' },
};

export async function ingest(files: string[], options: IngestOptions, json: boolean): Promise<void> {
  const done = [];
  for (const file of files) done.push(await ingestOne(file, options, json));
  if (json) sayJson({ sources: done });
}

async function ingestOne(file: string, options: IngestOptions, json: boolean): Promise<Record<string, unknown>> {
  const kind = formats[extname(file).toLowerCase()];
  if (!kind)
    throw new CliError(exits.failed, 'VALIDATION_ERROR', `${file}: this format is not known.`, {
      hint: `Known: ${Object.keys(formats).join(', ')}.`,
    });
  const started = performance.now();
  const answer = await ok<IngestAnswer>(
    kind.tool,
    defined({ content: read(file), format: kind.format, title: options.title ?? basename(file), tags: options.tags }),
    { agentId: options.agentId },
  );
  const tell = (line: string): void => (json ? undefined : note(`${paint('dim', elapsed(started), process.stderr)}  ${line}`));
  tell(`${basename(file)}: ${answer.data.job_id}`);
  const job = await followJob(answer.data.job_id, json ? undefined : (state) => tell(progressLine(state)));
  if (job.status !== 'completed') throw failedJob(job);
  const result = { file, source_id: answer.data.source_id, job_id: job.job_id, ...job.result };
  if (!json) {
    const chunks = job.result?.['chunk_count'];
    say(`${file}: ${answer.data.source_id}${chunks === undefined ? '' : `, ${String(chunks)} passages`}, ${elapsed(started).trim()}`);
    aside({ warnings: answer.warnings, refs: answer.refs });
  }
  return result;
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new CliError(
      exits.failed,
      'NOT_FOUND',
      `Cannot read ${file}: ${(error as NodeJS.ErrnoException).code ?? (error as Error).message}`,
    );
  }
}

/** "00:12:03 Ana Ruiz" or "lines 4–9", as far as the source's format knows it. */
export function placeOf(hit: SearchHit): string {
  const { place } = hit.metadata;
  const lines = place.start_line === undefined ? null : `lines ${place.start_line}–${place.end_line ?? place.start_line}`;
  const time = place.start_time?.replace(/\.\d+$/, '');
  return [time, place.speaker, place.headings?.join(' › '), place.page && `page ${place.page}`, time ? null : lines]
    .filter(Boolean)
    .join(', ');
}

export async function search(query: string, options: SearchOptions, json: boolean): Promise<void> {
  const answer = await ok<{ hits: SearchHit[] }>(
    'index.chunk.search',
    defined({ query, mode: options.mode, limit: options.limit, filters: options.tags && { tags: options.tags } }),
  );
  if (json) return sayJson(answer.data);
  if (answer.data.hits.length === 0) say('Nothing found.');
  answer.data.hits.forEach((hit, i) => {
    const where = placeOf(hit);
    say(
      `${paint('bold', `${i + 1}. ${oneLine(hit.source)}`)}${where ? ` ${paint('cyan', oneLine(where))}` : ''} ${paint('dim', `${hit.score.toFixed(2)} ${hit.citation}`)}`,
    );
    say(`   ${clean(hit.content).trim().replaceAll('\n', '\n   ')}`);
    say();
  });
  aside(answer);
}
