import { github } from './github.ts';
import { gitlab } from './gitlab.ts';
import { jira } from './jira.ts';
import { linear } from './linear.ts';
import type { TrackerPorts } from './types.ts';

/** @param fetched guarded: the addresses are given by callers */
export const openTrackers = (fetched: typeof fetch): TrackerPorts => ({
  github: github(fetched),
  gitlab: gitlab(fetched),
  jira: jira(fetched),
  linear: linear(fetched),
});
