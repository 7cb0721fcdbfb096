import { artifactTypes, reportTypes } from '../../contracts/authoring/authoring.ts';
import { actionIn, dimensionIn } from './router-analyze.ts';
import { quoted } from './router-reading.ts';
import { artifactTypeIn, reportTypeIn } from './router-report.ts';
import { given, kindIn, nameIn, statusOf, type Args } from './router-words.ts';

/** Pure: the arguments that identify a tool, its required arguments, its defaults, and the parsing of answers. */

/** An incomplete call. */
export interface Draft {
  skill: string;
  tool: string;
  arguments: Args;
}

interface Form {
  /** Arguments that distinguish this tool from the others of its skill; if several tools match, the first in this table is chosen. */
  told?: string;
  /** Required arguments, and the question for each. Several names mean that one of them is enough; an answer fills the first. */
  needs?: Record<string, string>;
}

const query = { query: 'What shall be searched for?' };
const entity = 'entity_name entity_id';
const submitted = 'content file_path artifact_sha256';

const forms: Record<string, Form> = {
  'index.chunk.search': { needs: query },
  'signal.record.search': { needs: query },
  'graph.fact.search': { told: 'as_of known_at', needs: { query: 'Facts about what?' } },
  'graph.node.search': { told: 'entity_types', needs: { query: 'What is the entity called?' } },
  'ingest.content.submit': { told: 'source', needs: { source: 'What shall be taken in? Send the text, a file part or a URL.' } },
  'ingest.youtube.submit': { told: 'video_url', needs: { video_url: 'Which video?' } },
  'ingest.url.submit': { told: 'url', needs: { url: 'Which URL?' } },
  'ingest.transcript.submit': {
    told: 'participants meeting_type',
    needs: { [submitted]: 'Send the transcript itself, as text or as a file part.', title: 'What is the title of the transcript?' },
  },
  'ingest.document.submit': {
    told: 'content',
    needs: {
      [submitted]: 'What shall be taken in? Send the text, a file part or a URL.',
      'title file_path artifact_sha256': 'What is its title?',
    },
  },
  'entity.issue.flag': { needs: { issue_name: 'What is the issue called?', reason: 'Why is it an issue: what happens, and to whom?' } },
  'entity.record.get': { needs: { [entity]: 'Which entity? Give its name.' } },
  'entity.customer.get_profile': { told: 'customer_name', needs: { customer_name: 'Which customer? Give the name.' } },
  'entity.feature.get_health': { told: 'feature_name', needs: { feature_name: 'Which feature? Give its name.' } },
  'entity.issue.get_impact': { told: 'issue_name', needs: { issue_name: 'Which issue? Give its name, or what it is about.' } },
  'graph.entity.find_related': { told: 'max_hops related_types', needs: { [entity]: 'Related to which entity? Give its name.' } },
  'entity.resolution.get_stats': { told: 'window_days' },
  'entity.record.list': { told: 'search cursor' },
  'entity.link.create': {
    told: 'external_system external_id',
    needs: {
      [entity]: 'Which entity shall be linked? Give its name.',
      external_system: 'To which system, e.g. jira?',
      external_id: 'What is it called there, e.g. PAY-101?',
    },
  },
  'entity.status.set': {
    told: 'status',
    needs: { [entity]: 'The status of which entity? Give its name.', status: 'Which status, e.g. open, in_progress or fixed?' },
  },
  'entity.proposal.submit': {
    told: 'kind entity_ids',
    needs: {
      kind: 'What is proposed: that two are one (merge), that one is two (split), or a further name of one (alias)?',
      'entity_ids entity_names': 'Which entities? Give their names in quotes: two for a merge, one for a split or an alias.',
      reason: 'Why? A person decides by the reason.',
    },
  },
  'graph.entity.browse': { told: 'root_entity_name root_entity_type filter_area' },
  'graph.summary.get': { told: 'scope' },
  'insight.heatmap.get': {
    told: 'dimension',
    needs: { dimension: 'What shall be ranked: issues by customer, issues by feature, features by customer, or themes by volume?' },
  },
  'insight.trend.list': { told: 'direction window_days', needs: { entity_type: 'Trends of what: themes, issues, features or customers?' } },
  'insight.scenario.analyze': {
    told: 'action',
    needs: {
      action: 'What is planned: to fix an issue, to build a feature or to deprecate one?',
      entity_name: 'Which issue or feature? Give its name.',
    },
  },
  'insight.strategy.generate': { told: 'focus_area time_window_days' },
  'opportunity.priority.list': { told: 'filter' },
  'opportunity.record.list': { told: 'sort_by closed status' },
  'provenance.chain.trace': { needs: { 'claim entity_id opportunity_id': 'Which claim shall be traced? Give it as a sentence.' } },
  'authoring.artifact.generate': {
    told: 'artifact_type opportunity_id',
    needs: {
      artifact_type: `Which artifact: ${artifactTypes.join(', ')}?`,
      'entity_name opportunity_id': 'About what? Give the name of a feature, an issue, a theme or a customer, or the id of an opportunity.',
    },
  },
  'authoring.report.generate': {
    told: 'report_type',
    needs: {
      'subject report_type': `On what? Name a customer, a feature, an issue or a product area, or a report: ${reportTypes.join(', ')}.`,
    },
  },
};

