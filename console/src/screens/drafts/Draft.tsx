import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useCallback, useRef, useSyncExternalStore } from 'react';
import type { Draft as Whole, TracedDraft, TracedStatement } from '../../../../contracts/authoring/authoring.ts';
import { call, useRead } from '../../api/call.ts';
import { CallError } from '../../api/errors.ts';
import { useUrl } from '../../url.ts';
import { Markdown } from '../../ui/Markdown.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { Page } from '../../ui/Page.tsx';
import { Failure, Panel, Skeleton } from '../../ui/Panel.tsx';
import { addressOf } from '../../ui/Passage.tsx';
import { Scope } from '../../ui/Scope.tsx';
import { Age } from '../../ui/Time.tsx';
import { toast } from '../../ui/toasts.tsx';
import { JobCard } from './JobCard.tsx';
import { draftDefaults, fileName, movedTo, piecesOf, statementsOf, worded } from './model.ts';
import { firstPassage, Statement } from './Statement.tsx';
import { counted } from '../../ui/words.ts';

const roomy = window.matchMedia('(min-width: 1280px)');
const useRoom = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      roomy.addEventListener('change', listener);
      return () => roomy.removeEventListener('change', listener);
    },
    () => roomy.matches,
  );

export default function Draft() {
  const { id } = useParams({ strict: false }) as { id: string };
  const draft = useRead<{ draft: Whole }>('authoring.draft.get', { draft_id: id });
  const traced = useRead<TracedDraft>('authoring.statement.list', { draft_id: id }, draft.data !== undefined);
  const jobId = draft.error instanceof CallError ? draft.error.details['job_id'] : undefined;
  const { refetch } = draft;
  const onEnd = useCallback(() => {
    toast('The draft is over');
    void refetch();
  }, [refetch]);
  const above = (
    <>
      <Link to="/console/drafts" className="hit">
        Drafts
      </Link>{' '}
      <Scope />
    </>
  );
  if (draft.data === undefined) {
    return (
      <Page title="Draft" above={above}>
        {typeof jobId === 'string' ? (
          <JobCard jobId={jobId} onEnd={onEnd} />
        ) : draft.isError ? (
          <Failure error={draft.error} retry={() => void refetch()} />
        ) : (
          <Skeleton />
        )}
      </Page>
    );
  }
  const whole = draft.data.draft;
  return (
    <Page title={whole.title} above={above} actions={<Take draft={whole} />}>
      <p className="mb-3 text-soft">
        {worded(whole.type)}
        {whole.format !== null && `, ${worded(whole.format)}`} for {whole.audience === 'general' ? 'everybody' : worded(whole.audience)},
        made by {whole.created_by} <Age at={whole.created_at} />; {counted(whole.statements, 'statement')}, evidence from{' '}
        {whole.freshness.oldest_signal_at.slice(0, 10)} to {whole.freshness.newest_signal_at.slice(0, 10)}
        {whole.model === null ? '' : `; written by ${whole.model}`}.
      </p>
      {whole.warnings.map((warning) => (
        <p key={warning} className="mb-3 border-l-4 border-caution bg-sunk p-3">
          <Outside text={warning} most={600} />
        </p>
      ))}
      {traced.data ? (
        <Text draft={traced.data} dropped={whole.dropped} />
      ) : traced.isError ? (
        <Failure error={traced.error} retry={() => void traced.refetch()} />
      ) : (
        <Skeleton />
      )}
    </Page>
  );
}

/** Copies and saves the text as Markdown. */
function Take({ draft: { draft_id, title, content } }: { draft: Whole }) {
  // The promise stands in the click itself: browsers refuse what is written to the clipboard later.
  const copy = (text: Promise<string>, what: string): void =>
    void navigator.clipboard
      .write([new ClipboardItem({ 'text/plain': text.then((plain) => new Blob([plain], { type: 'text/plain' })) })])
      .then(
        () => toast(`Copied ${what}`),
        () => toast('It could not be copied'),
      );
  const without = async (): Promise<string> =>
    (await call<{ draft: Whole }>('authoring.draft.get', { draft_id, sources: false })).draft.content;
  const save = (): void => {
    const url = URL.createObjectURL(new Blob([content], { type: 'text/markdown' }));
    const link = document.createElement('a');
    link.href = url;
    link.download = fileName(title);
    link.click();
    window.setTimeout(() => URL.revokeObjectURL(url), 10_000);
  };
  return (
    <>
      <button type="button" className="control" onClick={() => copy(Promise.resolve(content), 'with sources')}>
        Copy with sources
      </button>
      <button type="button" className="control" onClick={() => copy(without(), 'without sources')}>
        Copy without
      </button>
      <button type="button" className="control" onClick={save}>
        Save as Markdown
      </button>
    </>
  );
}

