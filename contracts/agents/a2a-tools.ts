/** A2A tasks as tools answer them. */
import { z } from 'zod';
import { a2aStates } from './a2a.ts';

export const a2aTaskId = z.string().min(1).max(64).describe('From agent.a2a.list');

const part = z.object({
  text: z.string().optional(),
  raw: z.string().optional(),
  url: z.string().optional(),
  data: z.unknown().optional(),
  mediaType: z.string().optional(),
  filename: z.string().optional(),
});
const message = z.looseObject({ messageId: z.string(), role: z.enum(['ROLE_USER', 'ROLE_AGENT']), parts: z.array(part) });

export const a2aTask = z.object({
  task_id: z.string(),
  context_id: z.string(),
  state: z.enum(a2aStates),
  changed_at: z.string(),
  asked_by: z.string(),
  skill: z.string().nullable(),
  tool: z.string().nullable().describe('Which tool it calls'),
  work_task_id: z.string().nullable().describe('The task on the board that it waits for'),
  first_text: z.string().describe('Beginning of the first message'),
});
export type A2aTaskView = z.infer<typeof a2aTask>;

export const a2aTaskDetail = a2aTask.extend({
  history: z.array(message),
  status_message: message.nullable(),
  answer: message.nullable().describe('Set if the message was answered by a message'),
  artifacts: z.array(z.looseObject({ artifactId: z.string(), name: z.string().optional(), parts: z.array(part) })),
});
export type A2aTaskDetail = z.infer<typeof a2aTaskDetail>;
