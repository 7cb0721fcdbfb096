import { Context } from '@temporalio/activity';
import type { ConnectorActivities } from '../../contracts/activities/outbound/connector.ts';
import type { ConnectorService } from '../../services/outbound/connectors/index.ts';
import { longStage, stage } from '../kernel/stage.ts';

export const connectorActivities = (connectors: ConnectorService): ConnectorActivities => ({
  attemptConnectorCall: (ref, attempt, check) =>
    longStage(ref.tenant, () => connectors.attempt(ref, attempt, check, Context.current().cancellationSignal)),
  endConnectorCall: (ref, end) => stage(ref.tenant, () => connectors.end(ref, end)),
});