/** The tool of a skill that matches the arguments. */
export const fitting = (tools: readonly string[], args: Args): string | undefined =>
  Object.keys(forms).find((tool) => tools.includes(tool) && forms[tool]!.told?.split(' ').some((argument) => argument in args));

const isGiven = (value: unknown): boolean => value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0);

/** The first missing argument of a draft. */
export function lacking({ tool, arguments: args }: Draft): { slot: string; question: string } | null {
  for (const [names, question] of Object.entries(forms[tool]?.needs ?? {})) {
    const slots = names.split(' ');
    if (!slots.some((slot) => isGiven(args[slot]))) return { slot: slots[0]!, question };
  }
  return null;
}

/** Fills in defaults. */
export function filledIn(draft: Draft): Draft {
  const { tool, arguments: args } = draft;
  if (tool === 'entity.status.set') return { ...draft, arguments: { source: 'a2a', ...args } };
  if (tool === 'authoring.report.generate' && args['report_type'] === undefined) {
    const { query: asked, subject = asked, ...others } = args;
    const type = typeof subject === 'string' ? reportTypeIn(subject) : undefined;
    return { ...draft, arguments: { ...others, ...given(type === undefined ? { subject } : { report_type: type }) } };
  }
  if (tool === 'ingest.document.submit' && typeof args['content'] === 'string') {
    return { ...draft, arguments: { title: args['content'].trimStart().split('\n', 1)[0]!.slice(0, 80), ...args } };
  }
  return draft;
}

/** The argument that a tool asks back for: a name first, otherwise the subject. */
export const askedAgain = ({ tool, arguments: args }: Draft): string | undefined =>
  [
    ...'entity_name root_entity_name customer_name feature_name filter_customer subject filter_area focus_area'.split(' '),
    ...(tool === 'entity.issue.get_impact' ? ['issue_name'] : []),
    ...'name query title'.split(' '),
  ].find((slot) => slot in args);

const unpointed = (text: string): string => text.replace(/[.!]+$/, '');
const entityIn = (text: string): string => quoted(text)[0] ?? (text.split(/\s+/).length > 8 ? nameIn(text) : undefined) ?? unpointed(text);
const urlIn = (text: string): string => /https?:\/\/\S+/i.exec(text)?.[0] ?? text;

/** Parsers for answers to questions about an argument, if the answer is more than a title. */
const readers: Record<string, (text: string) => unknown> = {
  entity_name: entityIn,
  root_entity_name: entityIn,
  entity_ids: (text) => (quoted(text).length > 0 ? quoted(text) : text.split(/\s*(?:,|\band\b|\binto\b)\s*/i).filter(Boolean)),
  entity_type: kindIn,
  action: actionIn,
  dimension: dimensionIn,
  artifact_type: artifactTypeIn,
  kind: (text) => /\b(merge|split|alias)\b/i.exec(text)?.[1]?.toLowerCase() ?? '',
  url: urlIn,
  video_url: urlIn,
  status: statusOf,
};

/** The value of a message that answers a question. */
export function answered(slot: string, whole: string): unknown {
  if (['content', 'reason', 'query', 'claim'].includes(slot)) return whole;
  const text = whole.slice(0, 1_000);
  return readers[slot]?.(text) ?? quoted(text)[0] ?? unpointed(text);
}
