/** Actors that ingest folders, save memories and delete sources during kills. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pause, type Load } from './load.ts';
import type { Random } from './random.ts';

interface Job {
  status: string;
  error?: unknown;
  result?: { counts?: Record<string, number> } | null;
}

/** Number of files of a folder: a little more than a batch; the first folder is large enough for many kills. */
const filesOf = (name: string): number => (name === 'folder-0' ? 400 : 30);

/** Writes folders, ingests them, changes some of their files, and ingests them again. */
export async function archivist({ caller, journal, winding }: Load, root: string, random: Random): Promise<void> {
  for (let n = 0; !winding.down; n += 1) {
    const name = n > 0 && random.chance(0.3) ? `folder-${Math.floor(random.next() * n)}` : `folder-${n}`;
    const known = journal.folders.get(name);
    const folder = join(root, name);
    mkdirSync(folder, { recursive: true });
    const markers = new Map(known ?? []);
    const files = filesOf(name);
    for (let i = 0; i < files; i += 1) {
      if (known && !random.chance(0.2)) continue;
      const marker = `${name.replace('-', '')}f${i}v${n}`;
      writeFileSync(join(folder, `${i}.txt`), `Report ${i} of ${name}. Its reference is ${marker}.`);
      markers.set(`${i}.txt`, marker);
    }
    const { data, reason } = await caller.write<{ job_id: string }>('ingest.document.submit', { file_path: folder, kb_id: name });
    if (!data) throw new Error(`the folder ${name} was refused: ${reason}`);
    const job = await ended(caller, data.job_id);
    const counts = job.result?.counts ?? {};
    const taken = (counts['done'] ?? 0) + (counts['unchanged'] ?? 0);
    if (job.status !== 'completed' || taken !== files)
      journal.violations.push(
        `The run over ${name} (${data.job_id}) ended as ${job.status}: ${JSON.stringify(counts)} ${JSON.stringify(job.error)}`,
      );
    journal.folders.set(name, markers);
    await pause(200);
  }
}

/** Saves memories, deletes some of them, and deletes acknowledged sources. */
export async function keeper({ caller, journal, winding }: Load, random: Random): Promise<void> {
  for (let n = 0; !winding.down; n += 1) {
    const marker = `memo${n}x${Math.floor(random.next() * 1e6)}`;
    const { data, reason } = await caller.write<{ memory_id: string }>('memory.record.save', {
      content: `We decided on ${marker} after a long talk.`,
      category: 'decision',
    });
    if (!data) throw new Error(`memory.record.save was refused: ${reason}`);
    journal.memories.set(data.memory_id, marker);
    if (random.chance(0.3)) {
      const id = random.pick([...journal.memories.keys()]);
      await caller.write('memory.record.delete', { memory_id: id });
      journal.forgotten.set(id, journal.memories.get(id)!);
      journal.memories.delete(id);
    }
    const title = `passing note ${n}`;
    const submitted = await caller.write<{ source_id: string; job_id: string }>('ingest.document.submit', {
      title,
      content: `Note ${marker}.`,
    });
    if (!submitted.data) throw new Error(`ingest.document.submit was refused: ${submitted.reason}`);
    await ended(caller, submitted.data.job_id);
    const gone = await caller.write<{ job_id: string }>('knowledge.source.delete', { source_id: submitted.data.source_id });
    if (!gone.data) throw new Error(`knowledge.source.delete was refused: ${gone.reason}`);
    await ended(caller, gone.data.job_id);
    journal.deleted.add(submitted.data.source_id);
    await pause(300);
  }
}

async function ended(caller: Load['caller'], jobId: string): Promise<Job> {
  for (;;) {
    const { data, reason } = await caller.read<{ job: Job }>('system.job.get', { job_id: jobId, wait_seconds: 5 });
    if (!data) throw new Error(`system.job.get was refused: ${reason}`);
    if (['completed', 'failed', 'cancelled'].includes(data.job.status)) return data.job;
  }
}
