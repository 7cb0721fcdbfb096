import { Context } from '@temporalio/activity';
import type { TableLinkActivities } from '../../contracts/activities/graph/table-link.ts';
import { linkTablesOf, type TableLinkDeps } from '../../services/graph/tables-records.ts';
import { longStage } from '../kernel/stage.ts';

export const tableLinkActivities = (deps: TableLinkDeps): TableLinkActivities => ({
  linkTables: (job) => longStage(job.tenant, () => linkTablesOf(deps, job, Context.current().cancellationSignal)),
});
