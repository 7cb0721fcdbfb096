import { z } from 'zod';
import { memoryBase, words } from '../knowledge/knowledge.ts';

/** Other types may occur; these five have their own tools. */
export const entityTypes = ['customer', 'feature', 'issue', 'theme', 'stakeholder'] as const;
/** Types whose matches the tools of pm-intelligence ask people about. */
export const matchedTypes = ['customer', 'feature', 'issue', 'theme'] as const;

/** A type as a caller may name it: one of the five or an open one. */
export const entityType = z
  .string()
  .refine((type) => /^[a-z][a-z0-9_]{0,31}$/.test(type), 'lower-case letters, digits and "_", at most 32')
  .describe('customer, feature, issue, theme, stakeholder, or an open type');
export const entityId = words(64).describe('Entity id');
export const entityName = words(512);

/** Fields that entity.status.set and entity.link.create store. */
const elsewhere = {
  state: z.string().nullable().describe('As entity.status.set keeps it'),
  links: z
    .array(z.object({ external_system: z.string(), external_id: z.string(), url: z.string().nullable() }))
    .describe('To records in other systems'),
};
export type ExternalRecord = z.infer<typeof elsewhere.links>[number];

export const entity = z.object({
  entity_id: z.string(),
  name: z.string(),
  type: z.string(),
  aliases: z.array(z.string()),
  /** Documents that mention it. */
  signal_count: z.number(),
  metadata: z.record(z.string(), z.unknown()),
});
export type Entity = z.infer<typeof entity>;
/** An entity in lists. */
export const listedEntity = entity.extend(elsewhere);
export type ListedEntity = z.infer<typeof listedEntity>;

/** An entity as a reference in other answers. */
export const entityRef = entity.pick({ entity_id: true, name: true, type: true, signal_count: true });
export type EntityRef = z.infer<typeof entityRef>;
/** The subject of a profile. */
export const profiled = entityRef.extend(elsewhere);
export type Profiled = z.infer<typeof profiled>;

/** One step of an evidence chain. */
export const evidence = z.object({
  /** Citation of a passage (`{document_id}#{ordinal}`), or the id of the record. */
  ref: z.string(),
  /** passage, fact, entity, document, episode */
  kind: z.string(),
  excerpt: z.string().optional(),
  occurred_at: z.string().optional(),
  weight: z.number().optional(),
});
export type Evidence = z.infer<typeof evidence>;

export const reviewItem = z.object({
  feedback_id: z.string(),
  /** merge: are they the same? split: does this belong to another? alias: is this a name of it? */
  action: z.enum(['merge', 'split', 'alias']),
  entity_a: entityRef,
  entity_b: entityRef,
  type: z.string(),
  confidence: z.number(),
  /** Evidence for and against it, in words, strongest first. */
  evidence: z.array(z.string()),
  created_at: z.string(),
});
export type ReviewItem = z.infer<typeof reviewItem>;

export const fact = z.object({
  fact_id: z.string(),
  fact: z.string(),
  predicate: z.string(),
  subject: entityRef,
  /** Null: the object is a value. */
  object: entityRef.nullable(),
  value: z.string().nullable(),
  /** When it held; null: unknown, or still valid. */
  valid_from: z.string().nullable(),
  valid_to: z.string().nullable(),
  /** When it was recorded, and when it was recorded as ended. */
  recorded_from: z.string(),
  recorded_to: z.string().nullable(),
  closed_by: z.string().nullable(),
  confidence: z.number(),
  evidence: z.array(evidence),
});
export type Fact = z.infer<typeof fact>;

export const episodeSources = ['text', 'json', 'message'] as const;
export const episodeKinds = ['memory', 'knowledge'] as const;
/** Base that stores episodes as documents; callers cannot name it. */
export const episodeBase = '_episodes';
/** Documents in these bases are not sources that callers can list or delete. */
export const hiddenBases: readonly string[] = [memoryBase, episodeBase];
