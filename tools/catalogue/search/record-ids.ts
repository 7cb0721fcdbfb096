interface RecordKind {
  /** What people call the record. */
  noun: string;
  /** The tool that shows it, or lists such records where none shows one. */
  tool?: string;
}

/** By the beginning of the id (`newId`, `derivedId`). */
const kinds: Readonly<Record<string, RecordKind>> = {
  a2a: { noun: 'A2A task', tool: 'agent.a2a.get' },
  apr: { noun: 'approval', tool: 'approval.request.get' },
  art: { noun: 'article', tool: 'feed.article.list' },
  brief: { noun: 'brief', tool: 'authoring.brief.get' },
  ckpt: { noun: 'checkpoint of a run', tool: 'run.checkpoint.get' },
  claim: { noun: 'claim', tool: 'claim.record.get' },
  con: { noun: 'console session', tool: 'access.session.list' },
  content: { noun: 'ingested content' },
  del: { noun: 'delivery of an event', tool: 'event.delivery.list' },
  doc: { noun: 'document', tool: 'knowledge.document.get' },
  ent: { noun: 'entity', tool: 'entity.record.get' },
  exp: { noun: 'export', tool: 'system.export.list' },
  fact: { noun: 'fact', tool: 'graph.fact.list' },
  feed: { noun: 'feed source', tool: 'feed.source.get' },
  fb: { noun: 'question about entities', tool: 'entity.review.get' },
  job: { noun: 'job', tool: 'system.job.get' },
  key: { noun: 'API key', tool: 'access.key.list' },
  memory: { noun: 'memory', tool: 'memory.record.get' },
  msg: { noun: 'message of an agent', tool: 'agent.message.list' },
  notif: { noun: 'notification', tool: 'notification.message.get' },
  opp: { noun: 'opportunity', tool: 'opportunity.record.get' },
  out: { noun: 'output of an agent' },
  plan: { noun: 'plan of tasks' },
  ptr: { noun: 'pointer', tool: 'substrate.pointer.resolve' },
  recurrence: { noun: 'recurring task', tool: 'work.recurrence.list' },
  run: { noun: 'run', tool: 'run.record.get' },
  schedule: { noun: 'scheduled report', tool: 'authoring.schedule.list' },
  schema: { noun: 'schema', tool: 'schema.definition.list' },
  ses: { noun: 'work session', tool: 'system.session.get' },
  sess: { noun: 'session of agents', tool: 'agent.session.get' },
  sig: { noun: 'customer signal', tool: 'signal.record.get' },
  source: { noun: 'knowledge source', tool: 'knowledge.source.get' },
  step: { noun: 'step of a run' },
  sub: { noun: 'event subscription', tool: 'event.subscription.get' },
  task: { noun: 'task', tool: 'work.task.get' },
  tracker: { noun: 'issue tracker', tool: 'work.tracker.list' },
  traj: { noun: 'explained answer', tool: 'index.answer.explain' },
  wrun: { noun: 'run of a coding agent', tool: 'work.run.get' },
};
const artifact: RecordKind = { noun: 'stored artifact', tool: 'substrate.artifact.get' };
const call: RecordKind = { noun: 'call', tool: 'system.call.get' };

/** An id of ours, also when it was shortened. Words such as `task_list` have a letter that ids lack, or no digit. */
const recordId = /\b([a-z][a-z0-9]*)_(?=[0-9a-z]*\d)[0-9a-hjkmnp-tv-z]{2,20}(?![\w])/g;
const uuid = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi;
const hash = /\b(?:sha256:)?[0-9a-f]{64}\b/gi;

export interface WithoutIds {
  /** The text with each id replaced by the noun for its record; a text that is only an id asks to look at the record. */
  text: string;
  /** The tool for a text that is only an id. */
  tool?: string | undefined;
}

export function withoutIds(given: string): WithoutIds {
  let only: RecordKind | undefined;
  const named = (id: string, kind: RecordKind | undefined): string => {
    if (kind && id === given.trim()) only = kind;
    return kind?.noun ?? id;
  };
  const text = given
    .replaceAll(recordId, (id, prefix: string) => named(id, kinds[prefix]))
    .replaceAll(hash, (id) => named(id, artifact))
    .replaceAll(uuid, (id) => named(id, call));
  return only ? { text: `look at one ${only.noun}`, tool: only.tool } : { text };
}

/** The tools that bare ids lead to. */
export const toolsOfIds = (): string[] => [...Object.values(kinds), artifact, call].flatMap(({ tool }) => tool ?? []);
