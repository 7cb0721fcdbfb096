import type { Logger } from 'pino';
import type { Notices } from '../../adapters/postgres/notices.ts';
import type { Database } from '../../adapters/postgres/database.ts';
import type { SecretBox } from '../../adapters/secrets/box.ts';
import type { Temporal } from '../../adapters/temporal/client.ts';
import type { WebClient } from '../../adapters/web/types.ts';
import type { OidcSettings } from '../../contracts/governance/oidc.ts';
import type { Jobs } from '../kernel/jobs.ts';
import { Approvals } from './approvals.ts';
import { Idempotency } from './idempotency.ts';
import { Keys } from './keys.ts';
import { LedgerChain } from './ledger-keeping.ts';
import { Ledger } from './ledger.ts';
import { RateLimits, type LimitDefaults } from './limits.ts';
import { Policies } from './policies.ts';
import { LedgerQueries } from './queries.ts';
import { WorkSessions } from './sessions.ts';
import { Stakeholders } from './stakeholders.ts';
import { Tokens } from './tokens.ts';

export type { Approvals } from './approvals.ts';
export type { Added } from './external/index.ts';
export { elsewhere, tooMuch, withoutPatterns } from './external/schema.ts';
export { withoutValues } from './external/secrets.ts';
export type { ExternalTool, Snapshot } from './external/tools.ts';
export type { LedgerEvent } from './ledger.ts';
export type { LimitState } from './limits.ts';
export { scopeOfTeam } from './stakeholders.ts';
export { checkTenant, ensureTenant } from './tenants.ts';

export interface GovernanceDeps {
  db: Database;
  temporal: Temporal;
  secrets: SecretBox;
  notices: Notices;
  web: WebClient;
  /** Accepted access tokens; null: keys only. */
  oidc: OidcSettings | null;
  /** AUTH_MODE=local. */
  keyless: boolean;
  limits: LimitDefaults;
  jobs: Jobs;
  log: Logger;
}

/** Rights, approvals, and the ledger. */
export class GovernanceService {
  readonly keys: Keys;
  readonly tokens: Tokens;
  readonly ledger: Ledger;
  readonly chain: LedgerChain;
  readonly policies: Policies;
  readonly stakeholders: Stakeholders;
  readonly approvals: Approvals;
  readonly sessions: WorkSessions;
  readonly ledgerQueries: LedgerQueries;
  readonly idempotency: Idempotency;
  readonly limits: RateLimits;

  constructor(deps: GovernanceDeps) {
    const { db, secrets, log } = deps;
    this.keys = new Keys(db, deps);
    this.tokens = new Tokens({ ...deps, keys: this.keys });
    this.ledger = new Ledger(db, secrets, log);
    this.chain = new LedgerChain(deps);
    this.policies = new Policies(db);
    this.stakeholders = new Stakeholders(db, () => this.policies.forget());
    this.approvals = new Approvals(deps);
    this.sessions = new WorkSessions(db);
    this.ledgerQueries = new LedgerQueries(db);
    this.idempotency = new Idempotency(db);
    this.limits = new RateLimits(deps.limits);
  }
}
