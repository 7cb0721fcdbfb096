import type { A2aSettings } from '../../../adapters/open.ts';
import type { Database } from '../../../adapters/postgres/database.ts';
import type { Notices } from '../../../adapters/postgres/notices.ts';
import type { SecretBox } from '../../../adapters/secrets/box.ts';
import type { Temporal } from '../../../adapters/temporal/client.ts';
import type { WebClient } from '../../../adapters/web/types.ts';
import type { A2aRef } from '../../../contracts/activities/a2a.ts';
import type { Caller } from '../../../contracts/caller.ts';
import type { Ref } from '../../../contracts/envelope.ts';
import { workflowIds } from '../../../contracts/temporal.ts';
import { DraftQueries } from '../../authoring/index.ts';
import type { Approvals } from '../../governance/index.ts';
import type { Jobs } from '../../kernel/jobs.ts';
import { Processes } from '../../kernel/processes.ts';
import { A2aEvents } from './events.ts';
import { listA2aTasks, type A2aFilter, type A2aPage } from './list.ts';
import { A2aPush } from './push.ts';
import { sendPushes } from './push-send.ts';
import { A2aTasks } from './tasks.ts';
import { A2aTurns } from './turns.ts';

interface Parts {
  db: Database;
  temporal: Temporal;
  notices: Notices;
  secrets: SecretBox;
  peers: WebClient;
  a2a: A2aSettings;
  jobs: Jobs;
  approvals: Approvals;
}

/** This platform as an agent of the A2A protocol. */
export class A2aService {
  readonly settings: A2aSettings;
  readonly tasks: A2aTasks;
  readonly events: A2aEvents;
  readonly push: A2aPush;
  readonly turns: A2aTurns;
  /** What an answer about a task points at: its process in Temporal's UI. */
  readonly refs: (tenant: string, id: string) => Ref[];
  readonly list: (caller: Caller, filter: A2aFilter) => Promise<A2aPage>;
  /** Tells a task's callbacks what they have not been told. */
  readonly sendPushes: (ref: A2aRef, signal: AbortSignal) => Promise<void>;

  constructor(parts: Parts) {
    const { db, notices, secrets, peers, a2a } = parts;
    const processes = new Processes(parts.temporal);
    const drafts = new DraftQueries(db);
    const push = new A2aPush({ db, secrets, peers });
    this.settings = a2a;
    this.push = push;
    this.tasks = new A2aTasks({ db, notices, processes, push });
    this.events = new A2aEvents(db, this.tasks);
    this.turns = new A2aTurns({
      ...parts,
      approval: (tenant, id) => (id.startsWith('apr_') ? parts.approvals.find(tenant, id) : Promise.resolve(null)),
      draft: (tenant, id) => drafts.get(tenant, id),
      scripted: a2a.scripted,
      changed: async ({ tenant, id }) => {
        if ((await push.rows(tenant, id)).length > 0) await processes.signal(workflowIds.a2aTask(tenant, id), 'news');
      },
    });
    this.refs = (tenant, id) => processes.refs(workflowIds.a2aTask(tenant, id));
    this.list = (caller, filter) => listA2aTasks(db, caller, filter);
    this.sendPushes = (ref, signal) => sendPushes({ db, secrets, peers, push }, ref, signal);
  }
}
