import { useState } from 'react';
import { limit } from '../../api/http.ts';
import { useStore } from '../../settings.ts';
import { Aspect } from '../../ui/Aspect.tsx';
import { Facts, Tabs } from '../../ui/Page.tsx';
import { Json, RefLink } from '../../ui/Text.tsx';
import { Clock } from '../../ui/Time.tsx';
import { Tree } from '../../ui/Tree.tsx';
import { curlOf, mcpOf, statusWord, type Made } from './model.ts';

type Shown = 'data' | 'raw' | 'curl' | 'mcp';

/** The answer of a call, in the forms in which other programs see it, and the calls made before on this page. */
export function Answer({ made, at, onShow }: { made: Made[]; at: number; onShow: (at: number) => void }) {
  const [as, setAs] = useState<Shown>('data');
  const rest = useStore(limit);
  const { answer, tool, args, ms } = made[at]!;
  const tabs = [
    ['data', 'Data'],
    ['raw', 'Raw'],
    ['curl', 'curl'],
    ['mcp', 'MCP request'],
  ] as const;
  return (
    <div className="min-w-0 p-4">
      <Tabs<Shown> label="Answer as" tabs={tabs} at={as} onChange={setAs} />
      <div className="grid min-w-0 gap-3">
        <div>
          <Aspect is={answer.status === 'success' ? 'clear' : answer.status === 'error' ? 'stop' : 'caution'}>{statusWord(answer)}</Aspect>
        </div>
        {answer.warnings.map((warning) => (
          <p key={warning} className="border-l-4 border-caution bg-sunk p-3">
            {warning}
          </p>
        ))}
        {as === 'data' && <Tree value={answer.data} />}
        {as === 'raw' && <Json value={answer} label="answer" />}
        {as === 'curl' && <Json value={curlOf(location.origin, tool, args)} label="command" />}
        {as === 'mcp' && <Json value={mcpOf(tool, args)} label="request" />}
        {answer.refs.length > 0 && (
          <ul aria-label="Records" className="flex flex-wrap gap-x-4">
            {answer.refs.map((one) => (
              <li key={`${one.type} ${one.id}`}>
                <RefLink one={one} />
              </li>
            ))}
          </ul>
        )}
      </div>
      <Facts
        rows={[
          ['Duration', `${Math.round(ms)} ms here, ${answer.metadata.query_time_ms} ms at the server`],
          ['Results', answer.metadata.result_count],
          ['Remaining calls', rest && `${rest.remaining} of ${rest.limit} calls a minute with burst, reset in ${rest.resetSeconds} s`],
          ['Call', <code className="font-mono text-xs">{answer.tool_call_id}</code>],
        ]}
      />
      {made.length > 1 && (
        <ol aria-label="Calls on this page" className="border-t border-line pt-3">
          {made.map((one, i) => (
            <li key={one.answer.tool_call_id}>
              <button
                type="button"
                aria-current={i === at ? 'true' : undefined}
                className={`hit gap-3 rounded px-2 ${i === at ? 'font-semibold' : 'text-soft'}`}
                onClick={() => onShow(i)}
              >
                <Clock at={one.at} /> {statusWord(one.answer)}, {Math.round(one.ms)} ms
              </button>
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}
