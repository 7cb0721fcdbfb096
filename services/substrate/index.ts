import { ClaimsService } from './claims/index.ts';
import { RunsService } from './runs/index.ts';
import { SchemasService } from './schemas/index.ts';
import { Artifacts } from './artifacts.ts';
import { Manifests } from './manifests.ts';
import { Pointers } from './pointers.ts';
import { Service } from '../kernel/service.ts';
import type { Kernel } from '../kernel/kernel.ts';

export { Artifacts } from './artifacts.ts';

/** Basic records: artifacts named by hash, manifests of artifacts, and pointers to manifests. */
export class SubstrateService extends Service<'blobs'> {
  readonly artifacts = new Artifacts(this.deps);
  readonly manifests = new Manifests(this.deps);
  readonly pointers = new Pointers(this.deps);
}

export const createSubstrate = (kernel: Kernel) => ({
  substrate: new SubstrateService(kernel),
  runs: new RunsService(kernel),
  claims: new ClaimsService(kernel),
  schemas: new SchemasService(kernel),
});
