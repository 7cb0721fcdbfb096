import type { RunEvent, WorkRun } from '../../../../contracts/work/runs.ts';
import { Aspect } from '../../ui/Aspect.tsx';
import { Markdown } from '../../ui/Markdown.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { Empty } from '../../ui/Panel.tsx';
import { Json } from '../../ui/Text.tsx';
import { Clock } from '../../ui/Time.tsx';
import { stepsOf, type Step } from './run.ts';

/** What an agent said and did, oldest first, with the results of its calls folded. */
export function Steps({ run, events, more }: { run: WorkRun; events: RunEvent[]; more: (() => void) | undefined }) {
  if (events.length === 0 && more === undefined) {
    return <Empty>{run.state === 'running' ? 'The agent has not said anything yet.' : 'Nothing that the agent said was kept.'}</Empty>;
  }
  return (
    <>
      {more && (
        <button type="button" className="control mb-2" onClick={more}>
          Earlier steps
        </button>
      )}
      <ol aria-label="Steps" className="divide-y divide-line">
        {stepsOf(events).map((step) => (
          <li key={step.event.seq} data-seq={step.event.seq} className="grid gap-x-3 py-1 sm:grid-cols-[auto_minmax(0,1fr)]">
            <span className="text-soft">
              <Clock at={step.event.at} />
            </span>
            <div className="min-w-0">
              <Body {...step} />
            </div>
          </li>
        ))}
      </ol>
      {run.state === 'running' && (
        <p className="mt-2">
          <Aspect is="held">The agent is at work.</Aspect>
        </p>
      )}
    </>
  );
}

function Body({ event, result }: Step) {
  const { kind, text, data } = event;
  const name = typeof data?.['name'] === 'string' ? data['name'] : '';
  switch (kind) {
    case 'text':
      return <Markdown text={text} />;
    case 'tool':
    case 'tool_result':
      return (
        <details>
          <summary className="hit cursor-pointer">
            <span className="min-w-0">
              <strong>{kind === 'tool' ? 'Call' : 'Result'}</strong>{' '}
              {name !== '' && (
                <code className="font-mono text-xs">
                  <Outside text={name} most={80} />
                </code>
              )}{' '}
              <span className="text-soft">
                <Outside text={text} most={120} />
              </span>
            </span>
          </summary>
          <div className="grid gap-2 pb-2">
            <Json value={data === undefined ? text : { ...data, text }} label={kind === 'tool' ? 'call' : 'result'} />
            {result && <Json value={result.text} label="result" />}
          </div>
        </details>
      );
    case 'file': {
      const path = typeof data?.['path'] === 'string' ? data['path'] : text;
      return (
        <p>
          File{' '}
          <code className="font-mono text-xs">
            <Outside text={path} most={300} />
          </code>
          {path !== text && (
            <>
              {' '}
              <Outside text={text} most={300} />
            </>
          )}
        </p>
      );
    }
    case 'notice':
      return (
        <p className="text-caution">
          <Outside text={text} most={8_000} />
        </p>
      );
    case 'usage':
      return (
        <p className="text-soft">
          <Outside text={text} most={300} />
        </p>
      );
    case 'raw':
      return (
        <p className="font-mono text-xs whitespace-pre-wrap text-soft">
          <Outside text={text} most={8_000} />
        </p>
      );
  }
}
