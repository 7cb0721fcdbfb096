import { z } from 'zod';

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
