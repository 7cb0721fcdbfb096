import { z } from 'zod';
import { memoryBase, words } from '../knowledge/knowledge.ts';

/** Other types may occur: they are open, these five have tools of their own. */
export const entityTypes = ['customer', 'feature', 'issue', 'theme', 'stakeholder'] as const;
/** Those whose matches people are asked about by the seed's tools. */
export const matchedTypes = ['customer', 'feature', 'issue', 'theme'] as const;

/** A type as a caller may name it: one of the five or an open one. */
export const entityType = z
  .string()
  .refine((type) => /^[a-z][a-z0-9_]{0,31}$/.test(type), 'lower-case letters, digits and "_", at most 32')
  .describe('customer, feature, issue, theme, stakeholder, or an open type');
export const entityId = words(64).describe('Entity id');
export const entityName = words(512);

/** What entity.status.set and entity.link.create keep. */
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
/** In lists. */
export const listedEntity = entity.extend(elsewhere);
export type ListedEntity = z.infer<typeof listedEntity>;

/** An entity where others are told about. */
export const entityRef = entity.pick({ entity_id: true, name: true, type: true, signal_count: true });
export type EntityRef = z.infer<typeof entityRef>;
/** The one that a profile is of. */
export const profiled = entityRef.extend(elsewhere);
export type Profiled = z.infer<typeof profiled>;

/** One step of an evidence chain. */
export const evidence = z.object({
  /** Citation of a passage (`{document_id}#{ordinal}`), or the id of what is meant. */
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
  /** What speaks for and against it, in words, strongest first. */
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
  /** When it held; null: not known, or still does. */
  valid_from: z.string().nullable(),
  valid_to: z.string().nullable(),
  /** When we learnt it, and when that it holds no longer. */
  recorded_from: z.string(),
  recorded_to: z.string().nullable(),
  closed_by: z.string().nullable(),
  confidence: z.number(),
  evidence: z.array(evidence),
});
export type Fact = z.infer<typeof fact>;

export const episodeSources = ['text', 'json', 'message'] as const;
export const episodeKinds = ['memory', 'knowledge'] as const;
/** Where episodes stand as documents; not named by callers. */
export const episodeBase = '_episodes';
/** What stands in these is no source that callers look at or delete as such. */
export const hiddenBases: readonly string[] = [memoryBase, episodeBase];