/** Statements one by one, with the sources of the chosen one beside them, or below it where there is no room. */
function Text({ draft, dropped }: { draft: TracedDraft; dropped: number }) {
  const [url, , type] = useUrl(draftDefaults);
  const navigate = useNavigate();
  const room = useRoom();
  const body = useRef<HTMLDivElement>(null);
  const all = statementsOf(draft);
  const chosen = all.find(({ ordinal }) => String(ordinal) === url.at) ?? all[0];
  const go = (ordinal: number): void => {
    type({ at: String(ordinal) });
    body.current?.querySelector<HTMLElement>(`[data-statement="${ordinal}"]`)?.focus();
  };
  const onKey = (event: React.KeyboardEvent, statement: TracedStatement): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Enter') {
      const source = firstPassage(draft, statement);
      if (!source) return;
      event.preventDefault();
      void navigate(addressOf(source.citation!, source.excerpt));
      return;
    }
    const to = movedTo(all, statement.ordinal, event.key);
    if (to === null) return;
    event.preventDefault();
    go(to);
  };
  return (
    <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <div ref={body} className="card min-w-0 p-4">
        <p className="mb-2 text-xs text-soft max-sm:hidden">
          <kbd>↑</kbd> <kbd>↓</kbd> statements, <kbd>Enter</kbd> opens the first source
        </p>
        {draft.blocks.map(({ heading, to_fill, statements }, i) =>
          to_fill === null ? (
            <section key={i}>
              <h2 className="mt-4 mb-1 text-lg">
                <Outside text={heading} />
              </h2>
              <ul className="grid gap-1">
                {statements.map((statement) => {
                  const { ordinal } = statement;
                  const on = ordinal === chosen?.ordinal;
                  return (
                    <li key={ordinal}>
                      <span
                        role="button"
                        tabIndex={on ? 0 : -1}
                        aria-pressed={on}
                        data-statement={ordinal}
                        className={`hit w-full cursor-pointer items-start rounded border-l-4 px-2 py-1 ${on ? 'border-route bg-sunk' : 'border-transparent hover:bg-sunk'}`}
                        onClick={() => !getSelection()?.toString() && type({ at: String(ordinal) })}
                        onFocus={() => !on && type({ at: String(ordinal) })}
                        onKeyDown={(event) => onKey(event, statement)}
                      >
                        <span className="min-w-0">
                          {piecesOf(statement).map(({ text, figure }, place) =>
                            figure === null ? (
                              <Outside key={place} text={text} most={Infinity} />
                            ) : (
                              <strong key={place} className="underline decoration-dotted underline-offset-4">
                                {text}
                              </strong>
                            ),
                          )}{' '}
                          <span className="font-mono text-xs text-soft">{statement.sources.map((number) => `[${number}]`).join('')}</span>
                        </span>
                      </span>
                      {on && !room && <Statement draft={draft} statement={statement} />}
                    </li>
                  );
                })}
              </ul>
            </section>
          ) : (
            <section key={i} aria-label={`To be written: ${heading}`} className="mt-4 rounded-card border-2 border-dashed border-edge p-3">
              <h2 className="text-lg">
                <Outside text={heading} />
              </h2>
              {to_fill === '' ? <p className="text-soft">A person decides this.</p> : <Markdown text={to_fill} />}
            </section>
          ),
        )}
        {dropped > 0 && (
          <details className="mt-6 border-t border-line pt-2">
            <summary className="hit cursor-pointer">
              {counted(dropped, 'statement was', 'statements were')} left out because the sources do not support{' '}
              {dropped === 1 ? 'it' : 'them'}
            </summary>
            <ul className="grid gap-2">
              {draft.dropped.map(({ text, reason }, i) => (
                <li key={i}>
                  <s>
                    <Outside text={text} most={600} />
                  </s>{' '}
                  <span className="text-soft">
                    <Outside text={reason} />
                  </span>
                </li>
              ))}
            </ul>
            {draft.dropped.length < dropped && (
              <p className="text-soft">{dropped - draft.dropped.length} more cited no source and were not kept.</p>
            )}
          </details>
        )}
      </div>
      {room && chosen && (
        <div className="sticky top-16 max-h-[calc(100vh-5rem)] min-w-0 overflow-y-auto">
          <Panel title="Sources">{() => <Statement draft={draft} statement={chosen} />}</Panel>
        </div>
      )}
    </div>
  );
}
