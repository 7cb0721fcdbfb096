import { z } from 'zod';
import { moment } from '../times.ts';
import { metadata, tags, words } from './knowledge.ts';

/** Recommended categories; others are accepted with a warning. */
export const memoryCategories = ['decision', 'pattern', 'problem', 'convention'] as const;
/** What is taken from conversations has these categories, too. */
export const extractedCategories = [...memoryCategories, 'preference', 'fact', 'commitment'] as const;
export type ExtractedCategory = (typeof extractedCategories)[number];
export const maxMemory = 20_000;

/**
 * Who finds a memory. team: everybody of the tenant. user: the holder of the key, under whatever agent's name. agent: the
 * named agent of that key. session: the work session, the run or the MCP session in which it was saved.
 */
export const memoryScopes = ['team', 'user', 'agent', 'session'] as const;
export type MemoryScope = (typeof memoryScopes)[number];
export type PrivateScope = Exclude<MemoryScope, 'team'>;

/** Schemas of the memory tools, which every client lists: limits are refinements, because they cost no tokens there. */
export const memoryId = z.string().refine((id) => words(64).safeParse(id).success, '1 to 64 characters');
export const category = z.string().refine((text) => words(64).safeParse(text).success, '1 to 64 characters');
export const memoryTags = z.array(z.string()).refine((value) => tags.safeParse(value).success, 'at most 32, of 1 to 64 characters');
export const memoryMetadata = z
  .custom<Record<string, unknown>>((value) => metadata.safeParse(value).success, 'an object, at most 16 KB as JSON')
  .meta({ type: 'object' });
export const memoryScope = z.enum(memoryScopes);
/** Longest time to live, in days. */
export const maxTtlDays = 3_650;
export const ttlDays = z.number().refine((days) => days > 0 && days <= maxTtlDays, `above 0, at most ${maxTtlDays}`);
export const expiresAt = z.string().refine((text) => moment.safeParse(text).success, 'a time as 2027-01-31T12:00:00Z, or a day');
export const asOfMoment = expiresAt.describe('What was valid at this time; a day: at its end');

export const saved = z.object({
  memory_id: z.string(),
  /** `exists`: this category already has the same content. */
  status: z.enum(['saved', 'exists']),
  /** The memory that it replaced. */
  superseded: z.string().optional(),
});
export type Saved = z.infer<typeof saved>;

/** Where a memory was taken from. */
export const memoryOrigin = z.object({
  /** Hash of the conversation, or the id of its document. */
  conversation: z.string(),
  /** Position of the turn, from 0. */
  turn: z.number(),
  speaker: z.string().nullable(),
  /** Its words in the turn. */
  quote: z.string(),
});
export type MemoryOrigin = z.infer<typeof memoryOrigin>;

export const memory = z.object({
  memory_id: z.string(),
  content: z.string(),
  category: z.string(),
  tags: z.array(z.string()),
  metadata: z.record(z.string(), z.unknown()),
  created_by: z.string(),
  created_at: z.string(),
  scope: memoryScope,
  expires_at: z.string().nullable(),
});
export type Memory = z.infer<typeof memory>;

export const foundMemory = memory.extend({
  /** 0 to 1, the score of its best passage; independent of its age. */
  score: z.number(),
});
export type FoundMemory = z.infer<typeof foundMemory>;

/** A memory with the time in which it was valid. */
export const memoryVersion = memory.extend({
  valid_from: z.string(),
  /** Null: it is valid. */
  valid_to: z.string().nullable(),
  /** The memory that replaced it; null: none, also when it expired. */
  superseded_by: z.string().nullable(),
  origin: memoryOrigin.nullable(),
});
export type MemoryVersion = z.infer<typeof memoryVersion>;

export const rememberedHistory = z.object({
  memory: memoryVersion,
  /** What it replaced, directly or through others; newest first. */
  history: z.array(memoryVersion),
  /** The last version, which may be the memory itself. */
  current_id: z.string(),
});
export type RememberedHistory = z.infer<typeof rememberedHistory>;

export const updatedMemory = z.object({
  memory_id: z.string(),
  /** `updated`: a new version is valid. `changed`: the same version has other tags, metadata or expiry. `exists`: a repeat. */
  status: z.enum(['updated', 'changed', 'exists']),
  /** The version that it replaced. */
  superseded: z.string().optional(),
});
export type UpdatedMemory = z.infer<typeof updatedMemory>;
