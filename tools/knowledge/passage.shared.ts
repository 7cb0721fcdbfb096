import type { ReadPassage } from '../../contracts/knowledge/reading.ts';
import type { PassageRow } from '../../services/knowledge/index.ts';
import type { ToolContext } from '../catalogue/define.ts';

/** Passages with what other records say about them. */
export async function annotated(
  { caller: { tenant }, services }: ToolContext<'knowledge'>,
  passages: readonly PassageRow[],
  { mentions }: { mentions: boolean },
): Promise<ReadPassage[]> {
  const ids = passages.map(({ id }) => id);
  const citations = passages.map(({ citation }) => citation);
  const [named, signals, drafts] = await Promise.all([
    mentions ? services.graph.mentions.inPassages(tenant, ids) : null,
    services.signals.inPassages(tenant, ids),
    services.authoring.queries.citing(tenant, citations),
  ]);
  return passages.map(({ id, ...passage }) => ({
    ...passage,
    ...(named ? { mentions: named.get(id) ?? [] } : {}),
    signals: signals.get(id) ?? [],
    cited_by: drafts.get(passage.citation) ?? [],
  }));
}
