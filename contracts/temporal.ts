/**
 * Names shared by the code that starts processes and the code that runs them. Imports nothing, so that workflow code
 * may use it.
 */

/**
 * Separate queues, so that no ingestion delays a claim, and no large content a small one: `light` is for background
 * work of seconds. `presence` is for agents' presence: a thousand that fall silent at once delay no claim. Within a
 * queue tenants take turns (`fairShare`).
 */
export const queues = {
  interactive: 'interactive',
  presence: 'presence',
  light: 'light',
  background: 'background',
  outbound: 'outbound',
} as const;

export const workflowIds = {
  task: (tenant: string, id: string): string => `task/${tenant}/${id}`,
  /** The content key makes a repeated submission of the same content join the same process. */
  ingest: (tenant: string, contentKey: string): string => `ingest/${tenant}/${contentKey}`,
  /** The key identifies the contents: a repeated request joins the running process. */
  ingestRun: (tenant: string, key: string): string => `run/${tenant}/${key}`,
  pipeline: (tenant: string, scope: string): string => `pipeline/${tenant}/${scope}`,
  /** A source's id, or `base-` and a base's. */
  removal: (tenant: string, id: string): string => `removal/${tenant}/${id}`,
  /** A question that waits for a person's decision, e.g. an entity match. */
  review: (tenant: string, id: string): string => `review/${tenant}/${id}`,
  /** The key identifies the pair and the decision: a repeated request joins the running process. */
  merge: (tenant: string, key: string): string => `merge/${tenant}/${key}`,
  split: (tenant: string, key: string): string => `split/${tenant}/${key}`,
  /** One per tenant: episodes are ingested in order. */
  episodes: (tenant: string): string => `episodes/${tenant}`,
  clearGraph: (tenant: string): string => `clear-graph/${tenant}`,
  /** One per tenant: one process clusters its signals. */
  opportunities: (tenant: string): string => `opportunities/${tenant}`,
  /** One per tenant: one process reads documents again. */
  rereading: (tenant: string): string => `rereading/${tenant}`,
  /** The key identifies the tables: a repeated request joins the running process. */
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
  /** The brief of a day, or of given articles; the key says which. */
  dailyBrief: (tenant: string, date: string): string => `brief/${tenant}/${date}`,
  brief: (tenant: string, key: string): string => `generate/${tenant}/brief/${key}`,
  /** The schedule of a tenant's daily brief: the name of the Temporal Schedule, and the workflow that it starts. */
  briefSchedule: (tenant: string): string => `brief-clock/${tenant}`,
  /** Delivery of one notification, and the digest of a recipient. */
  notify: (tenant: string, id: string): string => `notify/${tenant}/${id}`,
  digest: (tenant: string, recipient: string): string => `digest/${tenant}/${recipient}`,
  /** Also the name of its Temporal Schedule; Temporal appends the scheduled time to the id of each run. */
  reportSchedule: (tenant: string, id: string): string => `report-schedule/${tenant}/${id}`,
  /** A recurring task. Also the name of its Temporal Schedule; Temporal appends the scheduled time to the id of each run. */
  recurrence: (tenant: string, id: string): string => `recurrence/${tenant}/${id}`,
  /** A sync of an issue tracker. Also the name of its Temporal Schedule; Temporal appends the scheduled time to the id of each run. */
  trackerSync: (tenant: string, id: string): string => `tracker/${tenant}/${id}`,
  /** An export; the key identifies its content and its caller: a repeated request joins the running process. */
  export: (tenant: string, key: string): string => `export/${tenant}/${key}`,
  /** One at a time per tenant: a concurrent request joins it. `after` is the job before it. */
  ledgerVerify: (tenant: string, after: string): string => `ledger-verify/${tenant}/${after}`,
  /** An artifact or a report that is generated. */
  draft: (tenant: string, id: string): string => `draft/${tenant}/${id}`,
  /** Delivery of events to one subscription. */
  eventDelivery: (tenant: string, id: string): string => `events/${tenant}/${id}`,
  sweep: (): string => 'sweep',
  /** One per copy of the records outside Postgres, e.g. `projection/vectors`. */
  projection: (copy: 'vectors' | 'graph'): string => `projection/${copy}`,
};

/**
 * Short, so that a killed worker delays tasks by seconds only; long enough for a replay on a machine that is starved: a task that is
 * late is done again from its beginning, which starves it more.
 */
export const workflowTaskTimeout = '5 seconds';

/**
 * Of local activities: they end within their workflow task, which Temporal prolongs after 4 s. Results that arrive
 * during a prolonged one come in another order in a replay.
 */
export const withinWorkflowTask = {
  scheduleToCloseTimeout: '1500ms',
  startToCloseTimeout: '1500ms',
  retry: { initialInterval: '100ms', maximumAttempts: 3 },
} as const;

/** Asks a process which revision of its row it has written. */
export const writtenQuery = 'written';

export const searchAttributes = {
  tenant: 'SignalboxTenant',
  kind: 'SignalboxKind',
  status: 'SignalboxStatus',
  owner: 'SignalboxOwner',
} as const;

/** `ApplicationFailure.type` of an expected refusal: `app:` and an error code of contracts/errors.ts. */
export const failureType = (code: string): string => `app:${code}`;
/** Detail of a failure whose cause is that Postgres was away: the stage did not fail, and is worth waiting for. */
export const recordsAway = 'records-away';

/**
 * A task's status in Temporal's list. Claims and releases are frequent, and each change of a search attribute costs
 * the server as much as the claim itself. So `open` covers ready and in progress; the row and the process's details
 * distinguish them.
 */
export const listedStatus = (status: string): string => (status === 'ready' || status === 'in_progress' ? 'open' : status);

/**
 * The last argument of every payload that our processes send to Temporal: its purpose. The codec seals all arguments
 * together with it (adapters/temporal/sealing.ts), because any program that can connect to Temporal's port can send
 * payloads.
 */
export interface Stamp {
  signalboxStamp: string;
  /** The update's id. */
  id?: string;
  /** Time of creation in ms since the epoch. */
  at?: number;
  /** Set by the receiving codec, never by the sender. */
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

/** Replaced in the workflow bundle by the time since which a worker refuses unsealed input; ms since the epoch. */
export const sealedSinceMark = '@@signalbox-sealed-since@@';

/** Replaced in the workflow bundle by `true` where payloads are encrypted. */
export const encryptMark = '@@signalbox-encrypt@@';

/** Replaced in the workflow bundle by `true` where workers have versions: others may not say how workflows move. */
export const versionedMark = '@@signalbox-versioned@@';

/** The tenant in a workflow's id; empty: it serves all tenants. Runs that a schedule started have a time at the end. */
export function tenantOfWorkflow(workflowId: string): string {
  const [kind, tenant = ''] = workflowId.split('/');
  return kind === 'projection' ? '' : tenant.replace(/-\d{4}-\d\d-\d\dT[\d:.]+Z?$/, '');
}

/** Every kind of job: its workflow, and the subject of its failure message. */
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
