import type { PeerPorts } from '../../adapters/peers/types.ts';
import { DelegationReports } from './delegation-reports.ts';
import { DelegationSending } from './delegation-sending.ts';
import { Delegations, type DelegationDeps } from './delegations.ts';
import { ReceivedRunning } from './received-running.ts';
import { Received } from './received.ts';

/** Tasks handed from agent to agent, both ways. */
export class DelegationService {
  readonly tasks: Delegations;
  readonly reports: DelegationReports;
  readonly received: Received;
  /** What processes do. */
  readonly sending: DelegationSending;
  readonly running: ReceivedRunning;

  constructor(deps: DelegationDeps & { peerPorts: PeerPorts }) {
    this.tasks = new Delegations(deps);
    this.reports = new DelegationReports(deps);
    this.received = new Received(deps);
    this.sending = new DelegationSending(deps, this.received, this.reports);
    this.running = new ReceivedRunning({ db: deps.db, received: this.received });
  }
}
