import { z } from 'zod';
import { metadata, tags, words } from './knowledge.ts';

/** Recommended categories; others are accepted with a warning. */
export const memoryCategories = ['decision', 'pattern', 'problem', 'convention'] as const;
export const maxMemory = 20_000;

/** Schemas of the memory tools, which every client lists: limits are refinements, because they cost no tokens there. */
export const memoryId = z.string().refine((id) => words(64).safeParse(id).success, '1 to 64 characters');
export const category = z.string().refine((text) => words(64).safeParse(text).success, '1 to 64 characters');
export const memoryTags = z.array(z.string()).refine((value) => tags.safeParse(value).success, 'at most 32, of 1 to 64 characters');
export const memoryMetadata = z
  .custom<Record<string, unknown>>((value) => metadata.safeParse(value).success, 'an object, at most 16 KB as JSON')
  .meta({ type: 'object' });

export const saved = z.object({
  memory_id: z.string(),
  /** `exists`: this category already has the same content. */
  status: z.enum(['saved', 'exists']),
});
export type Saved = z.infer<typeof saved>;

export const memory = z.object({
  memory_id: z.string(),
  content: z.string(),
  category: z.string(),
  tags: z.array(z.string()),
  metadata: z.record(z.string(), z.unknown()),
  created_by: z.string(),
  created_at: z.string(),
});
export type Memory = z.infer<typeof memory>;

export const foundMemory = memory.extend({
  /** 0 to 1, the score of its best passage; independent of its age. */
  score: z.number(),
});
export type FoundMemory = z.infer<typeof foundMemory>;
