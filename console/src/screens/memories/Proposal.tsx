import type { ExtractedMemory } from '../../../../contracts/knowledge/memory.ts';
import { Aspect } from '../../ui/Aspect.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { MemoryLink } from './MemoryLink.tsx';
import { Origin } from './Origin.tsx';

/** One sentence of a conversation that may be remembered, or that was. */
export function Proposal({ of, chosen, onToggle }: { of: ExtractedMemory; chosen: boolean; onToggle: () => void }) {
  const { content, category, origin, status, memory_id } = of;
  return (
    <li className="grid gap-1 py-3">
      {status === 'proposed' ? (
        <label className="hit gap-2">
          <input type="checkbox" className="size-4 shrink-0" checked={chosen} onChange={onToggle} />
          <span className="min-w-0">
            <Outside text={content} most={600} /> <span className="text-soft">({category})</span>
          </span>
        </label>
      ) : (
        <p className="flex flex-wrap items-center gap-x-3">
          <Aspect is="clear">{status === 'saved' ? 'remembered' : 'was remembered before'}</Aspect>
          <span className="min-w-0">
            <Outside text={content} most={600} />
          </span>
          {memory_id !== undefined && <MemoryLink id={memory_id}>Open</MemoryLink>}
        </p>
      )}
      <div className="pl-6">
        <Origin origin={origin} bare />
      </div>
    </li>
  );
}
