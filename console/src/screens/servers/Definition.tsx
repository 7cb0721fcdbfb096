import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import type { ExternalToolDefinition, ToolMark } from '../../../../contracts/governance/external.ts';
import { useAct } from '../../api/act.ts';
import { useRead } from '../../api/call.ts';
import { useShortcuts } from '../../keys.ts';
import { hasScreen } from '../../screens.ts';
import { ActButton, Outcome, useMay } from '../../ui/Act.tsx';
import { Aspect } from '../../ui/Aspect.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { Facts } from '../../ui/Page.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { Id, Json } from '../../ui/Text.tsx';
import { Age } from '../../ui/Time.tsx';
import { differenceOf, fieldsOf, piecesOf, readable, states, type Field } from './model.ts';
import { counted } from '../../ui/words.ts';

/** A definition, compared with the approved one. The approval is for what is shown here: it carries its hash. */
export function Definition({ server, name }: { server: string; name: string }) {
  const found = useRead<{ tool: ExternalToolDefinition }>('external.tool.get', { tool: name });
  return (
    <Panel title="Definition" query={found}>
      {({ tool }) => <Looked server={server} now={tool} />}
    </Panel>
  );
}

function Looked({ server, now }: { server: string; now: ExternalToolDefinition }) {
  // What is on the screen stays the one that was looked at, also when a later one has come.
  const [tool, setTool] = useState(now);
  const stale = tool.hash !== now.hash || tool.state === 'gone' || now.state === 'gone';
  const shown = stale ? tool : now;
  const approve = useAct('external.tool.approve');
  const may = useMay()('external.tool.approve');
  const open = shown.state === 'waiting' || shown.state === 'changed';
  const args = () => ({ server, tools: [shown.tool], hashes: { [shown.tool]: shown.hash } });
  const { run } = approve;
  useShortcuts(
    useMemo(
      () =>
        open && !stale && may === 'allow' && shown.flags.length === 0
          ? [
              {
                keys: 'a',
                label: 'Approve this definition',
                run: () => void run({ server, tools: [shown.tool], hashes: { [shown.tool]: shown.hash } }),
              },
            ]
          : [],
      [open, stale, may, run, server, shown.tool, shown.hash, shown.flags.length],
    ),
  );
  return (
    <div className="grid gap-3 pb-4">
      {stale && now.state !== 'gone' && (
        <div role="alert" className="flex flex-wrap items-center gap-3 border-l-4 border-caution bg-sunk p-3">
          <p className="min-w-0 flex-1 basis-60">
            <strong>It has changed again</strong> since you looked at it. The definition below is out of date.
          </p>
          <button type="button" className="control" onClick={() => (setTool(now), approve.reset())}>
            Show the new definition
          </button>
        </div>
      )}
      <Facts
        rows={[
          ['Local name', <Id>{shown.name}</Id>],
          ['State', <Aspect is={states[now.state]}>{now.state}</Aspect>],
          ['Effect', shown.effect],
          ['Hash', <Id>{shown.hash}</Id>],
          shown.approved_by !== null && [
            'Approved',
            <>
              by <Outside text={shown.approved_by} /> {shown.approved_at && <Age at={shown.approved_at} />}
            </>,
          ],
        ]}
      />
      {shown.flags.length > 0 && (
        <section aria-label="Flags" className="px-4">
          <h3 className="font-semibold">Check this before you approve it</h3>
          <ul className="list-disc pl-5">
            {shown.flags.map(({ kind, what }) => (
              <li key={kind + what}>
                <Outside text={what} />
              </li>
            ))}
          </ul>
        </section>
      )}
      <Fields before={shown.state === 'changed' ? shown.approved : null} tool={shown} />
      {open && (
        <div className="grid gap-2 px-4">
          <div className="flex flex-wrap items-center gap-3">
            <ActButton
              tool="external.tool.approve"
              act={approve}
              args={args}
              disabled={stale}
              label={shown.tool}
              {...(shown.flags.length === 0 ? { keys: 'a' } : {})}
              {...(shown.flags.length > 0
                ? {
                    confirm: {
                      title: 'Approve a suspicious definition?',
                      text: (
                        <ul className="list-disc pl-5">
                          {shown.flags.map(({ what }) => (
                            <li key={what}>
                              <Outside text={what} />
                            </li>
                          ))}
                        </ul>
                      ),
                      type: shown.tool,
                    },
                  }
                : {})}
            >
              Approve this definition
            </ActButton>
            <span className="text-soft">Agents see and call it exactly as it is shown here.</span>
          </div>
          <Outcome act={approve} />
        </div>
      )}
      <Approvals of={shown} />
      <details className="px-4">
        <summary className="hit rounded text-route">Definition as JSON</summary>
        <Json value={shown.present} label="present definition" />
        {shown.approved && <Json value={shown.approved} label="approved definition" />}
      </details>
    </div>
  );
}

