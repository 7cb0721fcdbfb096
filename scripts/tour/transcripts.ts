import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { placeOf } from '../../cli/knowledge.ts';
import { oneLine } from '../../cli/output.ts';
import type { Envelope } from '../../contracts/envelope.ts';
import type { Job } from '../../contracts/jobs.ts';
import type { IngestAnswer, SearchHit } from '../../contracts/knowledge/knowledge.ts';
import type { Agent } from './agent.ts';
import { expect, type Tell } from './narrate.ts';

const base = 'tour';
const root = join(import.meta.dirname, '..', '..');

interface Meeting {
  title: string;
  format: 'vtt' | 'txt';
  content: string;
  question: string;
  /** What the cited passage must say. */
  answer: RegExp;
}

const own: Meeting = {
  title: 'Rollout review: ticket scanners',
  format: 'vtt',
  content: readFileSync(join(import.meta.dirname, 'rollout-review.vtt'), 'utf8'),
  question: 'why was the rollout to the other boats postponed?',
  answer: /rain hoods/,
};

/** A recorded product meeting of the QMSum collection, if it is beside the checkout. */
function recorded(): Meeting | null {
  const file = join(root, '..', 'shared', 'data', '4-signals', 'qmsum_product_val.jsonl');
  if (!existsSync(file)) return null;
  const line = readFileSync(file, 'utf8').split('\n')[1] ?? '';
  const { meeting_transcripts: turns } = JSON.parse(line) as { meeting_transcripts: { speaker: string; content: string }[] };
  const content = turns
    .map(
      (turn) =>
        `${turn.speaker}: ${turn.content
          .replaceAll(/\{[^}]*\}/g, '')
          .replaceAll(/\s+/g, ' ')
          .trim()}`,
    )
    .join('\n');
  return {
    title: 'Remote control design meeting',
    format: 'txt',
    content,
    question: 'does the remote control have to work for DVD players too?',
    answer: /television only/,
  };
}

/** Ingests the meetings, asks each its question, and shows the cited passage. */
export async function takeIn(me: Agent, tell: Tell): Promise<{ link: string | undefined }> {
  let link: string | undefined;
  for (const meeting of [recorded(), own]) {
    if (meeting === null) continue;
    const { title, format, content } = meeting;
    const answer = await me.call('ingest.transcript.submit', { title, format, content, kb_id: base, tags: ['tour'] });
    expect(!answer.error, `"${title}" is taken in (${answer.error?.message})`);
    const job = await finished(me, answer);
    tell(`"${title}", ${Math.round(content.length / 1024)} KB: ${String(job.result?.['chunk_count'] ?? '?')} passages`);
    link = answer.refs.find((ref) => ref.type === 'workflow')?.url ?? link;

    const found = await me.ok<{ hits: SearchHit[]; search_time_ms: number }>('index.chunk.search', {
      query: meeting.question,
      limit: 5,
      filters: { kb_id: base },
    });
    const hit = found.hits.find((each) => meeting.answer.test(each.content));
    expect(hit !== undefined, `"${meeting.question}" finds the passage about ${meeting.answer.source}`);
    expect(hit.metadata.place.speaker !== undefined, 'the passage names its speaker');
    tell(`"${meeting.question}" (${found.search_time_ms} ms)`);
    tell(`  “${excerpt(oneLine(hit.content), meeting.answer)}”`);
    tell(`  ${hit.source}, ${placeOf(hit)} [${hit.citation}]`);
  }
  return { link };
}

async function finished(me: Agent, answer: Envelope): Promise<Job> {
  const { job_id } = answer.data as IngestAnswer;
  for (;;) {
    const { job } = await me.ok<{ job: Job }>('system.job.get', { job_id, wait_seconds: 20 });
    expect(job.status !== 'failed' && job.status !== 'cancelled', `the ingestion succeeds (${job.error?.message})`);
    if (job.status === 'completed') return job;
  }
}

/** The sentence with the answer and its neighbours. */
function excerpt(text: string, around: RegExp): string {
  const at = text.search(around);
  const from = Math.max(0, at - 110);
  const to = Math.min(text.length, at + 130);
  return `${from > 0 ? '…' : ''}${text.slice(from, to).trim()}${to < text.length ? '…' : ''}`;
}
