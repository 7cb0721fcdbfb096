/** What people call the records whose ids begin so (`newId`, `derivedId`). */
const nouns: Readonly<Record<string, string>> = {
  apr: 'approval',
  art: 'article',
  brief: 'brief',
  ckpt: 'checkpoint of a run',
  claim: 'claim',
  con: 'console session',
  content: 'ingested content',
  del: 'delivery of an event',
  doc: 'document',
  ent: 'entity',
  exp: 'export',
  fact: 'fact',
  feed: 'feed source',
  fb: 'question about entities',
  job: 'job',
  key: 'API key',
  memory: 'memory',
  msg: 'message of an agent',
  notif: 'notification',
  opp: 'opportunity',
  out: 'output of an agent',
  plan: 'plan of tasks',
  ptr: 'pointer',
  recurrence: 'recurring task',
  run: 'run',
  schedule: 'scheduled report',
  schema: 'schema',
  ses: 'work session',
  sess: 'session of agents',
  sig: 'customer signal',
  source: 'knowledge source',
  step: 'step of a run',
  sub: 'event subscription',
  task: 'task',
  tracker: 'issue tracker',
  traj: 'explained answer',
  wrun: 'run of a coding agent',
};

/** An id of ours, also when it was shortened. Words such as `task_list` have a letter that ids lack, or no digit. */
const recordId = /\b([a-z]+)_(?=[0-9a-z]*\d)[0-9a-hjkmnp-tv-z]{2,20}(?![\w])/g;
const uuid = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi;
const hash = /\b(?:sha256:)?[0-9a-f]{64}\b/gi;

/** The text with each id replaced by the noun for its record; a text that is only an id asks to look at the record. */
export function withoutIds(text: string): string {
  const told = text
    .replaceAll(recordId, (id, prefix: string) => nouns[prefix] ?? id)
    .replaceAll(hash, 'stored artifact')
    .replaceAll(uuid, 'call');
  return told !== text && Object.values(nouns).concat('stored artifact', 'call').includes(told.trim())
    ? `look at one ${told.trim()}`
    : told;
}
