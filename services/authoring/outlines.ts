/** Pure: the sections of each kind of draft. */
import type { ArtifactType, ReportFormat, ReportType, Template } from '../../contracts/authoring/authoring.ts';
import { sectionsOf, type BlockName, type Size } from './blocks.ts';
import type { Evidence, Section } from './types.ts';

/** Each begins with its conclusion, then what changed, what is open, what to decide, and details. */
const reports: Record<ReportType, BlockName[]> = {
  customer_health_summary: [
    'short',
    'changed',
    'risks',
    'problems',
    'requests',
    'decide',
    'disagree',
    'praise',
    'questions',
    'doubtful',
    'thoughts',
    'also',
    'customers',
    'trends',
    'figures',
  ],
  roadmap_summary: [
    'short',
    'changed',
    'opportunities',
    'requests',
    'problems',
    'decide',
    'disagree',
    'thoughts',
    'doubtful',
    'features',
    'trends',
    'figures',
  ],
  customer_impact_brief: [
    'short',
    'problems',
    'risks',
    'changed',
    'decide',
    'requests',
    'doubtful',
    'also',
    'customers',
    'trends',
    'figures',
  ],
  weekly_digest: [
    'short',
    'changed',
    'risks',
    'problems',
    'requests',
    'decide',
    'praise',
    'questions',
    'doubtful',
    'also',
    'classes',
    'trends',
    'figures',
  ],
  competitive_intel: ['contest', 'rivals', 'changed', 'decide', 'problems', 'requests', 'praise', 'also', 'figures'],
  product_area_overview: [
    'short',
    'changed',
    'problems',
    'requests',
    'disagree',
    'decide',
    'praise',
    'questions',
    'thoughts',
    'doubtful',
    'also',
    'features',
    'themes',
    'customers',
    'trends',
    'facts',
    'figures',
  ],
};

const sizes: Record<ReportFormat, Size> = {
  executive_summary: { items: 5, quotes: 1 },
  one_pager: { items: 2, quotes: 0 },
  detailed: { items: 20, quotes: 2 },
};
/** Maximum sections on one page, and in a summary. */
const mostSections: Partial<Record<ReportFormat, number>> = { one_pager: 5, executive_summary: 9 };

export function reportSections(evidence: Evidence): Section[] {
  const { type, format } = evidence.spec;
  const sections = sectionsOf(evidence, reports[type as ReportType], sizes[format ?? 'executive_summary']);
  return sections.slice(0, mostSections[format ?? 'executive_summary']);
}

interface Outline {
  told: BlockName[];
  /** Sections for the person: heading and instruction. */
  left: [string, string][];
}

const artifacts: Record<Exclude<ArtifactType, 'jira'>, Outline> = {
  prd: {
    told: [
      'short',
      'opportunities',
      'problems',
      'requests',
      'changed',
      'risks',
      'disagree',
      'praise',
      'questions',
      'thoughts',
      'related',
      'facts',
      'trends',
      'figures',
    ],
    left: [
      ['Goals and measures of success', 'What shall be different for these customers, and how will we see it?'],
      ['Solution', 'What do we build, and what do we leave out?'],
      ['Strategy', 'Why we, why now, and what does it displace?'],
      ['Rollout', 'Who gets it first, and who tells the customers named above?'],
    ],
  },
  rfc: {
    told: ['short', 'opportunities', 'problems', 'requests', 'changed', 'disagree', 'facts', 'related', 'trends', 'figures'],
    left: [
      ['Proposal', 'How shall it work?'],
      ['Alternatives', 'What else was considered, and why not?'],
      ['Risks and operations', 'What can go wrong, and how do we notice?'],
      ['Decision', 'Who decides until when?'],
    ],
  },
  one_pager: {
    told: ['short', 'opportunities', 'problems', 'requests', 'changed', 'figures'],
    left: [
      ['Proposal', 'What do we want to do, in two sentences?'],
      ['What we ask for', 'People, time, a decision?'],
    ],
  },
};

const templateSizes: Record<Template, Size> = {
  standard: { items: 6, quotes: 1 },
  lightweight: { items: 2, quotes: 0 },
  detailed: { items: 15, quotes: 2 },
};
/** Limits of the lightweight template. */
const light = { told: 5, left: 2 };

export function artifactSections(evidence: Evidence): Section[] {
  const { type, template } = evidence.spec;
  const { told, left } = artifacts[type as Exclude<ArtifactType, 'jira'>];
  const size = type === 'one_pager' && template === 'standard' ? templateSizes.lightweight : templateSizes[template];
  const short = template === 'lightweight';
  return [
    ...sectionsOf(evidence, short ? told.slice(0, light.told) : told, size),
    ...(short ? left.slice(0, light.left) : left).map(([heading, toFill]) => ({ heading, statements: [], toFill })),
  ];
}

/** Fields of an issue that a person must decide. */
export const leftOfIssues = ['Estimate', 'Assignee', 'Approach'];
