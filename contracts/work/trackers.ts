/** Issue trackers of other systems, whose issues become tasks. */
import { z } from 'zod';
import { headerText } from '../headers.ts';
import { plainText } from '../json.ts';
import { trackerKinds } from './tracker-kinds.ts';
import { phaseId } from './work.ts';

export const trackerId = z
  .string()
  .regex(/^tracker_[0-9a-z]{20}$/)
  .meta({ examples: ['tracker_4tq0zc8m1v6y2k9h5n3w'] });

export const trackerFilter = z.object({
  labels: z.array(plainText(100).trim().min(1)).max(20).default([]).describe('Issues that carry all of these'),
  assignee: plainText(100)
    .trim()
    .min(1)
    .optional()
    .describe('User name; in Jira and Linear the name shown, or the address; left out: whoever'),
});
export type TrackerFilter = z.infer<typeof trackerFilter>;

export const trackerRepository = z
  .string()
  .max(300)
  .regex(/^[\w.-]+(\/[\w.-]+)*$/)
  .describe('GitHub, GitLab: owner/name. Jira: key of the project. Linear: key of the team')
  .meta({ examples: ['acme/shop', 'SHOP'] });

export const trackerToken = headerText(8, 4_096);

export const trackerFields = {
  name: plainText(100).trim().min(1),
  kind: z.enum(trackerKinds),
  base_url: z
    .url()
    .max(500)
    .optional()
    .describe('Of a server of your own, with the path of its API: https://git.example.com/api/v3. Jira: https://acme.atlassian.net'),
  repository: trackerRepository,
  remote: plainText(500)
    .trim()
    .min(1)
    .nullable()
    .optional()
    .describe('GitHub, GitLab: address of the repository as runners have it, where it does not follow from base_url and repository'),
  filter: trackerFilter.default({ labels: [] }),
  phase_id: phaseId.describe('Its issues become tasks of this phase'),
  close_done: z.boolean().default(true).describe('Close the issue when its task is done'),
  every_minutes: z.number().int().min(1).max(1_440).default(5),
  paused: z.boolean().default(false),
};

/** What one sync did. */
export const syncCounts = z.object({
  imported: z.number().int().describe('Issues that became tasks'),
  changed: z.number().int().describe('Tasks that were edited or ended after their issue'),
  comments: z.number().int().describe('Comments that came in'),
  written: z.number().int().describe('Comments written to issues, and issues closed'),
  pulls: z.number().int().describe('Pull requests opened, merged or closed'),
  left: z.number().int().describe('Tasks whose issue left those of the tracker, or came back'),
});
export type SyncCounts = z.infer<typeof syncCounts>;

export const tracker = z.object({
  tracker_id: z.string(),
  name: z.string(),
  kind: z.enum(trackerKinds),
  base_url: z.string(),
  repository: z.string(),
  remote: z.string().nullable().describe('Runs of agents in this repository are its pull requests; null: there is no code'),
  filter: trackerFilter,
  phase_id: z.number(),
  close_done: z.boolean(),
  every_minutes: z.number().int(),
  status: z.enum(['active', 'paused']),
  limited_until: z.string().nullable().describe('Nothing is asked until then: the other side limits calls'),
  last: syncCounts
    .extend({ started_at: z.string(), ended_at: z.string(), error: z.string().nullable() })
    .nullable()
    .describe('Null: it has not run yet'),
  created_by: z.string(),
  updated_at: z.string(),
});
export type Tracker = z.infer<typeof tracker>;

/**
 * `filter`: it no longer carries the labels or the assignee. `moved`: it is in another repository, project or team.
 * `gone`: it was deleted, or the token may not see it.
 */
export const issueAways = ['filter', 'moved', 'gone'] as const;
export type IssueAway = (typeof issueAways)[number];

export const taskIssue = z.object({
  tracker_id: z.string(),
  number: z.number().int(),
  name: z.string().describe('As people call it: #12, SHOP-12'),
  url: z.string(),
  state: z.enum(['open', 'closed']).describe('As it was when it was last followed'),
  left: z.enum(issueAways).nullable().describe('Why the task no longer follows it; null: it does'),
});
export type TaskIssue = z.infer<typeof taskIssue>;

/**
 * `wanted`: the branch is pushed, and the pull request is about to be opened. `dropped`: its run was sent back meanwhile.
 */
export const pullStates = ['wanted', 'open', 'merged', 'closed', 'dropped'] as const;
export const pullRequest = z.object({
  number: z.number().int().nullable(),
  url: z.string().nullable(),
  state: z.enum(pullStates),
  error: z.string().nullable().describe('Why it could not be opened yet'),
});
export type PullRequest = z.infer<typeof pullRequest>;
