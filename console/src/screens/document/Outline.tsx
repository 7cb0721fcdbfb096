import { Link } from '@tanstack/react-router';
import type { OutlineEntry } from '../../../../contracts/knowledge/reading.ts';
import { Outside } from '../../ui/Outside.tsx';
import { entryAt } from './model.ts';

const indents = ['pl-2', 'pl-5', 'pl-8', 'pl-11'];

export function Outline({ outline, at }: { outline: OutlineEntry[]; at: number }) {
  if (outline.length === 0) return <p className="text-soft max-lg:hidden">It has no headings.</p>;
  const here = entryAt(outline, at);
  return (
    <details open={outline.length <= 12 || matchMedia('(min-width: 1024px)').matches} className="min-w-0 lg:sticky lg:top-16">
      <summary className="hit cursor-pointer font-semibold">Outline</summary>
      <nav aria-label="Outline" className="max-h-[calc(100vh-8rem)] overflow-y-auto">
        <ul>
          {outline.map(({ title, level, ordinal }, i) => (
            <li key={i}>
              <Link
                to="."
                hash={String(ordinal)}
                aria-current={i === here ? 'location' : undefined}
                className={`hit w-full rounded ${indents[Math.min(level, indents.length) - 1]} text-left no-underline ${i === here ? 'bg-sunk font-semibold' : ''}`}
              >
                <span className="min-w-0">
                  <Outside text={title} most={100} />
                </span>
              </Link>
            </li>
          ))}
        </ul>
      </nav>
    </details>
  );
}
