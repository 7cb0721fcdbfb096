import { DelegationReports } from './delegation-reports.ts';
import { DelegationSending } from './delegation-sending.ts';
import { Delegations, type DelegationNames } from './delegations.ts';
import { ReceivedRunning } from './received-running.ts';
import { Received } from './received.ts';
import { Service } from '../kernel/service.ts';

/** Tasks between agents, in both directions. */
export class DelegationService extends Service<DelegationNames | 'peerPorts'> {
  readonly tasks = new Delegations(this.deps);
  readonly reports = new DelegationReports(this.deps);
  readonly received = new Received(this.deps);
  /** For workflows. */
  readonly sending = new DelegationSending({ ...this.deps, received: this.received, reports: this.reports });
  readonly running = new ReceivedRunning({ ...this.deps, received: this.received });
}
