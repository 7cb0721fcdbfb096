/** A report in Markdown, built only from the tools' answers. */

interface EntityLine {
  name: string;
  type: string;
  signal_count: number;
}
interface Summary {
  scope: string;
  counts: { entities: Record<string, number>; relations: number; facts: number; signals: number };
  top_entities: EntityLine[];
  trends?: (EntityLine & { direction: string; current_count: number; previous_count: number })[];
  health: { newest_signal_at: string | null; reviews_pending: number };
}
interface Hit {
  content: string;
  source: string;
  citation: string;
  url: string | null;
  document_id: string;
}

export interface Report {
  markdown: string;
  sources: { number: number; source: string; citation: string; document_id: string; url: string | null }[];
}

const excerptLength = 600;

/** @param summary data of graph.summary.get; @param found data of index.chunk.search; null: it was not called, or it refused */
export function writeReport(subject: string | null, summary: unknown, found: unknown): Report {
  const known = summary as Summary | null;
  const hits = ((found as { hits?: Hit[] } | null)?.hits ?? []).filter((hit) => hit.content.trim() !== '');
  const sources = hits.map((hit, i) => ({
    number: i + 1,
    source: hit.source,
    citation: hit.citation,
    document_id: hit.document_id,
    url: hit.url,
  }));
  const made = [
    ...(subject === null ? [] : [`the ${hits.length} passages found for "${subject}"`]),
    ...(known ? [`the knowledge summary (${known.scope === 'full_system' ? 'everything' : known.scope})`] : []),
  ];
  const lines = [
    `# Report: ${subject ?? 'what is known'}`,
    '',
    `Made from ${made.join(' and ')}. It quotes its sources and draws no conclusions.`,
    '',
  ];
  if (subject !== null) lines.push('## What the sources say', '', ...passages(hits));
  if (known) lines.push('## The landscape', '', ...landscape(known));
  if (sources.length > 0)
    lines.push(
      '## Sources',
      '',
      ...sources.map((each) => `[${each.number}] ${each.source} (${each.citation})${each.url === null ? '' : ` <${each.url}>`}`),
      '',
    );
  return { markdown: `${lines.join('\n').trimEnd()}\n`, sources };
}

function passages(hits: Hit[]): string[] {
  if (hits.length === 0) return ['Nothing that was ingested speaks of it.', ''];
  return hits.flatMap((hit, i) => {
    const text = hit.content.replace(/\s+/g, ' ').trim();
    const cut = text.length <= excerptLength ? text : `${text.slice(0, excerptLength).replace(/\s+\S*$/, '')}…`;
    return [`> ${cut}`, '>', `> — ${hit.source} [${i + 1}]`, ''];
  });
}

function landscape({ counts, top_entities, trends, health }: Summary): string[] {
  const types = Object.entries(counts.entities).map(([type, count]) => `${count} ${type}`);
  const moved = (trends ?? []).filter((each) => each.direction !== 'stable').slice(0, 5);
  return [
    `- ${counts.signals} signals, ${counts.facts} facts, ${counts.relations} relations; entities: ${types.length > 0 ? types.join(', ') : 'none'}`,
    ...(top_entities.length > 0
      ? [
          `- Most mentioned: ${top_entities
            .slice(0, 5)
            .map((each) => `${each.name} (${each.signal_count})`)
            .join(', ')}`,
        ]
      : []),
    ...moved.map((each) => `- ${each.name} is ${each.direction}: ${each.previous_count} → ${each.current_count} documents in 30 days`),
    ...(health.newest_signal_at === null ? [] : [`- Newest signal: ${health.newest_signal_at}`]),
    ...(health.reviews_pending > 0 ? [`- ${health.reviews_pending} questions about entities wait for a person`] : []),
    '',
  ];
}
