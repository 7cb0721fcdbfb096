import { Link, useParams } from '@tanstack/react-router';
import { useMemo, useRef, useState } from 'react';
import { useAct } from '../../api/act.ts';
import { useRead } from '../../api/call.ts';
import { problemsOf } from '../../form/check.ts';
import { Form } from '../../form/Form.tsx';
import type { Schema } from '../../../../contracts/json-schema.ts';
import { argsOf, fieldsOf, textOf, type Problem } from '../../form/schema.ts';
import { ActButton, Outcome } from '../../ui/Act.tsx';
import { Aspect } from '../../ui/Aspect.tsx';
import { Code } from '../../ui/LazyCode.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { Facts, Page, Tabs } from '../../ui/Page.tsx';
import { Failure, Panel, Skeleton } from '../../ui/Panel.tsx';
import { useUrl } from '../../url.ts';
import { Answer } from './Answer.tsx';
import { approvalWords, effectWords, type Described, type Made } from './model.ts';
import { counted } from '../../ui/words.ts';

const defaults = { as: 'form' };
const kept = 20;

interface Verdict {
  effect: 'allow' | 'ask' | 'deny';
  rule: string;
  reason: string;
  policy: { name: string; version: string };
}

/** One tool: what it does, what the key gets for it, and a call of it. */
export default function ToolScreen() {
  const { name = '' } = useParams({ strict: false });
  const tool = useRead<Described>('system.tool.describe', { name });
  return (
    <Page
      title={tool.data?.title ?? name}
      above={
        <>
          <Link to="/console/tools" className="hit">
            Tools
          </Link>{' '}
          / <code className="font-mono text-xs">{tool.data?.name ?? name}</code>
        </>
      }
    >
      {tool.data ? (
        // Arguments and answers belong to one tool.
        <Loaded key={tool.data.name} tool={tool.data} />
      ) : tool.isError ? (
        <Failure error={tool.error} retry={() => void tool.refetch()} />
      ) : (
        <Skeleton />
      )}
    </Page>
  );
}

function Loaded({ tool }: { tool: Described }) {
  const verdict = useRead<Verdict>('system.policy.explain', { tool: tool.name });
  const [made, setMade] = useState<Made[]>([]);
  const [at, setAt] = useState(0);
  return (
    <div className="grid items-start gap-4 xl:grid-cols-2">
      <div className="grid min-w-0 gap-4">
        <Panel title="What it does">
          {() => (
            <>
              <p className="px-4 pt-4">
                <Outside text={tool.description} most={2_000} />
              </p>
              <Facts
                rows={[
                  ['Effect', effectsOf(tool)],
                  ['Approval', `${tool.approval}: ${approvalWords(tool.approval)}`],
                  ['Scopes', tool.scopes.join(', ') || 'none'],
                  ['Latency', tool.latency],
                  ['Size in a list', `about ${counted(tool.tokens, 'token')}`],
                  [
                    'Other names',
                    tool.aliases.length > 0 && <Names names={tool.aliases as unknown as { name: string; system: string }[]} />,
                  ],
                  ['Version', tool.version],
                ]}
              />
            </>
          )}
        </Panel>
        <Try
          tool={tool}
          verdict={verdict.data}
          onMade={(one) => {
            setMade((all) => [one, ...all].slice(0, kept));
            setAt(0);
          }}
        />
      </div>
      <Panel title="Answers" className="xl:sticky xl:top-16 xl:max-h-[calc(100vh-5rem)] xl:overflow-y-auto">
        {() =>
          made.length === 0 ? (
            <p className="p-4 text-soft">
              The answer of a call appears here: its data, what was sent, and the same call for curl and for MCP.
            </p>
          ) : (
            <Answer made={made} at={Math.min(at, made.length - 1)} onShow={setAt} />
          )
        }
      </Panel>
    </div>
  );
}

const effectsOf = ({ effect, idempotent, external }: Described): string =>
  [effectWords[effect] ?? effect, idempotent ? 'idempotent' : '', external ? 'reaches outside' : ''].filter(Boolean).join(' · ');

