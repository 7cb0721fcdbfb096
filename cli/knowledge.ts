import { readFileSync, statSync } from 'node:fs';
import { basename, extname, resolve } from 'node:path';
import type { Job } from '../contracts/jobs.ts';
import type { IngestAnswer, SearchHit } from '../contracts/knowledge/knowledge.ts';
import { ok } from './client.ts';
import type { Ingestion } from './commands/knowledge.ts';
import { CliError, exits } from './exit.ts';
import { completed } from './jobs.ts';
import { aside, clean, elapsed, note, oneLine, paint, say, sayJson } from './output.ts';

/** Text formats that are sent inside the call. Other files are uploaded as artifacts, or Signalbox reads them from disk. */
const texts: Record<string, { format: string; tool: Submission['tool'] }> = {
  '.vtt': { format: 'vtt', tool: 'ingest.transcript.submit' },
  '.srt': { format: 'srt', tool: 'ingest.transcript.submit' },
  '.txt': { format: 'txt', tool: 'ingest.document.submit' },
  '.md': { format: 'md', tool: 'ingest.document.submit' },
  '.markdown': { format: 'md', tool: 'ingest.document.submit' },
};
/** The limit of a request's body, reduced because Base64 adds a third. */
const maxUploadBytes = 5 * 1024 * 1024;

export async function ingest({ files, ...wanted }: Ingestion): Promise<void> {
  const done = [];
  for (const file of files) done.push(await ingestOne(file, wanted));
  if (wanted.json) sayJson({ sources: done });
}

/** @param what a file, a folder, a zip archive, or a web address */
async function ingestOne(what: string, { title, tags, agentId, json }: Omit<Ingestion, 'files'>): Promise<Record<string, unknown>> {
  const started = performance.now();
  const { tool, args, name } = await submission(what, title);
  const answer = await ok(tool, { ...args, tags }, { agentId });
  const tell = (line: string): void => note(`${paint('dim', elapsed(started), process.stderr)}  ${line}`);
  if (!json) tell(`${name}: ${answer.data.job_id}`);
  const job = await completed(answer.data.job_id, json, tell);
  if (!json) {
    say(`${what}: ${summary(answer.data, job)}, ${elapsed(started).trim()}`);
    aside(answer);
  }
  return { file: what, source_id: answer.data.source_id, job_id: job.job_id, ...job.result };
}

function summary({ source_id }: IngestAnswer, { result }: Job): string {
  const chunks = Number(result?.['chunk_count'] ?? 0);
  const passages = `${chunks} ${chunks === 1 ? 'passage' : 'passages'}`;
  const counts = result?.['counts'] as IngestAnswer['counts'];
  if (!counts) return `${source_id}, ${passages}`;
  const { done, unchanged, refused, failed } = counts;
  const told = { taken: done, unchanged, refused, failed };
  return [...Object.entries(told).flatMap(([word, n]) => (n > 0 ? [`${n} ${word}`] : [])), passages].join(', ');
}

interface Submission {
  tool: 'ingest.document.submit' | 'ingest.transcript.submit' | 'ingest.url.submit';
  args: Record<string, unknown>;
  name: string;
}

async function submission(what: string, title: string | undefined): Promise<Submission> {
  if (/^https?:\/\//i.test(what)) return { tool: 'ingest.url.submit', args: { url: what, depth: 0 }, name: what };
  const path = resolve(what);
  const name = basename(path);
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) throw new CliError(exits.failed, 'NOT_FOUND', `Cannot read ${what}: there is no such file.`);
  const text = texts[extname(name).toLowerCase()];
  if (text) return { tool: text.tool, args: { content: readFileSync(path, 'utf8'), format: text.format, title: title ?? name }, name };
  const there: Submission = { tool: 'ingest.document.submit', args: { file_path: path, title }, name };
  if (found.isDirectory() || /\.zip$/i.test(name) || found.size > maxUploadBytes) return there;
  const { data } = await ok('substrate.artifact.upload', {
    content_base64: readFileSync(path).toString('base64'),
    media_type: 'application/octet-stream',
    filename: name,
  });
  return { tool: 'ingest.document.submit', args: { artifact_sha256: data.sha256, title: title ?? name }, name };
}

/** "00:12:03 Ana Ruiz" or "lines 4–9", depending on the source's format. */
export function placeOf(hit: SearchHit): string {
  const { place } = hit.metadata;
  const lines = place.start_line === undefined ? null : `lines ${place.start_line}–${place.end_line ?? place.start_line}`;
  const time = place.start_time?.replace(/\.\d+$/, '');
  return [time, place.speaker, place.headings?.join(' › '), place.page && `page ${place.page}`, time ? null : lines]
    .filter(Boolean)
    .join(', ');
}

export function showHits(hits: SearchHit[]): void {
  if (hits.length === 0) say('Nothing found.');
  hits.forEach((hit, i) => {
    const place = placeOf(hit);
    const where = place && ` ${paint('cyan', oneLine(place))}`;
    say(`${paint('bold', `${i + 1}. ${oneLine(hit.source)}`)}${where} ${paint('dim', `${hit.score.toFixed(2)} ${hit.citation}`)}`);
    say(`   ${clean(hit.content).trim().replaceAll('\n', '\n   ')}`);
    say();
  });
}
