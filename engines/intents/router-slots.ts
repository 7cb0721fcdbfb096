import { actionIn, dimensionIn } from './router-analyze.ts';
import type { Draft } from './router-needs.ts';
import { quoted } from './router-reading.ts';
import { artifactTypeIn, reportTypeIn } from './router-report.ts';
import { kindIn, nameIn } from './router-words.ts';

/** Pure: arguments that are told by what is given, by what goes without saying and by an answer. */

/** Arguments that only one tool of a skill takes tell which one is meant. */
const telling: [argument: string, tool: string][] = [
  ['as_of', 'graph.fact.search'],
  ['known_at', 'graph.fact.search'],
  ['entity_types', 'graph.node.search'],
  ['source', 'ingest.content.submit'],
  ['video_url', 'ingest.youtube.submit'],
  ['url', 'ingest.url.submit'],
  ['participants', 'ingest.transcript.submit'],
  ['meeting_type', 'ingest.transcript.submit'],
  ['content', 'ingest.document.submit'],
  ['max_hops', 'graph.entity.find_related'],
  ['related_types', 'graph.entity.find_related'],
  ['window_days', 'entity.resolution.get_stats'],
  ['search', 'entity.record.list'],
  ['cursor', 'entity.record.list'],
  ['external_system', 'entity.link.create'],
  ['external_id', 'entity.link.create'],
  ['status', 'entity.status.set'],
  ['kind', 'entity.proposal.submit'],
  ['entity_ids', 'entity.proposal.submit'],
  ['root_entity_name', 'graph.entity.browse'],
  ['root_entity_type', 'graph.entity.browse'],
  ['filter_area', 'graph.entity.browse'],
  ['scope', 'graph.summary.get'],
  ['customer_name', 'entity.customer.get_profile'],
  ['feature_name', 'entity.feature.get_health'],
  ['issue_name', 'entity.issue.get_impact'],
  ['dimension', 'insight.heatmap.get'],
  ['direction', 'insight.trend.list'],
  ['window_days', 'insight.trend.list'],
  ['action', 'insight.scenario.analyze'],
  ['focus_area', 'insight.strategy.generate'],
  ['time_window_days', 'insight.strategy.generate'],
  ['filter', 'opportunity.priority.list'],
  ['sort_by', 'opportunity.record.list'],
  ['closed', 'opportunity.record.list'],
  ['status', 'opportunity.record.list'],
  ['artifact_type', 'authoring.artifact.generate'],
  ['opportunity_id', 'authoring.artifact.generate'],
  ['report_type', 'authoring.report.generate'],
];

export const fitting = (tools: readonly string[], given: Record<string, unknown>): string | undefined =>
  telling.find(([argument, tool]) => argument in given && tools.includes(tool))?.[1];

/** What goes without saying. */
export function filledIn(draft: Draft): Draft {
  const { tool, arguments: args } = draft;
  if (tool === 'entity.status.set' && args['source'] === undefined) return { ...draft, arguments: { ...args, source: 'a2a' } };
  if (tool === 'authoring.report.generate' && args['report_type'] === undefined) {
    const { query, subject = query, ...others } = args;
    const type = typeof subject === 'string' ? reportTypeIn(subject) : undefined;
    if (type !== undefined) return { ...draft, arguments: { ...others, report_type: type } };
    if (query !== undefined) return { ...draft, arguments: { ...others, subject } };
  }
  if (tool === 'ingest.document.submit' && args['title'] === undefined && typeof args['content'] === 'string') {
    return { ...draft, arguments: { ...args, title: args['content'].trimStart().split('\n', 1)[0]!.slice(0, 80) } };
  }
  return draft;
}

/** What a tool may ask back for: names first, then what it was asked about. */
export const askedAgain = ({ tool }: Draft): string[] => [
  'entity_name',
  'root_entity_name',
  'customer_name',
  'feature_name',
  'filter_customer',
  'subject',
  'filter_area',
  'focus_area',
  ...(tool === 'entity.issue.get_impact' ? ['issue_name'] : []),
  'name',
  'query',
  'title',
];

const titles = new Set(
  'title name external_system external_id issue_name customer_name feature_name filter_customer filter_area focus_area subject'.split(' '),
);

/** What a message says when it was asked for one thing. */
export function answered(slot: string, whole: string): unknown {
  if (slot === 'content' || slot === 'reason' || slot === 'query' || slot === 'claim') return whole;
  const text = whole.slice(0, 1_000);
  const names = quoted(text);
  if (slot === 'entity_ids') return names.length > 0 ? names : text.split(/\s*(?:,|\band\b|\binto\b)\s*/i).filter(Boolean);
  if (slot === 'entity_name' || slot === 'root_entity_name')
    return names[0] ?? (text.split(/\s+/).length > 8 ? nameIn(text) : undefined) ?? text.replace(/[.!]+$/, '');
  if (slot === 'action') return actionIn(text) ?? text;
  if (slot === 'dimension') return dimensionIn(text) ?? text;
  if (slot === 'entity_type') return kindIn(text) ?? text;
  if (slot === 'artifact_type') return artifactTypeIn(text) ?? text;
  if (slot === 'kind') return /\b(merge|split|alias)\b/i.exec(text)?.[1]?.toLowerCase();
  if (slot === 'url' || slot === 'video_url') return /https?:\/\/\S+/i.exec(text)?.[0] ?? text;
  if (slot === 'status')
    return text
      .trim()
      .toLowerCase()
      .replace(/[.!"']+/g, '')
      .replaceAll(/[\s-]+/g, '_');
  if (titles.has(slot)) return names[0] ?? text.replace(/[.!]+$/, '');
  return text;
}
