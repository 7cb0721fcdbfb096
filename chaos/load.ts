/** Actors during kills: creators of task graphs, agents, and librarians. */
import type { CarefulCaller } from './caller.ts';
import type { Claimed, Journal } from './journal.ts';
import type { Random } from './random.ts';

export const phase = 2;
/** Phase of tasks that nobody claims: waiting and blocked tasks must stay unchanged. */
export const bystanderPhase = 3;

interface Task {
  id: string;
  status: string;
  fencing_token: number;
  started_at: string;
  lease_expires_at: string;
}

export interface Load {
  caller: CarefulCaller;
  journal: Journal;
  /** Set to stop: actors finish their work and start no new one. */
  winding: { down: boolean };
}

/** Number of open tasks at which creators pause. */
const plenty = 60;
/** Seconds: short enough that abandoned tasks come back during the run. */
const leases = [8, 15, 30];
const attempts = 20;

/** Creates small task graphs: two roots, one task that waits for both, and one that waits for that. */
export async function creator({ caller, journal, winding }: Load, name: string, random: Random): Promise<void> {
  for (let graph = 0; !winding.down; graph += 1) {
    if (journal.created.size - journal.completed.size > plenty) {
      await pause(100);
      continue;
    }
    const shape: number[][] = random.chance(0.5) ? [[], [], [0, 1], [2]] : [[], [0], [0], [1, 2]];
    const ids: string[] = [];
    for (const [n, blockers] of shape.entries()) {
      const id = await create(
        { caller, journal },
        `${name} ${graph}.${n}`,
        phase,
        blockers.map((index) => ids[index]!),
        random.pick(leases),
      );
      ids.push(id);
    }
  }
}

export async function create(
  { caller, journal }: Pick<Load, 'caller' | 'journal'>,
  description: string,
  phaseId: number,
  blockers: string[],
  lease: number,
): Promise<string> {
  const { data, reason } = await caller.write<{ task: Task }>('work.task.create', {
    description,
    phase_id: phaseId,
    blocked_by: blockers,
    lease_seconds: lease,
    max_attempts: attempts,
  });
  if (!data) throw new Error(`work.task.create was refused: ${reason}`);
  if (journal.created.has(data.task.id)) journal.violations.push(`Two creates were answered with ${data.task.id}.`);
  journal.created.set(data.task.id, { id: data.task.id, description, blockers });
  return data.task.id;
}

/** Claims tasks, sends heartbeats, and completes, releases or abandons them, until none is left. */
export async function agent({ caller, journal, winding }: Load, base: string, random: Random, allDone: () => boolean): Promise<void> {
  let life = 0;
  for (;;) {
    const name = `${base}-${life}`;
    const { data } = await caller.write<{ task: Task | null }>('work.task.claim', { phase_id: phase }, name);
    if (!data?.task) {
      if (winding.down && allDone()) return;
      await pause(100);
      continue;
    }
    const { task } = data;
    const claim: Claimed = {
      task: task.id,
      agent: name,
      token: task.fencing_token,
      startedAt: Date.parse(task.started_at),
      leaseUntil: Date.parse(task.lease_expires_at),
    };
    journal.claims.push(claim);
    const lease = { task_id: task.id, fencing_token: task.fencing_token };
    for (let beats = Math.floor(random.between(0, 3)); beats > 0; beats -= 1) {
      const beat = await caller.write<{ lease_expires_at: string }>('work.task.heartbeat', { ...lease, progress: `${beats} to go` }, name);
      if (beat.data) claim.leaseUntil = Math.max(claim.leaseUntil, Date.parse(beat.data.lease_expires_at));
    }
    const fate = random.next();
    if (fate < 0.06 && !winding.down) {
      // Abandons the task: the lease must expire, and another agent get the task.
      life += 1;
      continue;
    }
    claim.endAskedAt = Date.now();
    if (fate < 0.14 && !winding.down) {
      await caller.write('work.task.release', lease, name);
      continue;
    }
    const done = await caller.write<{ task: Task; unblocked_tasks: string[] }>(
      'work.task.complete',
      { ...lease, result: `by ${name}` },
      name,
    );
    if (!done.data) continue;
    if (journal.completed.has(task.id)) journal.violations.push(`${task.id} was completed twice.`);
    journal.completed.add(task.id);
    journal.unblocked.push(...done.data.unblocked_tasks);
    if (random.chance(0.1)) {
      const { data: seen } = await caller.read<{ task: Task }>('work.task.get', { task_id: task.id });
      if (seen && seen.task.status !== 'done')
        journal.violations.push(`${task.id} was acknowledged as done and then read as ${seen.task.status}.`);
    }
  }
}

