import { existsSync, readdirSync } from 'node:fs';
import { z } from 'zod';
import { AppError } from '../../contracts/errors.ts';
import { version } from '../../platform/version.ts';

/** Of the layout of a backup. A higher one is refused. */
export const format = 1;

const manifest = z.object({
  format: z.number().int(),
  id: z.string(),
  /** Of the code that made it. */
  version: z.string(),
  taken_at: z.iso.datetime(),
  postgres: z.string(),
  migrations: z.array(z.string()),
  tenants: z.number().int(),
  /** Tells the secret key apart, under which credentials and arguments were sealed; null: nothing has been sealed yet. */
  key_id: z.string().nullable(),
  /** Whether the key itself is in the backup. */
  has_key: z.boolean(),
  records: z.object({ name: z.string(), bytes: z.number().int(), sha256: z.string() }),
  /** Null: left out, because their store has backups of its own. */
  blobs: z
    .object({
      count: z.number().int(),
      bytes: z.number().int(),
      /** Named by records, and in no store. */
      missing: z.number().int(),
    })
    .nullable(),
});
export type Manifest = z.infer<typeof manifest>;

const migrationsFolder = new URL('../../prisma/migrations/', import.meta.url);

/** Migrations of this code. */
export const knownMigrations = (): string[] =>
  readdirSync(migrationsFolder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(new URL(`${entry.name}/migration.sql`, migrationsFolder)))
    .map((entry) => entry.name)
    .sort();

/** @throws AppError when a newer version made the backup */
export function readManifest(text: string): Manifest {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch (error) {
    throw new AppError('VALIDATION_ERROR', 'The manifest of the backup cannot be read.', { hint: 'Use another backup.', cause: error });
  }
  if ((given as { format?: number }).format !== format) throw tooNew(given as Partial<Manifest>);
  const { data, error } = manifest.safeParse(given);
  if (!data) throw new AppError('VALIDATION_ERROR', `The manifest of the backup is damaged: ${z.prettifyError(error)}`);
  const known = new Set(knownMigrations());
  if (data.migrations.some((name) => !known.has(name))) throw tooNew(data);
  return data;
}

const tooNew = ({ version: made, migrations }: Partial<Manifest>): AppError =>
  new AppError('VALIDATION_ERROR', `This backup was made by a newer version (${made ?? 'unknown'}; this is ${version}).`, {
    hint: 'Update the checkout to at least that version, and restore it then.',
    details: { newest_migration: migrations?.at(-1) ?? null },
  });
