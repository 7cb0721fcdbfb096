import { useMemo, useRef } from 'react';
import type { Comment } from '../../../../contracts/work/work.ts';
import { useAct } from '../../api/act.ts';
import { useShortcuts } from '../../keys.ts';
import { ActButton, Outcome, useMay } from '../../ui/Act.tsx';
import { TextArea, useTyped } from '../../ui/Field.tsx';
import { Markdown } from '../../ui/Markdown.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { Age } from '../../ui/Time.tsx';

export function Comments({ id, comments }: { id: string; comments: Comment[] }) {
  const [text, setText] = useTyped(`comment ${id}`);
  const act = useAct('work.task.comment', () => setText(''));
  const form = useRef<HTMLDivElement>(null);
  const may = useMay()('work.task.comment') !== 'deny';
  useShortcuts(
    useMemo(() => (may ? [{ keys: 'm', label: 'Comment', run: () => form.current?.querySelector('textarea')?.focus() }] : []), [may]),
  );
  return (
    <Panel title="Comments">
      {() => (
        <>
          <ol className="divide-y divide-line" aria-label="Comments">
            {comments.map((comment) => (
              <li key={comment.id} className="px-4 py-2">
                <p className="text-soft">
                  <Outside text={comment.author} most={80} /> <Age at={comment.created_at} />
                  {comment.path !== null && (
                    <>
                      {' '}
                      on{' '}
                      <code className="font-mono text-xs">
                        <Outside text={comment.path} most={120} />
                        {comment.line !== null && `:${comment.line}`}
                      </code>
                    </>
                  )}
                </p>
                <Markdown text={comment.body} />
              </li>
            ))}
          </ol>
          {comments.length === 0 && <p className="px-4 pt-3 text-soft">No comments yet.</p>}
          {may && (
            <div ref={form} className="grid gap-2 p-4">
              <TextArea label="Comment for the next holder" value={text} onChange={setText} rows={3} />
              <Outcome act={act} />
              <ActButton
                tool="work.task.comment"
                act={act}
                disabled={text.trim() === ''}
                args={() => ({ task_id: id, body: text.trim() })}
                keys="m"
                className="justify-self-end"
              >
                Add comment
              </ActButton>
            </div>
          )}
        </>
      )}
    </Panel>
  );
}
