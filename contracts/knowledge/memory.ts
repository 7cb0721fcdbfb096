import { z } from 'zod';
import { moment } from '../times.ts';
import { metadata, tags, words } from './knowledge.ts';

/** Recommended categories; others are accepted with a warning. */
export const memoryCategories = ['decision', 'pattern', 'problem', 'convention'] as const;
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
  /** The passage of the document. */
  citation: z.string().optional(),
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
  /** Merges into this memory that were not undone, for memory.record.restore; newest first. */
  merges: z.array(z.object({ merge_id: z.string(), at: z.string(), merged: z.array(z.string()) })),
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

const shown = z.object({ memory_id: z.string(), content: z.string() });
/** Cosine of the vectors; null: there are none. */
const similarity = z.number().nullable();

export const consolidated = z.object({
  applied: z.boolean(),
  /** Memories that say the same: one stays, the others are superseded by it. */
  groups: z.array(
    z.object({
      keep: shown,
      merge: z.array(shown.extend({ similarity })),
      /** For memory.record.restore; only when it was applied. */
      merge_id: z.string().optional(),
    }),
  ),
  /** Near ones that are not merged, with the reason: for a reader to judge. */
  apart: z.array(z.object({ memory_ids: z.array(z.string()), contents: z.array(z.string()), similarity, reason: z.string() })),
  /** Groups that were left as they are. */
  skipped: z.array(z.object({ memory_id: z.string(), reason: z.string() })),
  /** Memories that were looked at, and those that are left for the next call. */
  examined: z.number(),
  left: z.number(),
  next_cursor: z.string().optional(),
});
export type Consolidated = z.infer<typeof consolidated>;

export const undoneMerge = z.object({
  merge_id: z.string(),
  status: z.enum(['restored', 'was_restored']),
  /** The memory that had stayed. */
  memory_id: z.string(),
  restored: z.array(z.string()),
});
export type UndoneMerge = z.infer<typeof undoneMerge>;

/** Characters of a conversation that one call reads. */
export const maxConversation = 200_000;
/** Memories that one call takes from a conversation. */
export const maxExtracted = 100;

/** A proposal of an earlier call that is to be saved. */
export const chosenMemory = z.object({ turn: z.number().int().min(0), quote: words(1_000), category });
export type ChosenMemory = z.infer<typeof chosenMemory>;

const extractedMemory = z.object({
  content: z.string(),
  /** decision, preference, fact, commitment or convention. */
  category: z.string(),
  origin: memoryOrigin,
  /** `exists`: the same was taken from it before, or saved otherwise. */
  status: z.enum(['proposed', 'saved', 'exists']),
  memory_id: z.string().optional(),
});
export type ExtractedMemory = z.infer<typeof extractedMemory>;

export const extraction = z.object({
  memories: z.array(extractedMemory),
  /** Hash of the turns, or the id of the document: `origin.conversation` of what was saved. */
  conversation: z.string(),
  turns: z.number(),
  read_by: z.enum(['rules', 'model', 'both']),
  /** Passages and memories that were left out because there are too many. */
  left: z.number(),
});
export type Extraction = z.infer<typeof extraction>;
