import { Service } from '../kernel/service.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { SubstrateService } from '../substrate/index.ts';
import { Approvals } from './approvals.ts';
import { Calls } from './calls.ts';
import { ConsoleSessions } from './console-sessions.ts';
import { ExportService } from './exports/index.ts';
import { ExternalService } from './external/index.ts';
import { Idempotency } from './idempotency.ts';
import { KeyAdministration } from './key-administration.ts';
import { Keys } from './keys.ts';
import { LedgerChain } from './ledger-keeping.ts';
import { LedgerLinking } from './ledger-linking.ts';
import { Ledger } from './ledger.ts';
import { RateLimits } from './limits.ts';
import { People } from './people.ts';
import { OpenStreams } from './open-streams.ts';
import { Policies } from './policies.ts';
import { LedgerQueries } from './queries.ts';
import { RunKeys } from './run-keys.ts';
import { SessionAdministration } from './session-administration.ts';
import { SessionChecks } from './session-checks.ts';
import { WorkSessions } from './sessions.ts';
import { Stakeholders } from './stakeholders.ts';
import { Tokens } from './tokens.ts';
import { WhatIfs } from './what-if.ts';

export type { Approvals } from './approvals.ts';
export type { Added } from './external/index.ts';
export { elsewhere, tooMuch, withoutPatterns } from './external/schema.ts';
export { withoutValues } from './external/secrets.ts';
export type { ExternalTool, Snapshot } from './external/snapshot.ts';
export type { LedgerEvent } from './ledger.ts';
export type { LimitState } from './limits.ts';
export type { PastCalls } from './what-if.ts';
export { scopeOfTeam } from './stakeholders.ts';
export { checkTenant, ensureTenant } from './tenants.ts';

/** Rights, approvals, and the ledger. */
export class GovernanceService extends Service<keyof Kernel> {
  readonly keys = new Keys(this.deps);
  readonly runKeys = new RunKeys({ ...this.deps, keys: this.keys });
  readonly tokens = new Tokens({ ...this.deps, keys: this.keys });
  readonly people = new People({ ...this.deps, tokens: this.tokens });
  readonly consoleSessions = new ConsoleSessions({
    ...this.deps,
    keys: this.keys,
    people: this.people,
    checks: new SessionChecks({ ...this.deps, people: this.people, tokens: this.tokens }),
  });
  readonly sessionAdministration = new SessionAdministration({ ...this.deps, consoleSessions: this.consoleSessions });
  readonly ledger = new Ledger(this.deps);
  readonly chain = new LedgerChain(this.deps);
  readonly linking = new LedgerLinking({ ...this.deps, chain: this.chain });
  readonly policies = new Policies(this.deps);
  readonly whatIfs = new WhatIfs({ ...this.deps, policies: this.policies });
  readonly stakeholders = new Stakeholders({ ...this.deps, changed: () => this.policies.forget() });
  readonly approvals = new Approvals(this.deps);
  readonly calls = new Calls({ ...this.deps, approvals: this.approvals });
  readonly sessions = new WorkSessions(this.deps);
  readonly ledgerQueries = new LedgerQueries(this.deps);
  readonly idempotency = new Idempotency(this.deps);
  readonly limits = new RateLimits(this.deps);
  readonly streams = new OpenStreams(this.deps);
  readonly keyAdministration = new KeyAdministration({ ...this.deps, keys: this.keys, policies: this.policies, rates: this.limits });
}

export const createGovernance = (kernel: Kernel, { substrate }: { substrate: SubstrateService }) => ({
  governance: new GovernanceService(kernel),
  external: new ExternalService({ ...kernel, artifacts: substrate.artifacts }),
  exports: new ExportService(kernel),
});
