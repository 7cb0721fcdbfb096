import type { ReviewCase } from '../../../../contracts/graph/graph.ts';
import { Picture } from '../../ui/Text.tsx';
import { percent, signed, waterfall } from './model.ts';

/** The matcher's probability as a waterfall: from how often such pairs are the same, feature by feature, to the whole. */
export function Weights({ match }: { match: NonNullable<ReviewCase['match']> }) {
  const { bars, from, to } = waterfall(match);
  const width = to - from || 1;
  const x = (bits: number): number => ((bits - from) / width) * 100;
  return (
    <Picture
      title="Match weights"
      description={`Total ${signed(match.weight)} bits, ${percent(match.probability)} the same${match.compared ? '' : '; from the names of today'}`}
      table={{
        head: ['Feature', 'Level', 'Weight', 'Sum'],
        rows: bars.map(({ name, label, weight, to: sum }) => [name, label, signed(weight), signed(sum)]),
      }}
    >
      <ul aria-label="Match weights" className="grid gap-1">
        {bars.map(({ name, label, weight, from: a, to: b }) => (
          <li key={name} className="grid items-center gap-x-3 sm:grid-cols-[10rem_minmax(0,1fr)_3rem]">
            <span className="min-w-0">
              {name} <span className="block text-xs text-soft">{label}</span>
            </span>
            <svg viewBox="0 0 100 10" preserveAspectRatio="none" className="block h-4 w-full" aria-hidden="true">
              <line x1={x(0)} x2={x(0)} y1="0" y2="10" className="stroke-edge" strokeWidth="1" vectorEffect="non-scaling-stroke" />
              <rect
                x={Math.min(x(a), x(b))}
                width={Math.max(0.6, Math.abs(x(b) - x(a)))}
                y="1"
                height="8"
                className={name === 'in all' ? 'fill-ink' : weight >= 0 ? 'fill-proceed' : 'fill-stop'}
              />
            </svg>
            <span data-weight={name} className="font-mono text-xs">
              {signed(weight)}
            </span>
          </li>
        ))}
      </ul>
    </Picture>
  );
}
