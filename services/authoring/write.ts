import type { LanguageService } from '../kernel/language/index.ts';
import { writeSection } from '../kernel/language/write.ts';
import { issuesFrom } from './issues.ts';
import { artifactSections, reportSections } from './outlines.ts';
import type { Evidence, Figure, Section, Statement, Written } from './types.ts';

export interface WriteOptions {
  /** Null: not configured, everything is assembled. */
  language: Pick<LanguageService, 'ask' | 'model'> | null;
  agentId?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** Maximum sources per statement of a model. */
const mostSources = 6;

/** The draft's statements, not checked yet. */
export async function write(evidence: Evidence, { language, agentId, signal }: WriteOptions): Promise<Written> {
  const { spec } = evidence;
  if (spec.type === 'jira') return { sections: [], issues: issuesFrom(evidence), plain: null, model: null, dropped: 0, warnings: [] };
  const plain = spec.kind === 'report' ? reportSections(evidence) : artifactSections(evidence);
  if (!language || language.model === null) return { sections: plain, issues: null, plain: null, model: null, dropped: 0, warnings: [] };
  const sections: Section[] = [];
  const warnings = new Set<string>();
  let model: string | null = null;
  let dropped = 0;
  for (const section of plain) {
    signal?.throwIfAborted();
    if (section.statements.length === 0) {
      sections.push(section);
      continue;
    }
    const answer = await writeSection(language, {
      tenant: evidence.filter.tenant,
      section: {
        title: section.heading,
        instruction:
          'Say in plain sentences what these findings tell. Combine findings that belong together and keep their numbers, names and dates; quote customers literally in “”. Add nothing.',
      },
      audience: readers[spec.audience],
      subject: { title: evidence.title },
      evidence: section.statements.map((each, i) => ({ ref: String(i), text: each.text })),
      maxStatements: section.statements.length,
      agentId,
      signal,
    });
    for (const warning of answer.warnings) warnings.add(warning);
    if (!answer.written) {
      sections.push(section);
      continue;
    }
    ({ model } = answer);
    dropped += Object.values(answer.dropped).reduce((sum, n) => sum + n, 0);
    const statements = answer.statements.map(({ text, refs }) =>
      joined(
        text,
        refs.map((ref) => section.statements[Number(ref)]!),
      ),
    );
    sections.push({ ...section, statements });
  }
  return { sections, issues: null, plain, model, dropped, warnings: [...warnings] };
}

const readers = {
  engineering: 'engineers',
  design: 'designers',
  leadership: 'leadership',
  cs_sales: 'customer success and sales',
  general: 'people from all departments',
} as const;

/** A model's statement has the sources of its findings. */
function joined(text: string, findings: readonly Statement[]): Statement {
  const figures = new Map<string, Figure>(findings.flatMap((each) => each.figures).map((figure) => [JSON.stringify(figure), figure]));
  const sources = [...new Set(findings.flatMap((each) => each.sources))].slice(0, mostSources);
  return { text, sources, figures: [...figures.values()], written: true };
}