const Names = ({ names }: { names: { name: string; system: string }[] }) => (
  <ul>
    {names.map(({ name, system }) => (
      <li key={name}>
        <code className="font-mono text-xs">{name}</code> <span className="text-soft">{system}</span>
      </li>
    ))}
  </ul>
);

function Try({ tool, verdict, onMade }: { tool: Described; verdict: Verdict | undefined; onMade: (made: Made) => void }) {
  const [url, set] = useUrl(defaults);
  const schema = tool.input_schema as Schema;
  const fields = useMemo(() => fieldsOf(schema), [schema]);
  const [args, setArgs] = useState<Record<string, unknown>>({});
  // JSON that cannot be read yet; the form has the last arguments that could.
  const [text, setText] = useState<string | null>(null);
  const [touched, setTouched] = useState(false);
  const [named, setNamed] = useState(false);
  const began = useRef({ at: 0, args });
  const act = useAct(tool.name, (answer) => {
    onMade({ at: Date.now(), tool: tool.name, args: began.current.args, answer, ms: performance.now() - began.current.at });
  });
  const fault = text === null ? null : argsOf(text);
  const problems = problemsOf(schema, args);
  const shownProblems = touched ? problems : problems.filter((one) => one.text !== 'It is required.');
  const change = (next: Record<string, unknown>): void => {
    setText(null);
    setArgs(next);
  };
  const typeJson = (next: string): void => {
    const read = argsOf(next);
    setText(next);
    if ('args' in read) setArgs(read.args);
  };
  const ready = problems.length === 0 && !(fault && 'fault' in fault);
  return (
    <Panel
      title="Try it"
      aside={
        tool.example && (
          <button type="button" className="control" onClick={() => change(tool.example!)}>
            Fill in the example
          </button>
        )
      }
    >
      {() => (
        <div className="grid gap-4 p-4">
          <Tabs
            label="Arguments as"
            tabs={
              [
                ['form', 'Form'],
                ['json', 'JSON'],
              ] as const
            }
            at={url.as === 'json' ? 'json' : 'form'}
            onChange={(as) => set({ as })}
          />
          {url.as === 'json' ? (
            <Code label="Arguments as JSON" language="json" value={text ?? textOf(args)} onChange={typeJson} />
          ) : fields.length === 0 ? (
            <p className="text-soft">It takes no arguments.</p>
          ) : (
            <Form fields={fields} args={args} onChange={change} problems={shownProblems} />
          )}
          {fault && 'fault' in fault && <p className="text-stop">{fault.fault}</p>}
          {verdict && (
            <Aspect is={verdict.effect === 'allow' ? 'clear' : verdict.effect === 'ask' ? 'caution' : 'stop'}>
              {verdict.effect === 'allow' ? 'It runs at once' : verdict.effect === 'ask' ? 'It waits for a person' : 'It is refused'}:{' '}
              {verdict.rule}. <Outside text={verdict.reason} />
            </Aspect>
          )}
          <div className="flex flex-wrap items-center gap-3">
            <ActButton
              tool={tool.name}
              act={act}
              disabled={!ready}
              className="border-route"
              args={() => {
                setNamed(true);
                began.current = { at: performance.now(), args };
                return args;
              }}
              {...(tool.effect === 'destructive' && !named
                ? {
                    confirm: {
                      title: `${tool.title}?`,
                      text: 'This tool is destructive. You confirm once by typing its name.',
                      type: tool.name,
                    },
                  }
                : {})}
            >
              Call it
            </ActButton>
            {!ready && <Wrong problems={problems} onShow={() => setTouched(true)} />}
          </div>
          <Outcome act={act} />
        </div>
      )}
    </Panel>
  );
}

/** Why nothing can be sent yet. */
const Wrong = ({ problems, onShow }: { problems: readonly Problem[]; onShow: () => void }) =>
  problems.length === 0 ? null : (
    <p className="min-w-0 flex-1 basis-48 text-soft">
      Not yet:{' '}
      {problems
        .slice(0, 4)
        .map(({ path, text }) => `${path.join('.')}: ${text}`)
        .join(' ')}{' '}
      {problems.length > 4 && `and ${problems.length - 4} more. `}
      <button type="button" className="hit rounded px-2 text-route underline" onClick={onShow}>
        Mark the fields
      </button>
    </p>
  );
