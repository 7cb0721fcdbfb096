import { useMemo, useState } from 'react';
import type { Artifact } from '../../../../contracts/substrate/substrate.ts';
import type { WorkRun } from '../../../../contracts/work/runs.ts';
import type { Comment } from '../../../../contracts/work/work.ts';
import { usePages } from '../../api/call.ts';
import { useMay } from '../../ui/Act.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { Empty, Failure, NoRight, Skeleton } from '../../ui/Panel.tsx';
import { counted } from '../../ui/words.ts';
import { FileLines, Remark } from './FileLines.tsx';
import { openAtFirst, parseDiff, type FileDiff } from './diff.ts';

const tool = 'substrate.artifact.get';
type Content = Pick<Artifact, 'size'> & { content?: string };

/** The changes of a run file by file, with the comments beside their lines. */
export function Changes({ run, comments }: { run: WorkRun; comments: Comment[] }) {
  const may = useMay()(tool) !== 'deny';
  const patch = usePages<{ artifact: Content }, string>(
    tool,
    { sha256: run.patch_artifact ?? '', include_content: true },
    ({ artifact }) => [artifact.content ?? ''],
    may && run.patch_artifact !== null,
  );
  if (run.patch_artifact === null) {
    return <Empty>{run.state === 'running' ? 'Changes are handed in when the run ends.' : 'The run has handed in no changes.'}</Empty>;
  }
  if (!may) return <NoRight tool={tool} scope="substrate:read" />;
  if (patch.data === undefined) {
    return patch.isError ? <Failure error={patch.error} retry={() => void patch.refetch()} /> : <Skeleton />;
  }
  const text = patch.data.rows.join('');
  const { more, isFetchingNextPage } = patch;
  return (
    <>
      <Files key={run.patch_artifact} run={run} text={text} comments={comments} goesOn={more !== undefined} />
      {more && (
        <p className="flex flex-wrap items-center gap-3 py-2 text-soft">
          {kilobytes(text.length)} of {kilobytes(patch.data.first.artifact.size)} are shown; the last file may go on.
          <button type="button" className="control" onClick={more}>
            {isFetchingNextPage ? 'Loading…' : 'Load more'}
          </button>
        </p>
      )}
    </>
  );
}

const kilobytes = (size: number): string => `${Math.ceil(size / 1_000).toLocaleString('en')} kB`;

const kindWords: Record<FileDiff['kind'], string> = {
  changed: '',
  added: 'new',
  deleted: 'deleted',
  renamed: 'renamed',
  copied: 'copied',
};

function Files({ run, text, comments, goesOn }: { run: WorkRun; text: string; comments: Comment[]; goesOn: boolean }) {
  const files = useMemo(() => parseDiff(text), [text]);
  const [open, setOpen] = useState(() => openAtFirst(files));
  if (files.length === 0) return <Empty>The diff names no file.</Empty>;
  const paths = new Set(files.map(({ path }) => path));
  const elsewhere = comments.filter(({ path }) => path !== null && !paths.has(path));
  const toggle = (path: string): void =>
    setOpen((before) => {
      const next = new Set(before);
      if (!next.delete(path)) next.add(path);
      return next;
    });
  return (
    <div className="grid gap-3">
      <p className="flex flex-wrap items-center justify-between gap-3 text-soft">
        {counted(files.length, 'file')}
        {goesOn && ' so far'}
        <button type="button" className="control" onClick={() => setOpen(open.size === files.length ? new Set() : new Set(paths))}>
          {open.size === files.length ? 'Fold all' : 'Open all'}
        </button>
      </p>
      {files.map((file, i) => (
        <section
          key={i}
          aria-label={`File ${i + 1} of ${files.length}`}
          data-file={file.path}
          className="min-w-0 rounded-card border border-line"
        >
          <h3 className="bg-sunk font-normal">
            <button
              type="button"
              className="hit w-full flex-wrap gap-x-3 px-3 text-left"
              aria-expanded={open.has(file.path)}
              onClick={() => toggle(file.path)}
            >
              <span aria-hidden="true">{open.has(file.path) ? '▾' : '▸'}</span>
              <span className="min-w-0 flex-1 font-mono text-xs">
                {file.from !== null && (
                  <>
                    <Outside text={file.from} most={200} /> →{' '}
                  </>
                )}
                <Outside text={file.path} most={200} />
              </span>
              {kindWords[file.kind] && <span className="text-soft">{kindWords[file.kind]}</span>}
              <span className="text-proceed">+{file.added}</span>
              <span className="text-stop">−{file.removed}</span>
              <Count of={comments.filter(({ path }) => path === file.path).length} />
            </button>
          </h3>
          {open.has(file.path) && <FileLines run={run} file={file} comments={comments.filter(({ path }) => path === file.path)} />}
        </section>
      ))}
      {elsewhere.length > 0 && (
        <section aria-label="Comments on other files" className="grid gap-2">
          {elsewhere.map((comment) => (
            <Remark key={comment.id} comment={comment} place />
          ))}
        </section>
      )}
    </div>
  );
}

const Count = ({ of }: { of: number }) => (of === 0 ? null : <span className="text-token">{counted(of, 'comment')}</span>);
