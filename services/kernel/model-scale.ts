import type { Embedder } from '../../adapters/models/embedder.ts';

/**
 * Cosines of one model compared with those of the shipped one. Models differ in how close they put texts: for one, .75 means
 * the same matter, for another it is what any two texts have. Thresholds are tuned to the shipped model, so cosines of others
 * are moved to its scale: both ends are measured once per model and process, on fixed sentences.
 */
export interface Scale {
  /** A cosine of this model as the shipped one would give it. */
  shipped: (cosine: number) => number;
  /** A threshold for the shipped model as one for this model. */
  own: (threshold: number) => number;
}

/** Sentences, each with one of the same meaning. */
const sentences: readonly (readonly [string, string])[] = [
  ['The export of reports fails every morning.', 'Each morning our reports cannot be exported.'],
  ['Please add a dark mode.', 'We would like a dark theme.'],
  ['Logging in takes far too long.', 'Signing in is much too slow.'],
  ['The invoice shows the wrong amount.', 'The sum on our bill is incorrect.'],
  ['Your support team answered within minutes.', 'I got a reply from support very quickly.'],
  ['We are going to move to another vendor.', 'We plan to switch to a competitor.'],
  ['How do I invite a colleague?', 'Where can I add a team mate?'],
  ['The app crashes on my phone.', 'On mobile the application keeps closing by itself.'],
  ['The price has doubled since last year.', 'It costs twice as much as a year ago.'],
  ['Search does not find older documents.', 'Old files never show up when I search.'],
  ['The new dashboard is a pleasure to use.', 'I really enjoy working with the redesigned dashboard.'],
  ['Our data must stay in Europe.', 'We are required to keep our data within the EU.'],
];

interface Ends {
  /** Mean cosine of unrelated sentences, and of those with the same meaning. */
  unlike: number;
  alike: number;
}

/** Of the shipped model, measured on the sentences (test/knowledge/model-scale.test.ts). */
export const shippedEnds: Ends = { unlike: 0.486, alike: 0.831 };
const shippedName = 'bge-small-en-v1.5-int8@';

const identity: Scale = { shipped: (cosine) => cosine, own: (threshold) => threshold };
const within = 10_000;
/** Ends that are no further apart say nothing. */
const leastApart = 0.02;

const measured = new Map<string, Promise<Scale>>();
const known = new Map<string, Scale>();

/** The model's scale; the shipped model's own while it cannot be measured. */
export async function scaleOf(embedder: Embedder): Promise<Scale> {
  const { id } = embedder;
  if (id.startsWith(shippedName)) return identity;
  let scale = measured.get(id);
  if (!scale) {
    measured.set(id, (scale = measureEnds(embedder).then(scaleFrom)));
    scale.then(
      (found) => known.set(id, found),
      () => measured.delete(id),
    );
  }
  return await scale.catch(() => identity);
}

/** The scale of a model that `scaleOf` has measured in this process. */
export const knownScale = (model: string): Scale => known.get(model) ?? identity;

export async function measureEnds(embedder: Embedder): Promise<Ends> {
  const vectors = await embedder.embed(sentences.flat(), { priority: 'batch', signal: AbortSignal.timeout(within) });
  let [alike, unlike, pairs] = [0, 0, 0];
  for (const [i, a] of vectors.entries()) {
    for (const [j, b] of vectors.entries()) {
      if (j <= i) continue;
      const cosine = a.reduce((sum, value, k) => sum + value * b[k]!, 0);
      // Sentences of a pair stand side by side.
      if (i % 2 === 0 && j === i + 1) alike += cosine / sentences.length;
      else [unlike, pairs] = [unlike + cosine, pairs + 1];
    }
  }
  return { alike, unlike: unlike / pairs };
}

export function scaleFrom({ unlike, alike }: Ends): Scale {
  if (alike - unlike < leastApart) return identity;
  const stretch = (shippedEnds.alike - shippedEnds.unlike) / (alike - unlike);
  return {
    shipped: (cosine) => Math.max(-1, Math.min(1, shippedEnds.unlike + (cosine - unlike) * stretch)),
    own: (threshold) => unlike + (threshold - shippedEnds.unlike) / stretch,
  };
}
