import { scaleLinear } from 'd3-scale';
import type { Fact } from '../../../../contracts/graph/graph.ts';
import { Aspect } from '../../ui/Aspect.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { CitationLink } from '../../ui/Passage.tsx';
import { Picture, RecordLink } from '../../ui/Text.tsx';

type Held = Fact & { holds: boolean };

const day = (at: string | null, or: string): string => at?.slice(0, 10) ?? or;

/** The first day on which anything of this began or was recorded; without facts: five years ago. */
export function firstDay(facts: readonly Fact[]): string {
  const days = facts.flatMap(({ valid_from, recorded_from }) => [valid_from, recorded_from]).filter((at) => at !== null);
  return days.length > 0 ? days.toSorted()[0]!.slice(0, 10) : new Date(Date.now() - 5 * 365 * 86_400_000).toISOString().slice(0, 10);
}

/** Facts with the time they held as bars, and the passages behind them. */
export function FactList({ facts }: { facts: readonly Held[] }) {
  const from = firstDay(facts);
  const scale = scaleLinear([Date.parse(from), Date.now()], [0, 100]).clamp(true);
  return (
    <Picture
      title="Facts over time"
      description={`When each fact was valid, ${from} to today`}
      table={{
        head: ['Fact', 'From', 'To', 'Recorded', 'Passages', 'Holds'],
        rows: facts.map((fact) => [
          fact.fact,
          day(fact.valid_from, 'unknown'),
          day(fact.valid_to, fact.recorded_to === null ? 'still' : 'unknown'),
          day(fact.recorded_from, ''),
          fact.evidence.length,
          fact.holds ? 'yes' : 'no',
        ]),
      }}
    >
      <ul aria-label="Facts" className="divide-y divide-line">
        {facts.map((fact) => {
          const [start, end] = [
            scale(Date.parse(fact.valid_from ?? from)),
            scale(fact.valid_to === null ? Date.now() : Date.parse(fact.valid_to)),
          ];
          return (
            <li key={fact.fact_id} className="grid gap-x-4 gap-y-1 py-2 sm:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
              <div className="min-w-0">
                <p>
                  <Outside text={fact.fact} />
                </p>
                <p className="flex flex-wrap gap-x-3 text-soft">
                  <RecordLink type="entity" id={fact.subject.entity_id}>
                    <Outside text={fact.subject.name} most={60} />
                  </RecordLink>
                  {fact.object && (
                    <RecordLink type="entity" id={fact.object.entity_id}>
                      <Outside text={fact.object.name} most={60} />
                    </RecordLink>
                  )}
                  {fact.evidence.map(({ ref, excerpt }, i) => (
                    <CitationLink key={ref} citation={ref} quote={excerpt}>
                      passage {i + 1}
                    </CitationLink>
                  ))}
                </p>
              </div>
              <div className="min-w-0 self-center">
                <svg viewBox="0 0 100 6" preserveAspectRatio="none" className="block h-2 w-full" aria-hidden="true">
                  <rect width="100" height="6" className="fill-sunk" />
                  <rect x={start} width={Math.max(0.8, end - start)} height="6" className={fact.holds ? 'fill-route' : 'fill-soft'} />
                </svg>
                <p className="flex flex-wrap justify-between gap-x-3 text-xs text-soft">
                  <span>
                    {day(fact.valid_from, 'start unknown')} – {day(fact.valid_to, fact.recorded_to === null ? 'still' : 'end unknown')}
                  </span>
                  <Aspect is={fact.holds ? 'clear' : 'out'}>{fact.holds ? 'holds' : 'ended'}</Aspect>
                </p>
              </div>
            </li>
          );
        })}
      </ul>
    </Picture>
  );
}
