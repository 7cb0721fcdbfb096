import type { Skill } from '../../contracts/agents/a2a.ts';
import { workCapability } from '../../contracts/agents/agents.ts';

const words = ['text/plain', 'application/json'];
const answers = ['text/markdown', 'application/json'];

const offers: (Omit<Skill, 'inputModes' | 'outputModes'> & Partial<Skill>)[] = [
  {
    id: 'search-signals',
    name: 'Search the evidence',
    description:
      'Finds passages of ingested documents, transcripts and feedback by words and meaning, what customers said statement by statement, each with its citation; or dated facts, also as of another time.',
    tags: ['search', 'evidence', 'retrieval', 'feedback'],
    examples: [
      'Search for feedback about single sign-on, top 5',
      'What did customers say about the new billing page?',
      'Find facts about Acme as of 2026-03-01',
    ],
    tools: ['index.chunk.search', 'signal.record.search', 'graph.fact.search', 'graph.node.search'],
  },
  {
    id: 'ingest-content',
    name: 'Take content in',
    description:
      'Makes notes, documents, transcripts, web pages and files searchable. Send the content as text, as a file part (text or bytes) or by its URL.',
    tags: ['ingestion', 'documents', 'transcripts', 'web'],
    examples: [
      'Ingest this note titled "Visit at Acme": they want audit logs before renewal.',
      'Add https://example.com/help to the knowledge base',
      'Store this call transcript titled "Acme sync":\nAnna: the export is slow.',
    ],
    inputModes: [
      ...words,
      'text/markdown',
      'text/html',
      'text/csv',
      'text/vtt',
      'application/pdf',
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      'application/vnd.openxmlformats-officedocument.presentationml.presentation',
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      'message/rfc822',
    ],
    tools: ['ingest.document.submit', 'ingest.transcript.submit', 'ingest.content.submit', 'ingest.url.submit', 'ingest.youtube.submit'],
  },
  {
    id: 'flag-issue',
    name: 'Flag an issue',
    description: 'Notes that an issue was seen: its name, why it matters, how severe it is and which documents show it.',
    tags: ['issues', 'alerting'],
    examples: [
      'Flag an issue: checkout fails on Safari. Three customers could not pay since Monday.',
      'Report a critical bug "Login loop" because users are sent back to the login page',
    ],
    tools: ['entity.issue.flag'],
  },
  {
    id: 'lookup-entity',
    name: 'Look up an entity',
    description:
      'Tells what is known of a customer, feature, issue, theme or person: names, counts, state, links, what hangs together with it; what a customer is like, how a feature does, whom an issue hits; lists entities; says how well names are resolved.',
    tags: ['entities', 'graph', 'customers', 'features', 'issues'],
    examples: [
      'Look up the customer Acme Corp',
      'Tell me about the customer Acme Corp',
      'Health of the Export API',
      'Who is affected by Login loop?',
      'What is related to "Export API"?',
      'List all features',
      'How good is entity resolution over the last 60 days?',
    ],
    tools: [
      'entity.record.get',
      'entity.record.list',
      'entity.customer.get_profile',
      'entity.feature.get_health',
      'entity.issue.get_impact',
      'graph.entity.find_related',
      'entity.resolution.get_stats',
    ],
  },
  {
    id: 'propose-entity-change',
    name: 'Propose a change of entities',
    description:
      'Proposes that two entities are one, that one is two, or that a name belongs to one (a person decides); links an entity to another system; sets its status.',
    tags: ['entities', 'merge', 'status', 'links'],
    examples: [
      'Merge "Acme Corp" and "Acme Corporation" because both use the domain acme.com',
      'Mark "Login loop" as fixed',
      'Link "Login loop" to Jira PAY-101',
    ],
    tools: ['entity.proposal.submit', 'entity.link.create', 'entity.status.set'],
  },
  {
    id: 'analyze-landscape',
    name: 'Analyze the landscape',
    description:
      'What to build next, which issues, features and themes weigh most, what grows or declines, what a change would reach, patterns and risks; an overview of everything or of one product area; or the graph around one entity.',
    tags: ['overview', 'trends', 'heatmap', 'priorities', 'opportunities', 'scenarios', 'graph'],
    examples: [
      'Give me an overview of what we know',
      'What should we build next?',
      'Which issues hit the most customers?',
      'What is trending?',
      'What is trending in the Payments area?',
      'What happens if we fix Login loop?',
      'What are the strategic risks around security?',
      'List the opportunities, top 5',
      'Browse the graph around "Acme Corp"',
    ],
    tools: [
      'graph.summary.get',
      'graph.entity.browse',
      'insight.heatmap.get',
      'insight.trend.list',
      'insight.scenario.analyze',
      'insight.strategy.generate',
      'opportunity.record.list',
      'opportunity.priority.list',
    ],
  },
  {
    id: 'trace-provenance',
    name: 'Trace a claim to its evidence',
    description: 'From a claim or an entity back to the passages and facts that support it; numbers in a claim are counted.',
    tags: ['provenance', 'evidence', 'citations'],
    examples: [
      'What is the evidence that 47 customers are affected by the login loop?',
      'Trace the claim "Acme wants audit logs" to its sources',
    ],
    tools: ['provenance.chain.trace'],
  },
  {
    id: 'generate-report',
    name: 'Write a report or an artifact',
    description:
      'Reports (customer health, customer impact, roadmap, digest, competition, product area) and artifacts (PRD, Jira issues, RFC, one-pager) in Markdown, made from customer evidence, every statement with its sources; or the latest report. A subject that is no customer, entity or area gets the passages found on it, quoted.',
    tags: ['report', 'digest', 'prd', 'artifact', 'summary', 'citations'],
    examples: [
      'Write a weekly digest',
      'Write a roadmap summary for leadership',
      'Write a customer impact brief for Acme',
      'Write a PRD for "Export API"',
      'Show the latest weekly digest',
      'Write a report on onboarding complaints',
      'Generate a report about Acme Corp',
    ],
    tools: [
      'authoring.report.generate',
      'authoring.artifact.generate',
      'authoring.report.get_latest',
      'index.chunk.search',
      'graph.summary.get',
    ],
  },
];

/** The skills of this platform for A2A agents. A test checks that each example is routed to its skill. */
export const skills: readonly Skill[] = offers.map((offer) => ({ inputModes: words, outputModes: answers, ...offer }));

/** Not on the card: requested by name only, and done by agents that claim tasks on this platform's board. */
export const workSkill = workCapability;

const plain = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_]+/g, '-');

/** A skill by its id or name, however it is spelled. */
export const findSkill = (name: string): Skill | undefined =>
  skills.find((skill) => plain(name) === skill.id || plain(name) === plain(skill.name));

export const skillById = (id: string): Skill => {
  const skill = skills.find((each) => each.id === id);
  if (!skill) throw new Error(`no skill ${id}`);
  return skill;
};