/** Ingests transcripts, new ones and new versions of old ones, and searches for acknowledged ones. */
export async function librarian({ caller, journal, winding }: Load, name: string, random: Random): Promise<void> {
  for (let n = 0; !winding.down; n += 1) {
    const mine = [...journal.ingested.keys()].filter((title) => title.startsWith(`${name} `));
    const title = mine.length > 0 && random.chance(0.35) ? random.pick(mine) : `${name} call ${n}`;
    const marker = `${name}q${n}z${Math.floor(random.next() * 1e6)}`;
    const { data, reason } = await caller.write<Ingestion>('ingest.transcript.submit', {
      title,
      content: transcript(title, marker, random),
      format: 'vtt',
    });
    if (!data) throw new Error(`ingest.transcript.submit was refused: ${reason}`);
    const finished = await followed(caller, data);
    if (finished.status !== 'completed') {
      journal.violations.push(
        `The ingestion of "${title}" (${data.job_id}) ended as ${finished.status}: ${JSON.stringify(finished.error)}`,
      );
      continue;
    }
    const former = journal.ingested.get(title);
    if (former) journal.replaced.push(former);
    const result = finished.result ?? { document_id: '' };
    journal.ingested.set(title, { title, marker, source: data.source_id, document: result.document_id });
    await look(caller, journal, title, marker, data.source_id);
  }
}

interface Ingestion {
  job_id: string;
  status: string;
  source_id: string;
}
interface Job {
  status: string;
  error?: unknown;
  result?: { document_id: string } | null;
}

/** Waits for the end of a job. */
export async function followed(caller: CarefulCaller, submitted: { job_id: string }): Promise<Job> {
  for (;;) {
    const { data, reason } = await caller.read<{ job: Job }>('system.job.get', { job_id: submitted.job_id, wait_seconds: 5 });
    if (!data) throw new Error(`system.job.get was refused: ${reason}`);
    if (['completed', 'failed', 'cancelled'].includes(data.job.status)) return data.job;
  }
}

export async function look(caller: CarefulCaller, journal: Journal, title: string, marker: string, source: string): Promise<boolean> {
  const { data } = await caller.read<{ hits: { source_id: string; content: string }[] }>('index.chunk.search', { query: marker, limit: 5 });
  const found = data?.hits.some((hit) => hit.source_id === source && hit.content.includes(marker)) ?? false;
  if (!found) journal.violations.push(`"${title}" was acknowledged as ingested, and a search for its word ${marker} does not find it.`);
  return found;
}

const lines = [
  'The export stops half-way when the report has more than a thousand rows.',
  'We would pay for single sign-on if it came before the audit.',
  'Our people like the new board, though it is slow on the tablet.',
  'Could the weekly summary go to the whole team?',
  'The import lost two attachments last week, and nobody was told.',
];

function transcript(title: string, marker: string, random: Random): string {
  const time = (minute: number): string => `00:${String(minute).padStart(2, '0')}:00.000`;
  const cues = Array.from(
    { length: 8 },
    (_, i) => `${time(i)} --> ${time(i + 1)}\n<v Customer ${i % 3}>${random.pick(lines)}${i === 4 ? ` Reference ${marker}.` : ''}`,
  );
  return `WEBVTT\n\nNOTE ${title}\n\n${cues.join('\n\n')}\n`;
}

/** Reads the board and writes a comment ten times per second, each as a new call, to measure when the product serves at all. */
export async function pulse({ caller, winding }: Load, task: string): Promise<void> {
  for (let n = 0; !winding.down; n += 1) {
    await Promise.all([
      caller.once('read', 'work.board.get', {}),
      caller.once('write', 'work.task.comment', { task_id: task, body: `beat ${n}` }),
    ]);
    await pause(100);
  }
}

/** The pauses of the load itself. */
export const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));
