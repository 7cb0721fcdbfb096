/**
 * Names shared by those who start processes and those who run them. Imports nothing, so that workflow
 * code may use it.
 */

/**
 * Queues of their own, so that no ingestion ever delays a claim, and no large content a small one: `light` is for
 * background work of seconds. Within a queue tenants take turns (`fairShare`).
 */
export const queues = { interactive: 'interactive', light: 'light', background: 'background', outbound: 'outbound' } as const;

export const workflowIds = {
  task: (tenant: string, id: string): string => `task/${tenant}/${id}`,
  /** The content key makes a repeated submission of the same content the same process. */
  ingest: (tenant: string, contentKey: string): string => `ingest/${tenant}/${contentKey}`,
  /** The key names what is taken in: asked for again while it is under way, it is the same process. */
  ingestRun: (tenant: string, key: string): string => `run/${tenant}/${key}`,
  pipeline: (tenant: string, scope: string): string => `pipeline/${tenant}/${scope}`,
  /** A source's id, or `base-` and a base's. */
  removal: (tenant: string, id: string): string => `removal/${tenant}/${id}`,
  /** What waits for a person's decision; an entity match, for one. */
  review: (tenant: string, id: string): string => `review/${tenant}/${id}`,
  /** The key names the pair and its decision: asked for again, it is the same process. */
  merge: (tenant: string, key: string): string => `merge/${tenant}/${key}`,
  split: (tenant: string, key: string): string => `split/${tenant}/${key}`,
  /** One per tenant: its episodes are taken in one after the other. */
  episodes: (tenant: string): string => `episodes/${tenant}`,
  clearGraph: (tenant: string): string => `clear-graph/${tenant}`,
  /** One per tenant: its signals are gathered by one process. */
  opportunities: (tenant: string): string => `opportunities/${tenant}`,
  /** The key names what is linked: asked for again, it is the same process. */
  tableLink: (tenant: string, key: string): string => `table-link/${tenant}/${key}`,
  /** An agent's presence. */
  agent: (tenant: string, id: string): string => `agent/${tenant}/${id}`,
  /** A task handed to a peer, and one that a peer handed to us. */
  delegation: (tenant: string, id: string): string => `delegation/${tenant}/${id}`,
  received: (tenant: string, id: string): string => `received/${tenant}/${id}`,
  /** A task of the A2A protocol that we work on. */
  a2aTask: (tenant: string, id: string): string => `a2a/${tenant}/${id}`,
  /** A call that waits for a person's approval. */
  toolCall: (tenant: string, id: string): string => `call/${tenant}/${id}`,
  /** A call to another system; the id is its job's. */
  connectorCall: (tenant: string, id: string): string => `connector/${tenant}/${id}`,
  /** The brief of a day, and one of given articles: the key names these. */
  dailyBrief: (tenant: string, date: string): string => `brief/${tenant}/${date}`,
  brief: (tenant: string, key: string): string => `generate/${tenant}/brief/${key}`,
  /** The clock of a tenant's daily brief: the name of its Temporal Schedule, and what that starts. */
  briefSchedule: (tenant: string): string => `brief-clock/${tenant}`,
  /** A notification on its way, and what is gathered for a recipient. */
  notify: (tenant: string, id: string): string => `notify/${tenant}/${id}`,
  digest: (tenant: string, recipient: string): string => `digest/${tenant}/${recipient}`,
  /** Also the name of its Temporal Schedule; each run has the time at which it fired added. */
  reportSchedule: (tenant: string, id: string): string => `report-schedule/${tenant}/${id}`,
  /** Records taken out; the key names what is asked for and by whom: asked for again meanwhile, it is the same process. */
  export: (tenant: string, key: string): string => `export/${tenant}/${key}`,
  /** One at a time per tenant: asked for again meanwhile, it is the same process. `after` is the job before it. */
  ledgerVerify: (tenant: string, after: string): string => `ledger-verify/${tenant}/${after}`,
  /** An artifact or a report that is generated. */
  draft: (tenant: string, id: string): string => `draft/${tenant}/${id}`,
  /** What one subscription is told. */
  eventDelivery: (tenant: string, id: string): string => `events/${tenant}/${id}`,
  sweep: (): string => 'sweep',
  /** One per copy of the records that is kept outside of Postgres, e.g. `projection/vectors`. */
  projection: (copy: 'vectors' | 'graph'): string => `projection/${copy}`,
};

/** Short, so that a killed worker costs seconds; not shorter, because replay itself must fit. */
export const workflowTaskTimeout = '3 seconds';

export const searchAttributes = {
  tenant: 'SignalboxTenant',
  kind: 'SignalboxKind',
  status: 'SignalboxStatus',
  owner: 'SignalboxOwner',
} as const;

/** `ApplicationFailure.type` of an expected refusal: `app:` and an error code of contracts/errors.ts. */
export const failureType = (code: string): string => `app:${code}`;

/**
 * A task's status as Temporal's list shows it. Claims and releases come and go, and each change of a search
 * attribute costs the server as much as the claim itself: `open` covers ready and in progress; the row and
 * the process's details say which.
 */
export const listedStatus = (status: string): string => (status === 'ready' || status === 'in_progress' ? 'open' : status);

/**
 * The last argument of whatever our own processes hand to Temporal: what it is for. The codec seals the whole list of
 * arguments with it (adapters/temporal/sealing.ts), for anybody who reaches Temporal's port can send anything.
 */
export interface Stamp {
  signalboxStamp: string;
  /** The update's id. */
  id?: string;
  /** When it was made; ms since the epoch. */
  at?: number;
  /** Set by the codec that opened it, never by whoever sends it. */
  sealed?: boolean;
}

export const stampOf = (args: readonly unknown[]): Stamp | null => {
  const last = args.at(-1);
  return typeof last === 'object' && last !== null && 'signalboxStamp' in last ? (last as Stamp) : null;
};

export const stampFor = {
  start: (workflow: string): string => `start ${workflow}`,
  update: (name: string): string => `update ${name}`,
  signal: (name: string): string => `signal ${name}`,
  activity: (name: string): string => `activity ${name}`,
  heartbeat: (activity: string): string => `heartbeat ${activity}`,
};

/** Stands in the workflow bundle where a worker writes since when unsealed input is refused; ms since the epoch. */
export const sealedSinceMark = '@@signalbox-sealed-since@@';

/** Every kind of job: the workflow that does it, and the subject of the sentence that says it failed. */
export const jobKinds = {
  ingest: { workflow: 'ingest', subject: 'Ingestion' },
  ingest_run: { workflow: 'ingestRun', subject: 'Ingestion' },
  removal: { workflow: 'removal', subject: 'The removal' },
  pipeline: { workflow: 'pipeline', subject: 'The pipeline run' },
  merge: { workflow: 'merge', subject: 'The merge' },
  split: { workflow: 'split', subject: 'The split' },
  clear_graph: { workflow: 'clearGraph', subject: 'Clearing the graph' },
  table_link: { workflow: 'tableLink', subject: 'Linking the tables' },
  draft: { workflow: 'draft', subject: 'Generating the draft' },
  brief: { workflow: 'brief', subject: 'Generating the brief' },
  daily_brief: { workflow: 'dailyBrief', subject: 'The brief' },
  connector_call: { workflow: 'connectorCall', subject: 'The call' },
  notification: { workflow: 'notify', subject: 'The notification' },
  ledger_verify: { workflow: 'verifyLedger', subject: 'The verification' },
  export: { workflow: 'exportData', subject: 'The export' },
} as const;
export type JobKind = keyof typeof jobKinds;
