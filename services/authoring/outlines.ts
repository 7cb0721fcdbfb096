/** Pure: the sections of each kind of draft. */
import type { ArtifactType, ReportFormat, ReportType, Template } from '../../contracts/authoring/authoring.ts';
import { sectionsOf, type BlockName, type Size } from './blocks.ts';
import type { Evidence, Section } from './types.ts';

const reports: Record<ReportType, BlockName[]> = {
  customer_health_summary: ['figures', 'risks', 'customers', 'problems', 'praise', 'trends', 'questions'],
  roadmap_summary: ['figures', 'opportunities', 'requests', 'problems', 'trends'],
  customer_impact_brief: ['figures', 'affected', 'problems', 'words', 'risks', 'trends'],
  weekly_digest: ['figures', 'classes', 'trends', 'problems', 'requests', 'risks', 'praise'],
  competitive_intel: ['figures', 'rivals', 'comparisons', 'risks', 'requests'],
  product_area_overview: ['figures', 'features', 'issues', 'themes', 'customers', 'words', 'trends', 'facts'],
};

const sizes: Record<ReportFormat, Size> = {
  executive_summary: { items: 3, quotes: 2 },
  one_pager: { items: 2, quotes: 1 },
  detailed: { items: 10, quotes: 6 },
};
/** Maximum sections on one page. */
const onePage = 5;

export function reportSections(evidence: Evidence): Section[] {
  const { type, format } = evidence.spec;
  const sections = sectionsOf(evidence, reports[type as ReportType], sizes[format ?? 'executive_summary']);
  return format === 'one_pager' ? sections.slice(0, onePage) : sections;
}

interface Outline {
  told: BlockName[];
  /** Sections for the person: heading and instruction. */
  left: [string, string][];
}

const artifacts: Record<Exclude<ArtifactType, 'jira'>, Outline> = {
  prd: {
    told: ['figures', 'opportunities', 'affected', 'problems', 'requests', 'words', 'related', 'facts', 'trends', 'questions', 'risks'],
    left: [
      ['Goals and measures of success', 'What shall be different for these customers, and how will we see it?'],
      ['Solution', 'What do we build, and what do we leave out?'],
      ['Strategy', 'Why we, why now, and what does it displace?'],
      ['Rollout', 'Who gets it first, and who tells the customers named above?'],
    ],
  },
  rfc: {
    told: ['figures', 'opportunities', 'problems', 'words', 'facts', 'related', 'trends', 'affected'],
    left: [
      ['Proposal', 'How shall it work?'],
      ['Alternatives', 'What else was considered, and why not?'],
      ['Risks and operations', 'What can go wrong, and how do we notice?'],
      ['Decision', 'Who decides until when?'],
    ],
  },
  one_pager: {
    told: ['figures', 'opportunities', 'affected', 'problems', 'requests', 'words'],
    left: [
      ['Proposal', 'What do we want to do, in two sentences?'],
      ['What we ask for', 'People, time, a decision?'],
    ],
  },
};

const templateSizes: Record<Template, Size> = {
  standard: { items: 5, quotes: 3 },
  lightweight: { items: 2, quotes: 1 },
  detailed: { items: 10, quotes: 6 },
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
