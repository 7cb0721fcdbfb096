import type { Blobs } from '../../adapters/blobs/files.ts';
import type { Database } from '../../adapters/postgres/database.ts';
import { Artifacts } from './artifacts.ts';

/** What everything else stands on: content named by its hash. */
export class SubstrateService {
  readonly artifacts: Artifacts;

  constructor({ db, blobs }: { db: Database; blobs: Blobs }) {
    this.artifacts = new Artifacts(db, blobs);
  }
}
