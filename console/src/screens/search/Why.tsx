import type { Trajectory } from '../../../../contracts/knowledge/trajectory.ts';
import { Outside } from '../../ui/Outside.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { CitationLink } from '../../ui/Passage.tsx';
import { Json } from '../../ui/Text.tsx';

/** How the answer came about, as it was noted when it was made. */
export const Why = ({ trajectory: { plan, steps, sources } }: { trajectory: Trajectory }) => (
  <Panel title="Why this order" className="mb-3">
    {() => (
      <div className="grid gap-4 p-4">
        <div>
          <h3>Plan</h3>
          <ol className="list-decimal pl-5">
            {plan.map((step, i) => (
              <li key={i}>
                <Outside text={step} />
              </li>
            ))}
          </ol>
        </div>
        <div>
          <h3>Steps</h3>
          <ol className="grid list-decimal gap-1 pl-5">
            {steps.map(({ thought, data }, i) => (
              <li key={i}>
                <Outside text={thought} most={600} />
                {data && (
                  <details>
                    <summary className="hit cursor-pointer text-route">Details</summary>
                    <Json value={data} label={`figures of step ${i + 1}`} />
                  </details>
                )}
              </li>
            ))}
          </ol>
        </div>
        <div className="overflow-x-auto" tabIndex={0} role="region" aria-label="Sources with the scores of each retriever">
          <table className="w-full border-collapse text-left">
            <thead>
              <tr className="border-b border-edge text-soft">
                {['', 'Source', 'Total', 'Words', 'rank', 'Meaning', 'rank', 'Graph', 'Rerank'].map((name, i) => (
                  <th key={i} scope="col" className="px-2 py-1 font-normal">
                    {name || <span className="sr-only">Place</span>}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {sources.map(({ id, title, score, scores }, i) => (
                <tr key={id} className="border-b border-line">
                  <td className="px-2 py-1">{i + 1}</td>
                  <td className="px-2 py-1">
                    <CitationLink citation={id}>
                      <Outside text={title ?? id} most={80} />
                    </CitationLink>
                  </td>
                  {[
                    score,
                    scores?.['bm25'],
                    scores?.['bm25_rank'],
                    scores?.['cosine'],
                    scores?.['cosine_rank'],
                    scores?.['graph'],
                    scores?.['rerank'],
                  ].map((value, j) => (
                    <td key={j} className="px-2 py-1">
                      {value ?? '–'}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </div>
    )}
  </Panel>
);
