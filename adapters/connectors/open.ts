import type { Config } from '../../platform/config.ts';
import { hubspot } from './hubspot.ts';
import { slack } from './slack.ts';
import type { ConnectorPorts } from './types.ts';

export const openConnectors = (config: Pick<Config, 'SLACK_API_URL' | 'HUBSPOT_API_URL'>): ConnectorPorts => ({
  slack: slack(config.SLACK_API_URL),
  hubspot: hubspot(config.HUBSPOT_API_URL),
});
