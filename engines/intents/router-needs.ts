import { artifactTypes, reportTypes } from '../../contracts/authoring/authoring.ts';

/** Pure: what a call needs before it can be made. */

export type Args = Record<string, unknown>;

/** A call in the making. */
export interface Draft {
  skill: string;
  tool: string;
  arguments: Args;
}

/** What a tool cannot be called without, and how to ask for it. Several names: one of them. */
const needs: Record<string, [slots: string[], question: string][]> = {
  'index.chunk.search': [[['query'], 'What shall be searched for?']],
  'signal.record.search': [[['query'], 'What shall be searched for?']],
  'graph.fact.search': [[['query'], 'Facts about what?']],
  'graph.node.search': [[['query'], 'What is the entity called?']],
  'ingest.document.submit': [
    [['content', 'file_path', 'artifact_sha256'], 'What shall be taken in? Send the text, a file part or a URL.'],
    [['title', 'file_path', 'artifact_sha256'], 'What is its title?'],
  ],
  'ingest.transcript.submit': [
    [['content', 'file_path', 'artifact_sha256'], 'Send the transcript itself, as text or as a file part.'],
    [['title'], 'What is the title of the transcript?'],
  ],
  'ingest.content.submit': [[['source'], 'What shall be taken in? Send the text, a file part or a URL.']],
  'ingest.url.submit': [[['url'], 'Which URL?']],
  'ingest.youtube.submit': [[['video_url'], 'Which video?']],
  'entity.issue.flag': [
    [['issue_name'], 'What is the issue called?'],
    [['reason'], 'Why is it an issue: what happens, and to whom?'],
  ],
  'entity.record.get': [[['entity_name', 'entity_id'], 'Which entity? Give its name.']],
  'entity.customer.get_profile': [[['customer_name'], 'Which customer? Give the name.']],
  'entity.feature.get_health': [[['feature_name'], 'Which feature? Give its name.']],
  'entity.issue.get_impact': [[['issue_name'], 'Which issue? Give its name, or what it is about.']],
  'insight.heatmap.get': [
    [['dimension'], 'What shall be ranked: issues by customer, issues by feature, features by customer, or themes by volume?'],
  ],
  'insight.trend.list': [[['entity_type'], 'Trends of what: themes, issues, features or customers?']],
  'insight.scenario.analyze': [
    [['action'], 'What is planned: to fix an issue, to build a feature or to deprecate one?'],
    [['entity_name'], 'Which issue or feature? Give its name.'],
  ],
  'authoring.report.generate': [
    [
      ['subject', 'report_type'],
      `On what? Name a customer, a feature, an issue or a product area, or a report: ${reportTypes.join(', ')}.`,
    ],
  ],
  'authoring.artifact.generate': [
    [['artifact_type'], `Which artifact: ${artifactTypes.join(', ')}?`],
    [
      ['entity_name', 'opportunity_id'],
      'About what? Give the name of a feature, an issue, a theme or a customer, or the id of an opportunity.',
    ],
  ],
  'graph.entity.find_related': [[['entity_name', 'entity_id'], 'Related to which entity? Give its name.']],
  'entity.proposal.submit': [
    [['kind'], 'What is proposed: that two are one (merge), that one is two (split), or a further name of one (alias)?'],
    [['entity_ids', 'entity_names'], 'Which entities? Give their names in quotes: two for a merge, one for a split or an alias.'],
    [['reason'], 'Why? A person decides by the reason.'],
  ],
  'entity.link.create': [
    [['entity_id', 'entity_name'], 'Which entity shall be linked? Give its name.'],
    [['external_system'], 'To which system, e.g. jira?'],
    [['external_id'], 'What is it called there, e.g. PAY-101?'],
  ],
  'entity.status.set': [
    [['entity_id', 'entity_name'], 'The status of which entity? Give its name.'],
    [['status'], 'Which status, e.g. open, in_progress or fixed?'],
  ],
  'provenance.chain.trace': [[['claim', 'entity_id', 'opportunity_id'], 'Which claim shall be traced? Give it as a sentence.']],
};

const given = (args: Args, slot: string): boolean =>
  args[slot] !== undefined && args[slot] !== '' && !(Array.isArray(args[slot]) && args[slot].length === 0);

/** The first thing a draft lacks; `slots[0]` is what an answer fills. */
export function lacking({ tool, arguments: args }: Draft): { slot: string; question: string } | null {
  for (const [slots, question] of needs[tool] ?? []) {
    if (!slots.some((slot) => given(args, slot))) return { slot: slots[0]!, question };
  }
  return null;
}
