import type { Blobs } from '../../adapters/blobs/files.ts';
import type { Database } from '../../adapters/postgres/database.ts';
import { Artifacts } from './artifacts.ts';
import { Manifests } from './manifests.ts';
import { Pointers } from './pointers.ts';

export { Artifacts } from './artifacts.ts';

/** Basic records: artifacts named by hash, manifests of artifacts, and pointers to manifests. */
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
