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

/** UTF-16 offsets in a text, `end` exclusive. */
export const mark = z.object({ start: z.number(), end: z.number() });

/** A passage that mentions an entity. */
export const mentionedPassage = z.object({
  citation: z.string(),
  document_id: z.string(),
  /** Of the document. */
  title: z.string(),
  /** An excerpt around the first place. */
  content: z.string(),
  occurred_at: z.string(),
  /** Where in the excerpt; empty: it is about the document as a whole. */
  marks: z.array(mark),
});
export type MentionedPassage = z.infer<typeof mentionedPassage>;

export const reviewStatuses = ['open', 'confirmed', 'rejected', 'withdrawn'] as const;

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
  /** Of a question that is no longer open. */
  status: z.enum(reviewStatuses).optional(),
  decided_by: z.string().optional(),
  decided_at: z.string().optional(),
});
export type ReviewItem = z.infer<typeof reviewItem>;

/** One side of a question. */
const side = z.object({
  /** Null: only a name so far, no entity. */
  entity_id: z.string().nullable(),
  name: z.string(),
  type: z.string(),
  aliases: z.array(z.string()),
  mentions: z.number(),
  /** Documents. */
  signals: z.number(),
  facts: z.number(),
  first_seen_at: z.string().nullable(),
  last_seen_at: z.string().nullable(),
  links: elsewhere.links,
  /** The latest, at most three. */
  passages: z.array(mentionedPassage),
});
export type ReviewSide = z.infer<typeof side>;

export const reviewCase = reviewItem.extend({
  status: z.enum(reviewStatuses),
  notes: z.string().nullable(),
  /** Who asks: resolution, proposal, split, … */
  origin: z.string(),
  a: side,
  b: side,
  /** What the matcher makes of it: log2 weights of the prior and of each compared feature. Null: it did not compare them. */
  match: z
    .object({
      prior: z.object({ probability: z.number(), weight: z.number() }),
      features: z.array(
        z.object({
          name: z.string(),
          /** Higher says more for a match. */
          level: z.number(),
          levels: z.number(),
          /** The level in words. */
          label: z.string(),
          weight: z.number(),
        }),
      ),
      weight: z.number(),
      probability: z.number(),
      /** False: from the names of today, because the question came without a comparison. */
      compared: z.boolean(),
    })
    .nullable(),
  /** What a yes does, as things are. */
  consequence: z.object({
    /** merge: one entity is left; split: names move to another entity; alias: the entity gets a name. */
    does: z.enum(['merge', 'split', 'alias']),
    /** Of the entity that stays, gets the name, or loses its part. */
    keeps: z.string(),
    /** Of what becomes a part, moves away, or is added. */
    moves: z.string(),
    names: z.array(z.string()),
    mentions: z.number(),
    facts: z.number(),
    links: z.number(),
  }),
  /** Of a merge or split that was carried out: entity.change.undo takes it back. */
  change_id: z.string().nullable(),
});
export type ReviewCase = z.infer<typeof reviewCase>;

/** An entity with those around it. */
export const neighbourhood = z.object({
  /** Id of the entity in the middle. */
  root: z.string(),
  entities: z.array(
    z.object({
      entity_id: z.string(),
      name: z.string(),
      type: z.string(),
      signal_count: z.number(),
      mention_count: z.number(),
      /** Steps from the middle. */
      depth: z.number(),
      /** Relations of it; 100: at least. */
      neighbours: z.number(),
    }),
  ),
  edges: z.array(
    z.object({
      source: z.string(),
      target: z.string(),
      /** mentioned_with, or the predicate of facts. */
      kind: z.string(),
      passages: z.number(),
      /** When its facts held; null on either side: unknown, or still. Null: it has no facts. */
      held: z.array(z.object({ from: z.string().nullable(), to: z.string().nullable() })).nullable(),
    }),
  ),
  /** There are more entities within this depth. */
  more: z.boolean(),
});
export type Neighbourhood = z.infer<typeof neighbourhood>;

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
