import type { Blobs } from '../../adapters/blobs/files.ts';
import type { Database } from '../../adapters/postgres/database.ts';
import { Artifacts } from './artifacts.ts';
import { Manifests } from './manifests.ts';
import { Pointers } from './pointers.ts';

export { Artifacts } from './artifacts.ts';

/** What everything else stands on: content named by its hash, sets of it, and names that move between sets. */
export class SubstrateService {
  readonly artifacts: Artifacts;
  readonly manifests: Manifests;
  readonly pointers: Pointers;

  constructor({ db, blobs }: { db: Database; blobs: Blobs }) {
    this.artifacts = new Artifacts(db, blobs);
    this.manifests = new Manifests(db);
    this.pointers = new Pointers(db);
  }
}
