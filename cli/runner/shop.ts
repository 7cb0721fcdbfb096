/** What all runs of one runner share. */
import type { Api } from './api.ts';
import type { Settings } from './settings.ts';

export interface Shop {
  settings: Settings;
  api: Api;
  /** Environment of agents and commands, without what is the run's own. */
  env: Record<string, string>;
  /** The user has no name in git. */
  nameless: boolean;
  /** Flags of git for commits of the runner. */
  identity: readonly string[];
  /** What has been said already, and need not be repeated every few seconds. */
  told: Set<string>;
}
