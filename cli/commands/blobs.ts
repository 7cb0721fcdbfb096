import { InvalidArgumentError } from 'commander';
import { needed, number, option } from '../fields.ts';
import { type Given, type Rows, verb } from '../table.ts';

/** Whole hours: `24h`, `2d`. */
function hours(text: string): number {
  const [, amount, unit] = /^(\d{1,4})(h|d)$/.exec(text) ?? [];
  const value = Number(amount) * (unit === 'd' ? 24 : 1);
  if (!(value >= 1 && value <= 8760)) throw new InvalidArgumentError('A time such as 24h or 2d is needed, at least 1h.');
  return value;
}

const migration = {
  to: needed('--to <place>', 'folder, a path, or s3://bucket/prefix'),
  from: option('--from <place>', 'default: where they are now'),
  parallel: option('--parallel <n>', 'blobs at once', number(1, 64), 4),
  verify: option('--verify', 'also read the blobs that are already there, and compare their hashes'),
};
export type Migration = Given<typeof migration>;

const sweeping = {
  tenant: option('--tenant <name>', 'default: all'),
  older_than: option('--older-than <time>', 'the grace period; default: BLOB_SWEEP_GRACE_HOURS', hours),
  dry_run: option('--dry-run', 'only count'),
};
export type Sweeping = Given<typeof sweeping>;

const bucket = {
  create: option('--create', 'make the bucket if it is not there'),
  days: option('--days <n>', 'after how many days an unfinished upload ends', number(1, 365), 7),
};
export type BucketWishes = Given<typeof bucket>;

/** Commands for the store of blobs. */
export const blobRows: Rows = {
  blobs: {
    help: 'check, move and tidy the store of blobs\nFiles and other large contents, in a folder or in S3 (docs/operations.md, "Blobs").',
  },
  'blobs check': verb({
    help: 'write, read and delete a probe\nChecks that the configured store can be used.',
    examples: ['signalbox blobs check', 'BLOB_STORE_URL=s3://bucket/prefix signalbox blobs check # before you change the setting'],
    run: async ({ json }) => (await import('../blobs.ts')).checkBlobs(json),
  }),
  'blobs setup': verb({
    help: 'prepare the bucket\nAdds the lifecycle rule that ends uploads whose process died; other rules stay.',
    takes: bucket,
    examples: ['signalbox blobs setup', 'signalbox blobs setup --create # and make the bucket'],
    run: async (given) => (await import('../blobs.ts')).setUpBlobs(given),
  }),
  'blobs migrate': verb({
    help: 'copy all blobs to another place\nCopies what the target lacks and checks every hash, while the stack runs. You can stop it at any moment; run again, it continues.',
    takes: migration,
    examples: [
      'signalbox blobs migrate --to s3://bucket/prefix',
      'signalbox blobs migrate --to folder # back',
      'signalbox blobs migrate --to s3://bucket/prefix --verify --json # for scripts',
    ],
    run: async (given) => (await import('../blobs.ts')).migrateBlobs(given),
  }),
  'blobs sweep': verb({
    help: 'delete blobs that no record names\nSets old ones aside, and deletes those that have been set aside for the grace period. Workers do it once a day.',
    takes: sweeping,
    examples: ['signalbox blobs sweep --dry-run # what would happen', 'signalbox blobs sweep --older-than 2d'],
    run: async (given) => (await import('../blobs.ts')).sweepAll(given),
  }),
};
