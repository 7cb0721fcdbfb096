import { z } from 'zod';
import { jsonValue } from '../json.ts';

/** Maximum characters as JSON. */
export const maxSchema = 262_144;
const maxInstance = 1_048_576;
export const maxSchemaDepth = 64;

export const schemaName = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9._/-]{0,127}$/, 'a letter, then letters, digits, ".", "_", "-" and "/", at most 128')
  .describe('Name of a schema, e.g. invoice')
  .meta({ examples: ['invoice'] });
export const schemaVersion = z
  .string()
  .regex(/^[0-9A-Za-z][0-9A-Za-z.+_-]{0,63}$/, 'letters, digits, ".", "+", "_" and "-", at most 64')
  .describe('E.g. 1.0.0')
  .meta({ examples: ['1.0.0'] });
export const schemaInstance = jsonValue(maxInstance);

export const schemaSummary = z.object({
  schema_id: z.string(),
  name: z.string(),
  version: z.string(),
  created_by: z.string(),
  created_at: z.string(),
});
export type SchemaSummary = z.infer<typeof schemaSummary>;

export const registeredSchema = schemaSummary.extend({ json_schema: z.record(z.string(), z.unknown()) });
export type RegisteredSchema = z.infer<typeof registeredSchema>;

export const schemaError = z.object({
  /** JSON pointer into the instance; empty: the root. */
  path: z.string(),
  message: z.string(),
  keyword: z.string(),
});
export type SchemaError = z.infer<typeof schemaError>;
