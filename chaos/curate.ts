/** Actors that merge and split entities and add episodes during kills. */
import { pause, type Load } from './load.ts';
import type { Random } from './random.ts';

interface EntityRef {
  entity_id: string;
  name: string;
}

/** Ingests calls with pairs of customers, merges some pairs, and splits some of these again. */
export async function curator({ caller, journal, winding }: Load, random: Random): Promise<void> {
  for (let n = 0; !winding.down; n += 1) {
    // Names that no matcher considers equal.
    const [one, other] = [`Quarry ${code(2 * n)} Works`, `Meadow ${code(2 * n + 1)} Foods`];
    await take({ caller, journal }, `call ${n} with one`, one);
    await take({ caller, journal }, `call ${n} with the other`, other);
    const [a, b] = [await find({ caller, journal }, one), await find({ caller, journal }, other)];
    if (!a || !b) continue;
    journal.customers.set(one, { with: other, state: 'apart' });
    const proposed = await caller.write<{ feedback_id: string }>('entity.proposal.submit', {
      kind: 'merge',
      entity_ids: [a.entity_id, b.entity_id],
      reason: 'one owner',
    });
    if (!proposed.data) throw new Error(`entity.proposal.submit was refused: ${proposed.reason}`);
    const { feedback_id } = proposed.data;
    if (random.chance(0.25)) {
      await decided({ caller, journal }, 'entity.merge.reject', feedback_id);
      continue;
    }
    await decided({ caller, journal }, 'entity.merge.confirm', feedback_id);
    journal.customers.set(one, { with: other, state: 'merged' });
    if (random.chance(0.5)) {
      const kept = await find({ caller, journal }, one);
      if (!kept) continue;
      const split = await caller.write<{ job_id: string; status: string }>('entity.record.split', {
        entity_name: kept.name,
        entity_type: 'customer',
        new_entity_name: kept.name === one ? other : one,
      });
      if (!split.data) throw new Error(`entity.record.split was refused: ${split.reason}`);
      await ended(caller, split.data.job_id);
      journal.customers.set(one, { with: other, state: 'apart' });
    }
    await pause(100);
  }
}

/** Adds successive facts about one subject: the last one must be current in the end, and none may be lost. */
export async function chronicler({ caller, journal, winding }: Load, random: Random): Promise<void> {
  for (let n = 0; !winding.down; n += 1) {
    const { data, reason } = await caller.write<{ episode: { episode_id: string } }>('graph.episode.add', {
      name: `note ${n}`,
      episode_body: `The Harbour Portal has version ${n + 1}.0.`,
    });
    if (!data) throw new Error(`graph.episode.add was refused: ${reason}`);
    journal.episodes.push(data.episode.episode_id);
    await pause(100 + 400 * random.next());
  }
}

async function take({ caller, journal }: Pick<Load, 'caller' | 'journal'>, title: string, customer: string): Promise<void> {
  const { data, reason } = await caller.write<{ job_id: string }>('ingest.transcript.submit', {
    title,
    content: 'Ida Moss: the Harbour Portal is slow again.',
    customer,
  });
  if (!data) throw new Error(`ingest.transcript.submit was refused: ${reason}`);
  const job = await ended(caller, data.job_id);
  if (job.status !== 'completed')
    journal.violations.push(`The ingestion of "${title}" ended as ${job.status}: ${JSON.stringify(job.error)}`);
}

async function find({ caller, journal }: Pick<Load, 'caller' | 'journal'>, name: string): Promise<EntityRef | null> {
  const { data, reason } = await caller.read<{ entity: EntityRef }>('entity.record.get', { entity_name: name, entity_type: 'customer' });
  if (!data) journal.violations.push(`"${name}" was taken in as a customer and is not known: ${reason}`);
  return data?.entity ?? null;
}

async function decided({ caller, journal }: Pick<Load, 'caller' | 'journal'>, tool: string, feedbackId: string): Promise<void> {
  const { data, reason } = await caller.write(tool, { feedback_id: feedbackId });
  if (!data) journal.violations.push(`${tool} of ${feedbackId} was refused: ${reason}`);
}

async function ended(caller: Load['caller'], jobId: string): Promise<{ status: string; error?: unknown }> {
  for (;;) {
    const { data, reason } = await caller.read<{ job: { status: string; error?: unknown } }>('system.job.get', {
      job_id: jobId,
      wait_seconds: 5,
    });
    if (!data) throw new Error(`system.job.get was refused: ${reason}`);
    if (['completed', 'failed', 'cancelled'].includes(data.job.status)) return data.job;
  }
}

/** A distinct word for each number, unlike those of its neighbours. */
function code(n: number): string {
  const syllables = ['ba', 'ko', 'zu', 'mi', 'fe', 'dra', 'plo', 'ski', 'ven', 'tor', 'wug', 'xal', 'yem', 'jin', 'hob', 'gar'];
  const scrambled = (n * 2654435761) >>> 0;
  const word = [0, 4, 8, 12].map((bits) => syllables[(scrambled >>> bits) & 15]!).join('');
  return word[0]!.toUpperCase() + word.slice(1);
}
