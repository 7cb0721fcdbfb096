import { z } from 'zod';
import { jsonObject } from '../json.ts';

export const sha256 = z
  .string()
  .regex(/^[0-9a-f]{64}$/, 'a SHA-256 as 64 lower-case hex digits')
  .describe('SHA-256 (hex) of the bytes');

export const mediaType = z
  .string()
  .max(128)
  .regex(/^[\w.+-]+\/[\w.+-]+(\s*;\s*[\w.-]+=[\w."+-]+)*$/, 'a media type such as text/markdown');

export const uploaded = z.object({
  sha256: z.string(),
  size: z.number(),
  /** Whether the tenant had these bytes already. */
  existed: z.boolean(),
});
export type Uploaded = z.infer<typeof uploaded>;

export const artifact = z.object({
  sha256: z.string(),
  media_type: z.string(),
  filename: z.string().nullable(),
  /** Bytes. */
  size: z.number(),
  created_by: z.string(),
  created_at: z.string(),
});
export type Artifact = z.infer<typeof artifact>;

/** Maximum bytes of `metadata`. */
const maxMetadata = 16_384;

export const maxManifestEntries = 10_000;

const manifestHash = z.string().regex(/^[0-9a-f]{64}$/, 'a SHA-256 as 64 lower-case hex digits');
export const manifestSha256 = manifestHash.describe('SHA-256 (hex) that names a manifest');
export const recordMetadata = jsonObject(maxMetadata);
/** The `next_cursor` of the previous page. */
export const pageCursor = z.string().min(1).max(2_000).describe('next_cursor of the page before');

export const manifestEntry = z.object({
  path: z.string(),
  artifact_sha256: z.string(),
  media_type: z.string(),
  /** Bytes. */
  size: z.number(),
});
export type ManifestEntry = z.infer<typeof manifestEntry>;

export const manifest = z.object({
  manifest_sha256: z.string(),
  /** Number of entries. */
  entries: z.number(),
  /** Total bytes of its entries. */
  size: z.number(),
  metadata: z.record(z.string(), z.unknown()),
  created_by: z.string(),
  created_at: z.string(),
});
export type Manifest = z.infer<typeof manifest>;

export const pointerId = z.string().min(1).max(64).describe('Id of a pointer');
export const pointerName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._/-]{0,199}$/, 'letters, digits, ".", "_", "-" and "/", at most 200')
  .describe('Name of a pointer, e.g. release/current')
  .meta({ examples: ['release/current'] });

export const pointerSummary = z.object({ id: z.string(), name: z.string(), manifest_sha256: z.string(), updated_at: z.string() });
export type PointerSummary = z.infer<typeof pointerSummary>;

export const pointer = pointerSummary.extend({
  /** Number of moves, from 1. */
  rev: z.number(),
  metadata: z.record(z.string(), z.unknown()),
  updated_by: z.string(),
  created_at: z.string(),
});
export type Pointer = z.infer<typeof pointer>;

export const pointerMove = z.object({
  rev: z.number(),
  from_manifest_sha256: z.string().nullable(),
  to_manifest_sha256: z.string(),
  reason: z.string().nullable(),
  moved_by: z.string(),
  at: z.string(),
});
export type PointerMove = z.infer<typeof pointerMove>;
