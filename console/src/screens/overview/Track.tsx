import { Link } from '@tanstack/react-router';
import type { Overview } from '../../../../contracts/overview.ts';
import type { Phase } from '../../../../contracts/work/work.ts';
import { useRead } from '../../api/call.ts';
import { useMay } from '../../ui/Act.tsx';
import { Aspect } from '../../ui/Aspect.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { useBoard } from '../work/useBoard.ts';
import { sections } from './model.ts';
import { linesOf, type Section } from './track.ts';
import { capped } from '../../ui/words.ts';

const everything = { order: 'priority' };

/** Phases without a task stand on the board alone, unless all are like that. */
function withTasks(lines: ReturnType<typeof linesOf>): ReturnType<typeof linesOf> {
  const busy = lines.filter(({ sections: own }) => own.some(({ count }) => count > 0));
  return busy.length > 0 ? busy : lines;
}

/** The board as a track diagram: a line for each phase, agents as trains in the section that they hold. */
export function Track({ counts }: { counts: ReturnType<typeof useRead<Overview>> }) {
  const may = useMay();
  const mayBoard = may('work.board.get') !== 'deny' && may('work.phase.list') !== 'deny';
  const board = useBoard(everything, mayBoard);
  const phases = useRead<{ phases: Phase[] }>('work.phase.list', {}, mayBoard);
  if (!mayBoard) return <Sum counts={counts} />;
  return (
    <Panel title="Tasks" query={board}>
      {(now) => (
        <ol aria-label="Phases" className="divide-y divide-line">
          {withTasks(linesOf(now, phases.data?.phases ?? [])).map((line) => (
            <li key={line.id} className="px-4 pt-2">
              <h3 className="text-soft">
                <Link to="/console/work" search={{ phase: String(line.id) }} className="hit">
                  <span className="whitespace-pre">{line.id} </span>
                  <Outside text={line.name} most={60} />
                </Link>
              </h3>
              <ol aria-label={`Sections of phase ${line.id}`} className="grid grid-cols-6 max-md:grid-cols-3 max-[22rem]:grid-cols-2">
                {line.sections.map((section) => (
                  <OneSection key={section.name} phase={line.id} section={section} />
                ))}
              </ol>
            </li>
          ))}
        </ol>
      )}
    </Panel>
  );
}

function OneSection({ phase, section: { name, count, aspect, word, column, trains } }: { phase: number; section: Section }) {
  return (
    <li className="relative min-w-0 pt-4 pr-2 pb-2" data-section={`${phase} ${name}`} data-count={count}>
      <span
        aria-hidden="true"
        className={`absolute inset-x-0 top-2 border-t-2 ${count > 0 ? 'border-ink' : 'border-dashed border-edge'}`}
      />
      <span aria-hidden="true" className="absolute top-0.5 left-0 h-3.5 border-l-2 border-ink" />
      <Link to="/console/work" search={{ phase: String(phase), column }} className="hit flex-wrap gap-x-2">
        <span className="text-lg font-semibold">{capped(count)}</span>
        {count > 0 ? <Aspect is={aspect}>{word}</Aspect> : <span>{word}</span>}
      </Link>
      {trains.length > 0 && (
        <ul aria-label="Agents" className="grid gap-1">
          {trains.map(({ id, agent, stuck }) => (
            <li key={id} className="min-w-0">
              <Link
                to="/console/work/$id"
                params={{ id }}
                className={`hit max-w-full rounded border px-1.5 font-mono text-xs no-underline ${stuck ? 'border-stop text-stop' : 'border-token text-token'}`}
              >
                <span className="truncate">
                  <Outside text={agent} most={24} />
                  {stuck && ' stuck'}
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

/** Where the key may not read the board: the counts alone. */
const Sum = ({ counts }: { counts: ReturnType<typeof useRead<Overview>> }) => (
  <Panel title="Tasks" query={counts}>
    {(now) => (
      <ol className="grid grid-cols-6 max-md:grid-cols-3 max-[22rem]:grid-cols-2">
        {sections(now).map(({ name, count, aspect, word }) => (
          <li key={name} className="p-4">
            <p className="text-soft">{name}</p>
            <p className="text-xl font-semibold">{capped(count)}</p>
            {count > 0 && <Aspect is={aspect}>{word}</Aspect>}
          </li>
        ))}
      </ol>
    )}
  </Panel>
);
