import type { Blobs } from '../../adapters/blobs/files.ts';
import type { Database } from '../../adapters/postgres/database.ts';
import type { RemovalActivities } from '../../contracts/activities/removal.ts';
import { removeSome } from '../../services/knowledge/removal-clear.ts';
import type { RemovalProcesses } from '../../services/knowledge/removal-process.ts';
import { reopened } from '../../services/knowledge/removal-records.ts';
import { longStage, stage } from '../kernel/stage.ts';

interface Deps {
  db: Database;
  blobs: Blobs;
}

export const removalActivities = (deps: Deps, processes: RemovalProcesses): RemovalActivities => ({
  callOff: (ref) => longStage(ref.tenant, () => processes.callOff(deps.db, ref)),
  removeSome: (ref) => longStage(ref.tenant, () => removeSome(deps, ref)),
  reopened: (ref) => stage(ref.tenant, () => reopened(deps.db, ref)),
});
