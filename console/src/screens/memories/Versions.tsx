import { useState } from 'react';
import type { RememberedHistory } from '../../../../contracts/knowledge/memory.ts';
import { Code } from '../../ui/LazyCode.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { MemoryLink } from './MemoryLink.tsx';
import { differences, formerOf, type Former } from './model.ts';

/** What held before, newest first, each compared with what took its place. */
export function Versions({ told: { memory, history, merges } }: { told: RememberedHistory }) {
  if (history.length === 0) return null;
  return (
    <Panel title="What held before">
      {() => (
        <ol aria-label="Former versions" className="divide-y divide-line">
          {formerOf(memory, history, merges).map((one) => (
            <One key={one.version.memory_id} former={one} />
          ))}
        </ol>
      )}
    </Panel>
  );
}

const Day = ({ at }: { at: string }) => (
  <time dateTime={at} title={at} className="whitespace-nowrap">
    {at.slice(0, 10)}
  </time>
);

function One({ former: { version, by, merged } }: { former: Former }) {
  const [open, setOpen] = useState(false);
  const { memory_id, content, created_by, valid_from, valid_to } = version;
  const differs = by ? differences(version, by) : [];
  const rewritten = by !== undefined && by.content !== content;
  return (
    <li className="grid gap-2 p-4">
      <p className="max-w-[75ch] whitespace-pre-wrap">
        <Outside text={content} most={600} />
      </p>
      <p className="flex flex-wrap items-center gap-x-3 text-soft">
        <span>
          <Day at={valid_from} /> to {valid_to ? <Day at={valid_to} /> : 'now'}, by <Outside text={created_by} most={60} />
          {merged && '; merged into the present one'}
        </span>
        <MemoryLink id={memory_id} label={`Open the version of ${valid_from.slice(0, 16).replace('T', ' ')}`}>
          Open
        </MemoryLink>
        {rewritten && (
          <button type="button" className="control" aria-expanded={open} onClick={() => setOpen(!open)}>
            What changed
          </button>
        )}
      </p>
      {differs.length > 0 && (
        <ul className="text-soft">
          {differs.map((text) => (
            <li key={text}>
              <Outside text={text} />
            </li>
          ))}
        </ul>
      )}
      {open && by && <Code label="Before and after" value={by.content} before={content} />}
    </li>
  );
}
