import { Context } from '@temporalio/activity';
import type { GraphActivities, GraphWork } from '../../contracts/activities/graph/graph.ts';
import type { Services } from '../../services/index.ts';
import { extractDocuments } from '../../services/graph/extract.ts';
import { resolveDocuments } from '../../services/graph/resolve.ts';
import { beat, longStage, slice, stage } from '../kernel/stage.ts';

const options = () => ({ beat, signal: Context.current().cancellationSignal });

/** Activities from passages to entities: for single documents and for the items of a run. */
export function graphActivities({ kernel, graph, signals, reviews, projections }: Services): GraphActivities {
  return {
    extractMentions: (tenant, work) =>
      longStage(tenant, async () =>
        extractDocuments(kernel.db, tenant, await documentsOf(tenant, work), { ...options(), spent: slice(), model: kernel }),
      ),

    resolveMentions: (tenant, work) =>
      longStage(tenant, async () => {
        const done = await resolveDocuments(kernel, tenant, await documentsOf(tenant, work), beat);
        await projections.wake();
        // A run embeds all its names at the end.
        if ('documents' in work) await graph.embedSoon(tenant);
        return done;
      }),

    readSignals: (tenant, work, after) =>
      longStage(tenant, async () =>
        signals.read(tenant, await documentsOf(tenant, work), { ...options(), spent: slice(), ...(after === undefined ? {} : { after }) }),
      ),

    startReviews: (tenant, ids) => stage(tenant, () => reviews.startAll(tenant, ids)),
  };

  async function documentsOf(tenant: string, work: GraphWork): Promise<string[]> {
    if ('documents' in work) return work.documents;
    const rows = await kernel.db.query<{ document_id: string }>(
      `select document_id from ingest_items where tenant_id = $1 and job_id = $2 and ordinal >= $3 and ordinal < $4
         and status in ('done', 'unchanged') and document_id is not null order by ordinal`,
      [tenant, work.job.id, work.from, work.to],
    );
    return rows.map((row) => row.document_id);
  }
}
