import { z } from 'zod';

/** What waits for a person, and the tool that reads it: whoever may not call that tool does not see the items. */
export const inboxKinds = {
  call: 'approval.request.list',
  ambiguous: 'approval.request.list',
  review: 'entity.review.list',
  run: 'work.run.list',
  output: 'agent.output.review',
  dead_letter: 'ingest.dlq.list',
  definition: 'external.tool.list',
  undelivered: 'event.delivery.list',
  notice: 'notification.message.list',
} as const;
export type InboxKind = keyof typeof inboxKinds;
export const inboxKindNames = Object.keys(inboxKinds) as [InboxKind, ...InboxKind[]];

/** Counts go up to this number; one more means: more than that. */
export const inboxCountedAtMost = 10_000;

export const inboxItem = z.object({
  kind: z.enum(inboxKindNames),
  id: z
    .string()
    .describe('As the tool that decides it takes it: approval, feedback, run, output, dlq, delivery or notification id; server/tool'),
  title: z.string().describe('The tool, the document, the output'),
  who: z.string().nullable().describe('Its origin: a person, an agent, a server'),
  note: z.string().nullable().describe('Why it waits'),
  since: z.string(),
  expires_at: z.string().nullable(),
  open: z.boolean().describe('False: it was decided'),
  data: z.record(z.string(), z.unknown()).describe('What else this kind has'),
});
export type InboxItem = z.infer<typeof inboxItem>;

export const inboxCounts = z
  .partialRecord(z.enum(inboxKindNames), z.number().int())
  .describe('By kind that you may see; 10,001 means more than 10,000');
export type InboxCounts = z.infer<typeof inboxCounts>;
