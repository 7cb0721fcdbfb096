import type { Services } from '../../services/index.ts';

/** What every tool may use: the kernel's. */
const toAll = ['jobs', 'language', 'projections', 'health'] as const;

/**
 * What the tools of a domain, the first word of their names, are given beside that. A domain belongs to the context of its
 * folder; a service of another context says what it is needed for.
 */
const byDomain = {
  // An agent that asks for work is alive.
  work: ['work', 'agents'],

  substrate: ['substrate'],
  run: ['runs'],
  claim: ['claims'],
  schema: ['schemas'],

  access: ['governance'],
  approval: ['governance'],
  external: ['external'],
  // Tools of other servers are listed and described, too.
  system: ['governance', 'exports', 'external'],

  connector: ['connectors'],
  event: ['events'],
  notification: ['notifications'],

  // An artifact is parsed as a file is.
  document: ['knowledge', 'substrate'],
  index: ['knowledge'],
  // Feeds log their runs under the names of ingestion.
  ingest: ['knowledge', 'feeds'],
  knowledge: ['knowledge'],
  memory: ['knowledge'],

  // Profiles of customers, features and issues count signals.
  entity: ['graph', 'insight'],
  // Graphiti's own server stands behind its names.
  graph: ['graph', 'external'],
  provenance: ['graph'],

  insight: ['insight'],
  opportunity: ['opportunities'],
  signal: ['signals'],

  // Briefs are made of feeds and stand with the other documents; what goes to people is checked first.
  authoring: ['authoring', 'reportSchedules', 'briefs', 'notifications'],

  // Articles are taken in as knowledge.
  feed: ['feeds', 'knowledge'],

  agent: ['agents'],
} as const satisfies Record<string, readonly Exclude<keyof Services, 'kernel'>[]>;

type Domains = typeof byDomain;

/** The services that a tool of domain D is given; where the table has no such domain, those that all are. */
export type Given<D extends string = never> = Pick<
  Services,
  (typeof toAll)[number] | (D extends keyof Domains ? Domains[D][number] : never)
>;

/** Nothing else reaches the tool, whatever it declares. */
export function givenTo(services: Services, tool: string): Given {
  const own = byDomain[tool.slice(0, tool.indexOf('.')) as keyof Domains] ?? [];
  return Object.fromEntries([...toAll, ...own].map((name) => [name, services[name]])) as unknown as Given;
}
