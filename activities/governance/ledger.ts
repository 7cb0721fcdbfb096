import { Context } from '@temporalio/activity';
import type { LedgerActivities } from '../../contracts/activities/governance/ledger.ts';
import type { LedgerChain } from '../../services/governance/ledger-keeping.ts';
import { longStage } from '../kernel/stage.ts';

export const ledgerActivities = (chain: LedgerChain): LedgerActivities => ({
  verifyLedgerPart: ({ tenant }, course) => longStage(tenant, () => chain.part(tenant, course, Context.current().cancellationSignal)),
});
