import { setTimeout } from 'node:timers/promises';
import type { Row } from '../../../adapters/postgres/database.ts';
import type { Reread } from '../../../contracts/activities/signals/rereading.ts';
import { workflowIds } from '../../../contracts/temporal.ts';
import type { Directory } from '../../../engines/evidence/types.ts';
import type { rereading } from '../../../workflows/signals/rereading/workflow.ts';
import { currentDirectory, graphTogether, inputOfDocument, isOutdated, namesHash, tidyEntities } from '../../graph/index.ts';
import { Service } from '../../kernel/service.ts';
import type { Reading } from '../read.ts';

interface Given {
  /** Reads signals of a document again. */
  read(tenant: string, documentIds: readonly string[], options: Reading): Promise<unknown>;
}

interface Options extends Reading {
  /** Whether to leave the rest to another call. */
  spent(): boolean;
}

/** Documents looked up at once. */
const atOnce = 50;
/** Between looks at a large directory that is not put together again yet, in ms. */
const pause = 1_000;

/**
 * Reads documents again when the directory of names says something else about a name in them: a customer, a renamed
 * feature, somebody who changed sides.
 */
export class Rereading extends Service<'processes' | 'log' | 'matching' | 'language' | 'languageReads', Given> {
  /** Starts the tenant's process if there is work. Never fails: the next document or sweep does it otherwise. */
  async wakeSoon(tenant: string): Promise<void> {
    try {
      await this.tend(tenant);
    } catch (error) {
      this.deps.log.debug({ err: error, tenant }, 'rereading waits for the next sweep');
    }
  }

  /** @throws AppError SERVICE_UNAVAILABLE */
  async tend(tenant: string): Promise<void> {
    if ((await this.waiting(tenant)) === 0) return;
    await this.deps.processes.signalStarting<typeof rereading>(
      {
        workflow: 'rereading',
        id: workflowIds.rereading(tenant),
        queue: 'background',
        args: [tenant],
        tenant,
        kind: 'rereading',
        status: 'running',
        owner: 'signalbox',
        summary: 'Reads documents again whose names are known better',
      },
      'wake',
    );
  }

  /** Documents that have not been compared with the current directory. */
  async waiting(tenant: string): Promise<number> {
    const [row] = await this.db.query<{ n: number } & Row>(
      `select count(*)::int as n from document_readings r left join evidence_directories d on d.tenant_id = r.tenant_id
       where r.tenant_id = $1 and r.directory <> coalesce(d.version, '')`,
      [tenant],
    );
    return row!.n;
  }

  /** Works for some seconds, document by document; after a kill the next call continues. */
  async some(tenant: string, options: Options): Promise<Reread & { reviews: string[] }> {
    const done = { compared: 0, read: 0, reviews: [] as string[] };
    let directory = await currentDirectory(this.db, tenant);
    while (!options.spent()) {
      const rows = await this.db.query<{ document_id: string; names: string } & Row>(
        `select document_id, names from document_readings where tenant_id = $1 and directory <> $2 order by document_id limit ${atOnce}`,
        [tenant, directory.version],
      );
      if (rows.length === 0 && (await isOutdated(this.db.query, tenant))) {
        options.beat();
        await setTimeout(pause, undefined, { signal: options.signal });
        directory = await currentDirectory(this.db, tenant);
        continue;
      }
      if (rows.length === 0) {
        // What the former names had made is gone now.
        if (done.read > 0) await tidyEntities(this.db, tenant);
        return { state: 'empty', ...done };
      }
      for (const { document_id: id, names } of rows) {
        options.beat();
        options.signal.throwIfAborted();
        if (options.spent()) break;
        done.compared += 1;
        if (await this.stillHolds(tenant, id, names, directory)) continue;
        done.reviews.push(...(await graphTogether(this.deps, tenant, [id], { ...options, again: true, model: this.deps })).reviews);
        await this.deps.read(tenant, [id], { ...options, again: true });
        done.read += 1;
        // Reading it may have changed the directory.
        if ((await currentDirectory(this.db, tenant)).version !== directory.version) return { state: 'more', ...done };
      }
    }
    return { state: 'more', ...done };
  }

  /** Whether the document's reading agrees with the directory; then only that is noted. */
  private async stillHolds(tenant: string, documentId: string, names: string, directory: Directory): Promise<boolean> {
    const input = await inputOfDocument(this.db.query, tenant, documentId);
    if (input && namesHash(directory, input) !== names) return false;
    await this.db.query('update document_readings set directory = $3 where tenant_id = $1 and document_id = $2', [
      tenant,
      documentId,
      directory.version,
    ]);
    return true;
  }
}