/** Side by side by field; in one column where there is no room. */
function Fields({ before, tool }: { before: Record<string, unknown> | null; tool: ExternalToolDefinition }) {
  const [all, setAll] = useState(false);
  const fields = fieldsOf(before, tool.present);
  const marked = new Set(tool.marks.map(({ path }) => path));
  const changed = fields.filter(({ state, path }) => state !== 'same' || marked.has(path));
  const shown = before === null || all ? fields : changed;
  return (
    <section aria-label="Fields" className="grid gap-2 px-4">
      <div className="flex flex-wrap items-center gap-3">
        <h3 className="font-semibold">{before ? 'What has changed since it was approved' : 'All of it'}</h3>
        {before && fields.length > changed.length && (
          <button type="button" className="control" aria-pressed={all} onClick={() => setAll(!all)}>
            {all ? 'Only what differs' : `Also ${counted(fields.length - changed.length, 'field that is', 'fields that are')} the same`}
          </button>
        )}
      </div>
      {shown.map((field) => (
        <FieldRow key={field.path} field={field} compared={before !== null} tool={tool} />
      ))}
      {before && shown.length === 0 && <p className="text-soft">Its texts and schema are unchanged.</p>}
    </section>
  );
}

const words: Record<Field['state'], string> = { same: '', changed: 'changed', new: 'new', gone: 'gone' };

function FieldRow({
  field: { path, before, now, state },
  compared,
  tool,
}: {
  field: Field;
  compared: boolean;
  tool: ExternalToolDefinition;
}) {
  const of = (marks: ToolMark[]): ToolMark[] => marks.filter((mark) => mark.path === path && !mark.key);
  const keyMarks = tool.marks.filter((mark) => mark.key && (mark.path === path || path.startsWith(`${mark.path}/`)));
  const two = compared && state !== 'same';
  return (
    <div className="rounded-card border border-line">
      <p className="flex flex-wrap gap-x-3 border-b border-line bg-sunk px-3 py-1 text-xs">
        <code className="min-w-0 font-mono">
          <Outside text={readable(path)} most={500} />
        </code>
        {keyMarks.length > 0 && <span className="text-stop">its name: {[...new Set(keyMarks.map(({ what }) => what))].join(', ')}</span>}
        {words[state] && <span className={state === 'gone' ? 'text-stop' : 'text-caution'}>{words[state]}</span>}
      </p>
      <div className={two ? 'grid divide-line max-lg:divide-y lg:grid-cols-2 lg:divide-x' : ''}>
        {two && (
          <Version title="approved">
            {before === null ? (
              <em className="text-soft">was not there</em>
            ) : (
              <Pieces text={before} against={now} marks={of(tool.approved_marks)} old />
            )}
          </Version>
        )}
        <Version title={two ? 'now' : ''}>
          {now === null ? (
            <em className="text-soft">was removed</em>
          ) : (
            <Pieces text={now} against={state === 'same' ? now : before} marks={of(tool.marks)} />
          )}
        </Version>
      </div>
    </div>
  );
}

const Version = ({ title, children }: { title: string; children: React.ReactNode }) => (
  <div className="min-w-0 px-3 py-2">
    {title && <p className="text-xs text-soft">{title}</p>}
    <div className="whitespace-pre-wrap">{children}</div>
  </div>
);

function Pieces({ text, against, marks, old = false }: { text: string; against: string | null; marks: ToolMark[]; old?: boolean }) {
  const pieces = piecesOf(text, against === text ? null : differenceOf(text, against), marks);
  return (
    <>
      {pieces.map(({ text: piece, differs, marks: own }, i) => {
        const Tag = differs ? (old ? 'del' : 'ins') : 'span';
        const inner = <Outside text={piece} most={Infinity} />;
        return (
          <Tag
            key={i}
            className={`no-underline ${differs ? (old ? 'bg-sunk text-stop line-through' : 'bg-sunk font-semibold text-proceed') : ''}`}
          >
            {own.length > 0 ? (
              <mark
                className="bg-transparent text-inherit underline decoration-stop decoration-wavy"
                title={own.map(({ what }) => what).join('; ')}
              >
                {inner}
              </mark>
            ) : (
              inner
            )}
          </Tag>
        );
      })}
      {marks.length > 0 && (
        <ul className="mt-1 text-xs text-stop">
          {[...new Set(marks.map(({ what }) => what))].map((what) => (
            <li key={what}>⚑ {what}</li>
          ))}
        </ul>
      )}
    </>
  );
}

function Approvals({ of: { approvals } }: { of: ExternalToolDefinition }) {
  if (approvals.length === 0) return null;
  return (
    <section aria-label="Approvals" className="px-4">
      <h3 className="font-semibold">Approvals of this tool, as the ledger has them</h3>
      <ul>
        {approvals.map(({ hash, by, at, tool_call_id }) => (
          <li key={tool_call_id} className="flex flex-wrap items-center gap-x-3">
            <Age at={at} /> <Outside text={by} most={60} /> <code className="font-mono text-xs">{hash.slice(0, 12)}</code>
            {hasScreen(`/console/calls/${tool_call_id}`) && (
              <Link to={`/console/calls/${tool_call_id}` as never} className="hit">
                call
              </Link>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
