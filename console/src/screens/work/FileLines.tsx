import { Fragment, useEffect, useRef, useState, type KeyboardEvent } from 'react';
import type { WorkRun } from '../../../../contracts/work/runs.ts';
import type { Comment } from '../../../../contracts/work/work.ts';
import { useAct } from '../../api/act.ts';
import { ActButton, Outcome, useMay } from '../../ui/Act.tsx';
import { TextArea, useTyped } from '../../ui/Field.tsx';
import { Markdown } from '../../ui/Markdown.tsx';
import { Outside, visible } from '../../ui/Outside.tsx';
import { Age } from '../../ui/Time.tsx';
import { linesOf, type DiffLine, type FileDiff } from './diff.ts';

/** Lines that are drawn at once; more on request. */
const atOnce = 1_000;
const signs = { same: ' ', added: '+', removed: '−' };
const looks = {
  same: '',
  added: 'bg-[color-mix(in_srgb,var(--color-proceed)_12%,transparent)]',
  removed: 'bg-[color-mix(in_srgb,var(--color-stop)_12%,transparent)]',
};

/** The changed lines of one file. A line of the new version is chosen by a click or the arrow keys, and commented on. */
export function FileLines({ run, file, comments }: { run: WorkRun; file: FileDiff; comments: Comment[] }) {
  const may = useMay()('work.task.comment') !== 'deny';
  const [most, setMost] = useState(atOnce);
  const [at, setAt] = useState<number | null>(null);
  const [writing, setWriting] = useState(false);
  const self = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (at !== null) self.current?.querySelector(`[data-line="${at}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [at]);
  const total = linesOf(file);
  if (total === 0) {
    return <p className="px-3 py-2 text-soft">{file.binary ? 'A binary file: its content is not shown.' : 'No line has changed.'}</p>;
  }
  let left = most;
  const hunks = file.hunks.flatMap((hunk) => {
    const lines = hunk.lines.slice(0, Math.max(0, left));
    left -= hunk.lines.length;
    return lines.length > 0 ? [{ ...hunk, lines }] : [];
  });
  const numbers = hunks.flatMap(({ lines }) => lines.flatMap(({ after }) => after ?? []));
  const here = hunks.flatMap(({ lines }) => lines).find(({ after }) => after !== null && after === at);
  const remarks = Map.groupBy(comments, ({ line }) => (line !== null && numbers.includes(line) ? line : null));
  const choose = (line: number | null): void => {
    setAt(line);
    setWriting(false);
  };
  const press = (event: KeyboardEvent): void => {
    if (event.target !== event.currentTarget) return;
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by !== undefined) {
      const index = at === null ? (by > 0 ? 0 : numbers.length - 1) : numbers.indexOf(at) + by;
      choose(numbers[Math.max(0, Math.min(numbers.length - 1, index))] ?? null);
    } else if (event.key === 'Enter' && at !== null && may) setWriting(true);
    else return;
    event.preventDefault();
    // Enter would open the chosen row of the list of runs, too.
    event.stopPropagation();
  };
  const close = (): void => {
    setWriting(false);
    self.current?.focus();
  };
  return (
    <>
      {(remarks.get(null) ?? []).map((comment) => (
        <Remark key={comment.id} comment={comment} place />
      ))}
      <div
        ref={self}
        tabIndex={0}
        role="group"
        aria-label={`Lines of ${file.path.slice(0, 200)}. Arrow keys choose a line${may ? ', Enter comments on it' : ''}`}
        onKeyDown={press}
      >
        <table className="w-full table-fixed border-collapse font-mono text-xs">
          <colgroup>
            <col className="w-10 sm:w-14" />
            <col className="w-10 sm:w-14" />
            <col />
          </colgroup>
          <thead className="sr-only">
            <tr>
              <th scope="col">Line before</th>
              <th scope="col">Line now</th>
              <th scope="col">Change</th>
            </tr>
          </thead>
          <tbody>
            {hunks.map((hunk, i) => (
              <Fragment key={i}>
                <tr className="bg-sunk text-soft">
                  <td className="px-1">…</td>
                  <td className="px-1" />
                  <td className="px-2">
                    <Outside text={hunk.near} most={200} />
                  </td>
                </tr>
                {hunk.lines.map((line, j) => (
                  <Line
                    key={j}
                    line={line}
                    chosen={line.after !== null && line.after === at}
                    writing={writing}
                    may={may}
                    run={run}
                    path={file.path}
                    comments={line.after === null ? [] : (remarks.get(line.after) ?? [])}
                    onChoose={choose}
                    onWrite={() => setWriting(true)}
                    onClose={close}
                  />
                ))}
              </Fragment>
            ))}
          </tbody>
        </table>
      </div>
      <p role="status" className="sr-only">
        {here && `Line ${here.after}, ${here.kind}: ${visible(here.text, 200)}`}
      </p>
      {total > most && (
        <button type="button" className="control m-2" onClick={() => setMost(most + atOnce)}>
          {Math.min(atOnce, total - most).toLocaleString('en')} more of {total.toLocaleString('en')} lines
        </button>
      )}
    </>
  );
}

function Line({
  line,
  chosen,
  writing,
  may,
  run,
  path,
  comments,
  onChoose,
  onWrite,
  onClose,
}: {
  line: DiffLine;
  chosen: boolean;
  writing: boolean;
  may: boolean;
  run: WorkRun;
  path: string;
  comments: Comment[];
  onChoose: (line: number | null) => void;
  onWrite: () => void;
  onClose: () => void;
}) {
  const { kind, before, after, text } = line;
  return (
    <>
      <tr
        data-line={after ?? undefined}
        data-kind={kind}
        className={`align-top ${looks[kind]} ${chosen ? 'outline-2 -outline-offset-2 outline-route' : ''}`}
        // Who marks text to copy it does not choose a line.
        onClick={() => after !== null && window.getSelection()?.isCollapsed !== false && onChoose(after)}
      >
        <td className="px-1 text-right text-soft select-none">{before}</td>
        <td className="px-1 text-right text-soft select-none">{after}</td>
        <td className="px-2 whitespace-pre-wrap">
          <span className={kind === 'added' ? 'text-proceed' : kind === 'removed' ? 'text-stop' : ''}>{signs[kind]}</span>{' '}
          <Outside text={text} most={2_000} />
        </td>
      </tr>
      {(comments.length > 0 || (chosen && may)) && (
        <tr>
          <td colSpan={3} className="bg-panel p-2 font-sans text-base">
            {comments.map((comment) => (
              <Remark key={comment.id} comment={comment} />
            ))}
            {chosen &&
              may &&
              (writing ? (
                <Write run={run} path={path} line={after!} onClose={onClose} />
              ) : (
                <button type="button" className="control" onClick={onWrite}>
                  Comment on line {after}
                </button>
              ))}
          </td>
        </tr>
      )}
    </>
  );
}

/** A comment on a line. @param place with the file and the line, where it does not stand beside them */
export const Remark = ({ comment: { author, body, created_at, path, line }, place = false }: { comment: Comment; place?: boolean }) => (
  <div data-remark={line ?? ''} className="m-1 border-l-4 border-token pl-3">
    <p className="text-soft">
      <Outside text={author} most={80} /> <Age at={created_at} />
      {place && path !== null && (
        <>
          {' '}
          on{' '}
          <code className="font-mono text-xs">
            <Outside text={path} most={200} />
            {line !== null && `:${line}`}
          </code>
        </>
      )}
    </p>
    <Markdown text={body} />
  </div>
);

function Write({ run, path, line, onClose }: { run: WorkRun; path: string; line: number; onClose: () => void }) {
  const [text, setText] = useTyped(`remark ${run.id} ${path} ${line}`);
  const act = useAct('work.task.comment', () => {
    setText('');
    onClose();
  });
  const self = useRef<HTMLDivElement>(null);
  useEffect(() => self.current?.querySelector('textarea')?.focus(), []);
  return (
    <div ref={self} className="grid gap-2" onKeyDown={({ key }) => key === 'Escape' && onClose()}>
      <TextArea label={`Comment on line ${line}`} value={text} onChange={setText} rows={3} />
      <Outcome act={act} />
      <div className="flex flex-wrap justify-end gap-3">
        <button type="button" className="control" onClick={onClose}>
          Cancel
        </button>
        <ActButton
          tool="work.task.comment"
          act={act}
          disabled={text.trim() === ''}
          args={() => ({ task_id: run.task_id, run_id: run.id, path, line, body: text.trim() })}
        >
          Comment
        </ActButton>
      </div>
    </div>
  );
}
