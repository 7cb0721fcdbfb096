import type { Embedder } from '../../adapters/models/embedder.ts';
import { workflowIds } from '../../contracts/temporal.ts';
import { termsVersion } from '../../engines/retrieval/terms.ts';
import { Service } from '../kernel/service.ts';
import type { DeadLetters } from './dlq.ts';
import type { Pipelines } from './pipelines.ts';

/** What a background run is opened and decided by. */
const principal = 'signalbox';
const probeWithin = 30_000;

/** Keeps vectors and words of stored documents up to date: after a change of the embedding model, or of the rules for words. */
export class Reindexing extends Service<'jobs' | 'embedder' | 'log', { pipelines: Pipelines; dlq: DeadLetters }> {
  /** Starts the run over what lacks vectors or words, or lets one that had failed go on, if the model answers now. */
  async tend(tenant: string): Promise<void> {
    const { embedder } = this.deps;
    if (!(await this.lacks(tenant, embedder)) || !(await this.answers(embedder))) return;
    const job = await this.deps.jobs.underWay(tenant, workflowIds.pipeline(tenant, 'unprocessed'));
    if (!job) {
      const wanted = { scope: 'unprocessed', skipIngestion: false, indexOnly: true } as const;
      await this.deps.pipelines.run({ tenant, principal }, wanted, { waitMs: 0 });
      return;
    }
    const waiting = { stage: 'embedding', jobId: job.job_id, errorCode: 'SERVICE_UNAVAILABLE', limit: 10 } as const;
    for (const item of (await this.deps.dlq.list(tenant, waiting)).items) {
      if (item.status !== 'parked') continue;
      await this.deps.dlq.goOn(tenant, item, principal).catch((error: unknown) => {
        this.deps.log.debug({ err: error, tenant }, 'a parked run is decided by somebody else');
      });
    }
  }

  /**
   * Whether active documents lack vectors of the model, or have words by former rules.
   * @throws AppError SERVICE_UNAVAILABLE when the model's files cannot be read
   */
  private async lacks(tenant: string, embedder: Embedder | null): Promise<boolean> {
    const active = `and exists (select from documents d where d.tenant_id = $1 and d.id = c.document_id and d.status = 'active')`;
    const lacking = ['c.model is null', 'c.model < $2', 'c.model > $2']
      .map((other) => `exists (select from chunks c where c.tenant_id = $1 and ${other} ${active})`)
      .join(' or ');
    // The lowest version is the first entry of its index. Whether there is a lower one than $3 could be planned as a
    // reading of all documents, which ends early only if there is one.
    const lowest = `select terms_version from documents where tenant_id = $1 and status = 'active' order by terms_version limit 1`;
    const rows = await this.db.query(`select 1 where ($2::text is not null and (${lacking})) or (${lowest}) < $3`, [
      tenant,
      embedder?.id ?? null,
      termsVersion,
    ]);
    return rows.length > 0;
  }

  /** A model on this machine is always there; a server is asked for one vector. */
  private async answers(embedder: Embedder | null): Promise<boolean> {
    if (embedder?.resting === undefined) return true;
    try {
      await embedder.embed(['Signalbox'], { priority: 'query', signal: AbortSignal.timeout(probeWithin) });
      return true;
    } catch (error) {
      this.deps.log.debug({ err: error }, 'vectors are made when the embedding model answers');
      return false;
    }
  }
}
