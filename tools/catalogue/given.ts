import type { Services } from '../../services/index.ts';

/** Parts of the kernel that every tool may use. */
const toAll = ['jobs', 'language', 'projections', 'health'] as const;

/**
 * Additional services by domain, the first word of a tool's name. A domain belongs to the context of its folder; a
 * comment explains each service of another context.
 */
const byDomain = {
  // `agents`: a call for work counts as a heartbeat. `governance`: the agent of a run gets a key.
  work: ['work', 'agents', 'governance'],

  substrate: ['substrate'],
  run: ['runs'],
  claim: ['claims'],
  schema: ['schemas'],

  access: ['governance'],
  approval: ['governance'],
  external: ['external'],
  // `external`: tools of other servers are listed and described, too. `overview`, `inbox`: the kernel's, for this domain alone.
  system: ['governance', 'exports', 'external', 'overview', 'inbox'],

  connector: ['connectors'],
  event: ['events'],
  notification: ['notifications'],

  // `substrate`: an artifact can be parsed like a file.
  document: ['knowledge', 'substrate'],
  index: ['knowledge'],
  // `feeds`: feeds log their runs under ingestion's names.
  ingest: ['knowledge', 'feeds'],
  // A passage is shown with the entities, statements and drafts that belong to it.
  knowledge: ['knowledge', 'graph', 'signals', 'authoring'],
  memory: ['knowledge'],

  // `insight`: profiles of customers, features and issues count signals.
  entity: ['graph', 'insight'],
  // `external`: Graphiti's names may be forwarded to Graphiti's own server.
  graph: ['graph', 'external'],
  provenance: ['graph'],

  insight: ['insight'],
  opportunity: ['opportunities'],
  signal: ['signals', 'readings'],

  // `briefs`: briefs are documents, too. `notifications`: recipients are checked before anything is sent.
  authoring: ['authoring', 'reportSchedules', 'briefs', 'notifications'],

  // `knowledge`: articles are ingested.
  feed: ['feeds', 'knowledge'],

  agent: ['agents', 'a2a'],
} as const satisfies Record<string, readonly Exclude<keyof Services, 'kernel'>[]>;

type Domains = typeof byDomain;

/** The services of a tool of domain D; for a domain that is not in the table, those that every tool gets. */
export type Given<D extends string = never> = Pick<
  Services,
  (typeof toAll)[number] | (D extends keyof Domains ? Domains[D][number] : never)
>;

/** The tool can reach no other service, whatever types it declares. */
export function givenTo(services: Services, tool: string): Given {
  const own = byDomain[tool.slice(0, tool.indexOf('.')) as keyof Domains] ?? [];
  return Object.fromEntries([...toAll, ...own].map((name) => [name, services[name]])) as unknown as Given;
}
