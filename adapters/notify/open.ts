import type { Config } from '../../platform/config.ts';
import type { ConnectorPorts } from '../connectors/types.ts';
import type { WebClient } from '../web/types.ts';
import { emailChannel } from './email.ts';
import { slackChannel } from './slack.ts';
import type { NotifyPorts } from './types.ts';
import { webhookChannel } from './webhook.ts';

export const openNotify = (
  config: Pick<Config, 'SMTP_URL' | 'SMTP_FROM'>,
  { connectors, web }: { connectors: Pick<ConnectorPorts, 'slack'>; web: WebClient },
): NotifyPorts => ({
  slack: slackChannel(connectors.slack),
  email: emailChannel({ url: config.SMTP_URL ?? null, from: config.SMTP_FROM }),
  webhook: webhookChannel(web),
  mailServer: config.SMTP_URL !== undefined,
});
