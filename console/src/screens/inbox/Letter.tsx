import type { Envelope } from '../../../../contracts/envelope.ts';
import type { InboxItem } from '../../../../contracts/inbox.ts';
import type { DlqItem } from '../../../../contracts/knowledge/knowledge.ts';
import { useAct } from '../../api/act.ts';
import { useRead } from '../../api/call.ts';
import { ActButton, Outcome } from '../../ui/Act.tsx';
import { Aspect } from '../../ui/Aspect.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { Facts } from '../../ui/Page.tsx';
import { RecordLink } from '../../ui/Text.tsx';
import { Age } from '../../ui/Time.tsx';
import { readInboxAgain } from './again.ts';

/** A stage of an ingestion that used up its attempts, or a content that could not be read. */
export function Letter({ item }: { item: InboxItem }) {
  const data = item.data as unknown as DlqItem;
  const retry = useAct('ingest.dlq.retry', readInboxAgain);
  const abandon = useAct('ingest.dlq.abandon', readInboxAgain);
  const { data: same } = useRead<{ items: DlqItem[] }>('ingest.dlq.list', { error_code: data.error_code, limit: 100 }, item.open);
  const ids = (same?.items ?? []).filter(({ status }) => status !== 'retrying').map(({ dlq_id }) => dlq_id);
  return (
    <div className="grid min-w-0 gap-3 pb-4">
      <p className="px-4 pt-4 font-semibold">
        <Outside text={item.title} />
      </p>
      <p role="status" className="px-4">
        <Aspect is={item.open ? 'caution' : data.status === 'abandoned' ? 'out' : 'clear'}>
          {data.status === 'parked'
            ? 'Its process waits for a decision.'
            : data.status === 'refused'
              ? 'It could not be read.'
              : `It is ${data.status}.`}
        </Aspect>
      </p>
      <Facts
        rows={[
          ['Why', <Outside text={item.note ?? ''} most={1_000} />],
          ['Code', <code className="font-mono text-xs">{data.error_code}</code>],
          ['Stage', `${data.stage}, ${data.step}`],
          ['Attempts', data.attempts],
          ['Failed', <Age at={data.last_failed_at} />],
          ['Since', <Age at={item.since} suffix="" />],
          ['Job', <RecordLink type="job" id={data.job_id} />],
          ['Source', item.who && <RecordLink type="source" id={item.who} />],
        ]}
      />
      {item.open && (
        <div className="flex flex-wrap gap-3 px-4">
          <ActButton tool="ingest.dlq.retry" act={retry} args={() => ({ dlq_id: item.id })}>
            Retry
          </ActButton>
          {ids.length > 1 && (
            <ActButton tool="ingest.dlq.retry" act={retry} args={() => ({ dlq_ids: ids })}>
              {`Retry all ${ids.length} with ${data.error_code}`}
            </ActButton>
          )}
          <ActButton
            tool="ingest.dlq.abandon"
            act={abandon}
            args={() => ({ dlq_id: item.id })}
            confirm={{ title: 'Abandon it?', text: 'It is not retried. What was ingested from its source before is kept.' }}
            className="border-stop text-stop"
          >
            Abandon
          </ActButton>
        </div>
      )}
      <div className="grid gap-3 px-4">
        <Outcome act={retry}>{retry.state.is === 'done' && <Results answer={retry.state.answer} />}</Outcome>
        <Outcome act={abandon} />
      </div>
    </div>
  );
}

/** What became of each, where several were decided. */
export function Results({ answer }: { answer: Envelope }) {
  const { results } = answer.data as { results?: { dlq_id: string; error?: { message: string } }[] };
  const refused = results?.filter(({ error }) => error) ?? [];
  if (!results) return <p>It is being retried.</p>;
  return (
    <>
      <p>{`${results.length - refused.length} of ${results.length} were decided.`}</p>
      <ul>
        {refused.map(({ dlq_id, error }) => (
          <li key={dlq_id}>
            <code className="font-mono text-xs">{dlq_id}</code>: {error!.message}
          </li>
        ))}
      </ul>
    </>
  );
}
