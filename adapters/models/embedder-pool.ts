import type { EmbedOptions, Embedder } from './embedder.ts';

/** Queries that one process takes before the next one is woken for them. */
const queriesEach = 2;
/** Texts of a batch from which it is worth waking a further process. */
const batchEach = 4;

interface Load {
  queries: number;
  texts: number;
}

/**
 * Several processes of one model as one embedder: on two cores two of them embed nearly twice as much, while a second
 * thread in one process gains little. The first does everything as long as there is little to do; a process that
 * nothing was given to takes no memory.
 */
export function poolOf(members: readonly Embedder[]): Embedder {
  const first = members[0];
  if (!first) throw new Error('a pool needs a member');
  if (members.length === 1) return first;
  const load: Load[] = members.map(() => ({ queries: 0, texts: 0 }));

  /** Queries go before batches in each process, so only other queries count. */
  const forQuery = (): number => {
    const free = load.findIndex(({ queries }) => queries < queriesEach);
    return free >= 0 ? free : least((each) => each.queries);
  };
  const least = (of: (load: Load) => number): number => load.reduce((best, each, i) => (of(each) < of(load[best]!) ? i : best), 0);

  async function give(member: number, texts: readonly string[], options: EmbedOptions): Promise<Float32Array[]> {
    const mine = load[member]!;
    const query = options.priority === 'query' ? 1 : 0;
    mine.queries += query;
    mine.texts += texts.length;
    try {
      return await members[member]!.embed(texts, options);
    } finally {
      mine.queries -= query;
      mine.texts -= texts.length;
    }
  }

  return {
    get id() {
      return first.id;
    },
    dimensions: first.dimensions,
    async embed(texts, options = {}) {
      const priority = options.priority ?? (texts.length === 1 ? 'query' : 'batch');
      if (priority === 'query') return await give(forQuery(), texts, { ...options, priority });
      const shares = Math.min(members.length, Math.ceil(texts.length / batchEach));
      if (shares <= 1)
        return await give(
          least((each) => each.texts),
          texts,
          { ...options, priority },
        );
      // Every so manieth text to each, so that long ones are spread.
      const parts = await Promise.all(
        Array.from({ length: shares }, (_, share) =>
          give(
            share,
            texts.filter((_text, i) => i % shares === share),
            { ...options, priority },
          ),
        ),
      );
      return texts.map((_, i) => parts[i % shares]![Math.floor(i / shares)]!);
    },
    async close() {
      await Promise.all(members.map((member) => member.close()));
    },
  };
}
