import { useState } from 'react';
import type { Brief, BriefSettings } from '../../../../contracts/feeds/briefs.ts';
import { useAct } from '../../api/act.ts';
import { usePages, useRead } from '../../api/call.ts';
import { useUrl } from '../../url.ts';
import { ActButton, Outcome } from '../../ui/Act.tsx';
import { Aspect } from '../../ui/Aspect.tsx';
import { Copy } from '../../ui/Copy.tsx';
import { Filters, Select, TextField } from '../../ui/Field.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { Facts, Page } from '../../ui/Page.tsx';
import { Empty, Failure, Panel, Skeleton } from '../../ui/Panel.tsx';
import { Table, type Column } from '../../ui/Table.tsx';
import { Age } from '../../ui/Time.tsx';
import { JobCard } from '../drafts/JobCard.tsx';
import { bars, defaults, hostOf } from './model.ts';

interface Listed {
  brief_id: string;
  date: string;
  version: number;
  titles: string[];
  total_articles_analyzed: number;
  generated_at: string;
}
interface Source {
  feed_id: string;
  ok: boolean;
  articles: number;
  attempts: number;
  duration_ms: number;
  error: { code: string; message: string } | null;
}
interface Whole extends Brief {
  content: string;
  link: string;
  sources: Source[];
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
              <Empty command="npx signalbox call authoring.brief.run '{}'">
                No briefs yet. A brief needs feeds: feed.source.save adds one. Its schedule is set here.
              </Empty>
            </section>
          ) : (
            <One date={date} />
          )}
        </div>
        <Settings />
      </div>
    </Page>
  );
}

function One({ date }: { date: string }) {
  const query = useRead<Whole>('authoring.brief.get', { date });
  return (
    <div className="grid gap-4">
      <Panel title={`Brief of ${date}`} query={query} aside={query.data && <span className="text-soft">version {query.data.version}</span>}>
        {(brief) => (
          <div className="grid gap-4 p-4">
            <p className="text-lg">
              <Outside text={brief.executive_summary} most={Infinity} />
            </p>
            {brief.warnings.map((warning) => (
              <p key={warning} className="border-l-4 border-caution bg-sunk p-3">
                <Outside text={warning} most={600} />
              </p>
            ))}
            {brief.highlights.map((each) => (
              <section key={each.url + each.title} className="grid gap-1 border-t border-line pt-3">
                <h3 className="text-lg">
                  <Outside text={each.title} most={300} />
                </h3>
                {each.significance !== '' && (
                  <p>
                    <Outside text={each.significance} most={Infinity} />
                  </p>
                )}
                {each.strategic_implications !== '' && (
                  <p>
                    <Outside text={each.strategic_implications} most={Infinity} />
                  </p>
                )}
                <p className="text-soft">
                  relevance {each.relevance_score}
                  {each.categories.length > 0 && ', '}
                  <Outside text={each.categories.join(', ')} />
                </p>
                <ul aria-label="Articles">
                  {each.evidence.map((article) => (
                    <li key={article.url} className="flex flex-wrap items-center gap-x-3">
                      <Article {...article} />
                    </li>
                  ))}
                </ul>
              </section>
            ))}
            <p className="text-soft">
              From {brief.total_articles_analyzed} articles, <Age at={brief.generated_at} />
              {brief.model === null ? ", in the articles' own sentences" : `, by ${brief.model}`}
              {brief.dropped_statements > 0 &&
                `; ${brief.dropped_statements} statements were left out because the articles do not support them`}
              .
            </p>
            <p className="flex flex-wrap gap-3">
              <Copy text={brief.link} label="Copy the link" />
              <Copy text={brief.content} label="Copy as Markdown" />
              <span className="text-soft">Anyone with the link can read the brief for 30 days.</span>
            </p>
          </div>
        )}
      </Panel>
      {query.data && <Breakdown of={query.data.topic_breakdown} />}
      {query.data && <Sources sources={query.data.sources} />}
    </div>
  );
}

function Article({ title, url, source, published_at }: Brief['highlights'][number]['evidence'][number]) {
  const host = hostOf(url);
  return (
    <>
      {host === null ? (
        <Outside text={title} most={200} />
      ) : (
        <a href={url} rel="noreferrer noopener" target="_blank" className="hit min-w-0">
          <span>
            <Outside text={title} most={200} /> <span className="text-xs text-soft">({host})</span>
          </span>
        </a>
      )}
      <span className="text-soft">
        <Outside text={source} most={80} /> {published_at !== null && <Age at={published_at} />}
      </span>
    </>
  );
}

