import { z } from 'zod';
import { principalKinds, roles } from '../caller.ts';
import { policyEffects } from './policy.ts';

/** Past calls that are looked at, newest first. */
export const mostReplayed = 50_000;
/** Groups of past calls that are told. */
export const mostAffected = 100;

/** Front ends whose calls a person may imagine: rules can see which one it is. */
export const imaginedFronts = ['mcp', 'rest', 'console', 'a2a', 'stdio'] as const;

export const imaginedCaller = z
  .object({
    role: z.enum(roles).default('agent'),
    kind: z.enum(principalKinds).optional().describe('Default: agent for the role agent, else human'),
    name: z.string().min(1).max(128).optional().describe('As rules see it; default: somebody'),
    team: z.string().min(1).max(128).optional().describe('A stakeholder team, whose scope applies'),
    scopes: z.array(z.string().min(1).max(64)).max(100).default([]).describe('Of its key; none: what its role allows'),
    capabilities: z.array(z.string().min(1).max(64)).max(100).default([]).describe('Of its key; none: its role and scopes decide'),
    front: z.enum(imaginedFronts).default('mcp').describe('How it calls'),
  })
  .describe('Who calls; absent: you');

export type ImaginedCaller = z.infer<typeof imaginedCaller>;

const effect = z.enum(policyEffects);
export const judged = z.object({ effect, rule: z.string(), reason: z.string() });
export type Judged = z.infer<typeof judged>;

const calls = z.number().int();

export const replay = z.object({
  days: z.number().int(),
  looked_at: calls.describe('Calls of these days that were looked at, newest first'),
  more: z.boolean().describe(`There are more than ${mostReplayed}: older ones were not looked at`),
  calls: calls.describe('Of these, calls under this policy: they were judged again'),
  changed: z
    .array(z.object({ before: effect, after: effect, calls }))
    .describe('Calls that would get another verdict, by present and new verdict'),
  affected: z
    .array(
      z.object({
        tool: z.string(),
        principal: z.string(),
        role: z.string(),
        front: z.string(),
        before: judged,
        after: judged,
        calls,
        last_at: z.string(),
        tool_call_ids: z.array(z.string()).describe('The newest, at most five'),
        depends_on_arguments: z
          .boolean()
          .describe('Whether this tool asks depends on its arguments (a dry run does not), which are not kept'),
      }),
    )
    .describe(`The changed calls by tool and caller, most first, at most ${mostAffected}`),
  rules: z
    .array(z.object({ rule: z.string(), before: calls, after: calls }))
    .describe('How many of the calls each rule decides, as saved and as drafted'),
  not_judged: z.array(z.object({ reason: z.string(), calls })).describe('Calls under this policy that could not be judged again'),
  notes: z.array(z.string()).describe('Limits of this answer'),
});
export type Replay = z.infer<typeof replay>;

export const whatIf = z.object({
  policy: z.object({ name: z.string(), version: z.number().int(), drafted: z.boolean() }),
  as: z.object({
    role: z.string(),
    kind: z.string(),
    team: z.string().nullable(),
    scopes: z.array(z.string()),
    capabilities: z.array(z.string()),
    front: z.string(),
  }),
  judged: z.number().int().describe('Tools that were judged'),
  changed: z.number().int().describe('Tools whose verdict differs'),
  tools: z.array(z.object({ tool: z.string(), title: z.string(), effect: z.string(), before: judged, after: judged })),
  invalidated: z
    .object({
      count: calls.describe('Up to 100; 101 means more'),
      approvals: z.array(z.object({ approval_id: z.string(), tool: z.string(), requested_by: z.string() })),
    })
    .describe('Undecided approvals under this policy: a new version makes them void'),
  replay: replay.nullable(),
});
export type WhatIf = z.infer<typeof whatIf>;
