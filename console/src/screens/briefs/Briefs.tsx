import { useState } from 'react';
import { useAct } from '../../api/act.ts';
import { usePages } from '../../api/call.ts';
import { useUrl } from '../../url.ts';
import { ActButton, Outcome } from '../../ui/Act.tsx';
import { Filters, Select } from '../../ui/Field.tsx';
import { Page } from '../../ui/Page.tsx';
import { Empty, Failure, Skeleton } from '../../ui/Panel.tsx';
import { JobCard } from '../drafts/JobCard.tsx';
import { DayBrief } from './DayBrief.tsx';
import { defaults } from './model.ts';
import { Schedule } from './Schedule.tsx';

interface Listed {
  brief_id: string;
  date: string;
  version: number;
  titles: string[];
  total_articles_analyzed: number;
  generated_at: string;
}

const rows = ({ briefs }: { briefs: Listed[] }) => briefs;

export default function Briefs() {
  const [url, set] = useUrl(defaults);
  const list = usePages('authoring.brief.list', { limit: 100 }, rows);
  const all = list.data?.rows ?? [];
  // The newest version of each day; the day is chosen, or it is the newest.
  const days = all.filter(({ date }, i) => all.findIndex((each) => each.date === date) === i);
  const chosen = url.id !== '' ? all.find(({ brief_id }) => brief_id === url.id)?.date : undefined;
  const date = url.date !== '' ? url.date : (chosen ?? days[0]?.date ?? '');
  const at = days.findIndex((each) => each.date === date);
  const [jobId, setJobId] = useState<string | null>(null);
  const run = useAct('authoring.brief.run', ({ data }) =>
    setJobId((data as { brief_id?: string; job_id: string }).brief_id ? null : (data as { job_id: string }).job_id),
  );
  const go = (by: number): void => {
    const to = days[at + by];
    if (to) set({ date: to.date, id: '' });
  };
  return (
    <Page
      title="Briefs"
      actions={
        <ActButton tool="authoring.brief.run" act={run} args={() => (date ? { date } : {})}>
          {date ? 'Regenerate this day' : 'Generate today’s brief'}
        </ActButton>
      }
    >
      <Outcome act={run} />
      {jobId !== null && <JobCard jobId={jobId} onEnd={() => setJobId(null)} />}
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <div className="min-w-0">
          {days.length > 0 && (
            <Filters>
              <Select label="Day" value={date} onChange={(day) => set({ date: day, id: '' })} options={days.map((each) => each.date)} />
              <div className="flex gap-2">
                <button
                  type="button"
                  className="control whitespace-nowrap"
                  disabled={at < 0 || at >= days.length - 1}
                  onClick={() => go(1)}
                >
                  Previous day
                </button>
                <button type="button" className="control whitespace-nowrap" disabled={at <= 0} onClick={() => go(-1)}>
                  Next day
                </button>
              </div>
            </Filters>
          )}
          {list.data === undefined ? (
            list.isError ? (
              <Failure error={list.error} retry={() => void list.refetch()} />
            ) : (
              <Skeleton />
            )
          ) : date === '' ? (
            <section className="card">
              <Empty command="npx signalbox tools call authoring.brief.run '{}'">
                No briefs yet. A brief needs feeds: feed.source.save adds one. Its schedule is set here.
              </Empty>
            </section>
          ) : (
            <DayBrief date={date} />
          )}
        </div>
        <Schedule />
      </div>
    </Page>
  );
}
