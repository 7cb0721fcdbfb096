import { asTenant } from '../../adapters/postgres/tenancy.ts';
import { decidersNamed, mayDecide, type Caller } from '../../contracts/caller.ts';
import { AppError } from '../../contracts/errors.ts';
import type { Approval } from '../../contracts/governance/policy.ts';
import { hashOf } from '../../contracts/ids.ts';
import type { Channel } from '../../contracts/outbound/notifications.ts';
import type { SubscriptionTarget } from '../../contracts/outbound/subscriptions.ts';
import type { Columns } from '../../prisma/rows.ts';
import type { GovernanceService } from '../governance/index.ts';
import { Service } from '../kernel/service.ts';

/** What a link leads to, and the caller who decides by it: the recipient, with the rights of whoever allowed the link. */
export interface OpenedLink {
  approval: Approval;
  decider: Caller;
  /** When the link ends; ISO 8601. */
  until: string;
}

type Allowed = Columns<'event_subscriptions', 'id' | 'shown' | 'recipient' | 'links_key'> & { channel: Channel; approve_links: boolean };

interface Claims {
  tenant: string;
  approval: string;
  subscription: string;
  /** Unix time in seconds. */
  until: number;
}

const tokenShape = /^([a-z0-9][a-z0-9_-]{0,62})\.(apr_[0-9a-z]{1,60})\.([0-9a-z_]{1,64})\.(\d{1,11})\.([A-Za-z0-9_-]{43})$/;

/**
 * Links with which one person decides about one waiting call without signing in. A link is bound to the call, the hash of
 * its arguments, the subscription and its recipient. It works as long as the call waits, the link has not expired, the
 * subscription allows links, and the person who allowed them may decide.
 */
export class ApprovalLinks extends Service<
  'secrets' | 'links',
  { governance: Pick<GovernanceService, 'approvals' | 'keys' | 'policies'> }
> {
  /** @throws AppError VALIDATION_ERROR, FORBIDDEN; CONFLICT when no public address is configured */
  assertMayAllow(caller: Caller, target: SubscriptionTarget, channel: Channel | undefined): void {
    if (target !== 'notification' || (channel !== 'slack' && channel !== 'email')) {
      throw new AppError('VALIDATION_ERROR', 'Only alerts by Slack or e-mail carry links for approvals.', {
        hint: 'Give target notification and channel slack or email, or leave approve_links out.',
        details: { field: 'approve_links' },
      });
    }
    if (!mayDecide(caller)) {
      throw new AppError('FORBIDDEN', `Only a person with the role ${decidersNamed} may have approvals decided by link.`, {
        hint: 'Ask one of them to save the subscription, or leave approve_links out.',
        details: { reason: 'approve_links' },
      });
    }
    if (this.deps.links.base === null) {
      throw new AppError('CONFLICT', 'Links for approvals need the public address of this server.', {
        hint: 'Set PUBLIC_URL for api and workers.',
        details: { reason: 'not_configured' },
      });
    }
  }

  /** The link for the recipient of a subscription; null: this call is not decided by link. */
  async address(tenant: string, approvalId: string, subscriptionId: string): Promise<string | null> {
    const { base, approvalHours } = this.deps.links;
    const approval = await this.deps.governance.approvals.byLink(tenant, approvalId);
    const row = await this.allowed(tenant, subscriptionId);
    if (base === null || !approval || !row?.approve_links) return null;
    const ends = Math.min(Date.parse(approval.requested_at) + approvalHours * 3_600_000, Date.parse(approval.expires_at));
    const claims: Claims = { tenant, approval: approvalId, subscription: subscriptionId, until: Math.floor(ends / 1_000) };
    const mac = this.deps.secrets.mac(this.signedText(claims, approval, row)).toString('base64url');
    return `${base}/approve?token=${[tenant, approvalId, subscriptionId, claims.until, mac].join('.')}`;
  }

  /** @throws AppError UNAUTHORIZED when it was not made here or is for other arguments; GONE when it has ended */
  async open(token: string): Promise<OpenedLink> {
    const [, tenant, approvalId, subscription, until, given] = tokenShape.exec(token) ?? [];
    if (tenant === undefined) throw unknownLink();
    return await asTenant(tenant, async () => {
      const approval = await this.deps.governance.approvals.byLink(tenant, approvalId!);
      const row = await this.allowed(tenant, subscription!);
      if (!approval || !row) throw unknownLink();
      const claims: Claims = { tenant, approval: approvalId!, subscription: subscription!, until: Number(until) };
      if (!this.deps.secrets.verifies(this.signedText(claims, approval, row), Buffer.from(given!, 'base64url'))) throw unknownLink();
      if (claims.until * 1_000 <= Date.now()) throw gone('This link has expired.');
      const decider = row.approve_links && row.links_key !== null ? await this.deciderOf(tenant, row, row.links_key) : null;
      if (!decider) throw gone('This link was withdrawn: whoever allowed links for approvals took that back, or may no longer decide.');
      return { approval, decider, until: new Date(claims.until * 1_000).toISOString() };
    });
  }

  private async allowed(tenant: string, id: string): Promise<Allowed | undefined> {
    const [row] = await this.db.query<Allowed & Record<string, unknown>>(
      `select id, channel, shown, recipient, approve_links, links_key from event_subscriptions
       where tenant_id = $1 and id = $2 and target = 'notification'`,
      [tenant, id],
    );
    return row;
  }

  private async deciderOf(tenant: string, { channel, shown }: Allowed, keyId: string): Promise<Caller | null> {
    const { keys, policies } = this.deps.governance;
    const caller = await keys.callerOf(tenant, keyId, `${channel}:${shown}`);
    if (!caller) return null;
    const decider = { ...caller, access: await policies.accessOf(caller) };
    return mayDecide(decider) ? decider : null;
  }

  private signedText({ tenant, approval, subscription, until }: Claims, { input_hash }: Approval, { channel, recipient }: Allowed): string {
    const to = hashOf({ channel, recipient: this.deps.secrets.open(recipient!) });
    return `approval-link:${JSON.stringify([tenant, approval, input_hash, subscription, to, until])}`;
  }
}

const unknownLink = (): AppError =>
  new AppError('UNAUTHORIZED', 'This link leads to no call that waits for you.', {
    hint: 'Open it as it came, whole. If its subscription was changed since, decide in the console.',
  });
const gone = (message: string): AppError => new AppError('GONE', message, { hint: 'Decide in the console.' });