function Breakdown({ of }: { of: Record<string, number> }) {
  const list = bars(of);
  if (list.length === 0) return null;
  return (
    <Panel title="Topics">
      {() => (
        <table className="m-4 border-collapse">
          <tbody>
            {list.map(({ name, n, share }) => (
              <tr key={name}>
                <th scope="row" className="pr-3 text-left font-normal">
                  <Outside text={name} most={80} />
                </th>
                <td className="pr-2 text-right">{n}</td>
                <td className="w-40 max-sm:hidden">
                  <svg viewBox="0 0 100 8" preserveAspectRatio="none" className="h-2 w-full text-route" aria-hidden="true">
                    <rect width={share * 100} height="8" fill="currentColor" />
                  </svg>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  );
}

const sourceColumns: Column<Source>[] = [
  { title: 'Source', cell: ({ feed_id }) => <Outside text={feed_id} /> },
  { title: 'Outcome', cell: ({ ok, error }) => <Aspect is={ok ? 'clear' : 'stop'}>{ok ? 'read' : (error?.code ?? 'failed')}</Aspect> },
  { title: 'Articles', cell: ({ articles }) => articles, className: 'whitespace-nowrap text-right' },
  { title: 'Attempts', cell: ({ attempts }) => attempts, className: 'whitespace-nowrap text-right', wide: true },
  {
    title: 'Duration',
    cell: ({ duration_ms }) => `${(duration_ms / 1000).toFixed(1)} s`,
    className: 'whitespace-nowrap text-right',
    wide: true,
  },
  { title: 'Error', cell: ({ error }) => error && <Outside text={error.message} most={300} />, wide: true },
];

const Sources = ({ sources }: { sources: Source[] }) => (
  <Panel title="Results by source">
    {() => (
      <Table
        label="sources of the brief"
        query={{ data: { rows: sources }, isError: false, error: null, isFetching: false, refetch: () => {} }}
        columns={sourceColumns}
        keyOf={({ feed_id }) => feed_id}
        empty={<p className="p-4 text-soft">No results are stored: the brief was made from given articles, or more than 30 days ago.</p>}
      />
    )}
  </Panel>
);

interface Shown extends Omit<BriefSettings, 'recipients'> {
  recipients: { channel: string; recipient: string }[];
  configured: boolean;
}

function Settings() {
  const query = useRead<Shown>('authoring.brief.get_settings');
  const [time, setTime] = useState<string | null>(null);
  const act = useAct('authoring.brief.configure', () => setTime(null));
  return (
    <Panel title="Schedule" query={query}>
      {(held) => (
        <>
          <Facts
            rows={[
              ['made', held.enabled ? `every day at ${held.time}, ${held.time_zone}` : 'by hand only'],
              [
                'topics',
                <Outside
                  key="t"
                  text={held.topics.map(({ name }) => name).join(', ') || 'none: ranked by freshness and number of sources'}
                  most={300}
                />,
              ],
              [
                'told',
                <Outside
                  key="r"
                  text={held.recipients.map(({ channel, recipient }) => `${channel} ${recipient}`).join(', ') || 'nobody'}
                  most={300}
                />,
              ],
              ['sources', held.sources.length === 0 ? 'all enabled feeds' : <Outside key="s" text={held.sources.join(', ')} most={300} />],
              ['looks back', `${held.lookback_hours} h`],
              ['highlights', `${held.max_highlights} at most, relevance ${held.min_relevance} at least`],
            ]}
          />
          <div className="flex flex-wrap items-end gap-3 px-4 pb-4">
            <TextField label="Time" type="time" value={time ?? held.time} onChange={setTime} />
            <ActButton tool="authoring.brief.configure" act={act} disabled={time === null || time === held.time} args={() => ({ time })}>
              Change the time
            </ActButton>
            <ActButton tool="authoring.brief.configure" act={act} args={() => ({ enabled: !held.enabled })}>
              {held.enabled ? 'Switch off' : 'Schedule it daily'}
            </ActButton>
          </div>
          <div className="px-4 pb-2">
            <Outcome act={act} />
          </div>
        </>
      )}
    </Panel>
  );
}
