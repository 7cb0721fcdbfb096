import type { Session, SessionMessage } from '../../../../contracts/agents/delegations.ts';
import { useAct } from '../../api/act.ts';
import { usePages, useRead } from '../../api/call.ts';
import { useSession } from '../../api/session.ts';
import { ActButton, Outcome, useMay } from '../../ui/Act.tsx';
import { Aspect } from '../../ui/Aspect.tsx';
import { TextArea, useTyped } from '../../ui/Field.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { Facts } from '../../ui/Page.tsx';
import { Empty, Panel } from '../../ui/Panel.tsx';
import { More } from '../../ui/Table.tsx';
import { Id, Json } from '../../ui/Text.tsx';
import { Age } from '../../ui/Time.tsx';
import { toast } from '../../ui/toasts.tsx';
import { worded } from '../../ui/words.ts';

interface Message {
  message_id: string;
  from: string;
  message: string;
  delivered_at: string;
  acknowledged_at: string | null;
}

/** Its inbox, and its conversations with other agents. */
export function Talk({ id, open, onOpen }: { id: string; open: string; onOpen: (session: string) => void }) {
  return (
    <div className="grid items-start gap-4 xl:grid-cols-2">
      <Inbox id={id} />
      <div className="grid min-w-0 gap-4">
        <Sessions id={id} open={open} onOpen={onOpen} />
        {open && <Conversation key={open} id={open} />}
      </div>
    </div>
  );
}

const messages = ({ messages: all }: { messages: Message[]; unread: number }) => all;

function Inbox({ id }: { id: string }) {
  // Only people read the inbox of another.
  const { data: facts } = useSession();
  const may = facts?.kind === 'human' || facts?.principal === id;
  const inbox = usePages('agent.message.list', { agent_id: id, include_read: true, limit: 50 }, messages, may);
  const sending = useMay()('agent.message.send') !== 'deny';
  const [text, setText] = useTyped(`message to ${id}`);
  const send = useAct('agent.message.send', () => {
    setText('');
    toast(`Sent to ${id}`);
  });
  if (!may) return <p className="card p-4">Only people may read the inbox of another agent.</p>;
  return (
    <Panel title="Inbox" query={inbox} aside={inbox.data && <span className="text-soft">{inbox.data.first.unread} unread</span>}>
      {({ rows }) => (
        <>
          {rows.length === 0 ? (
            <Empty>No messages yet.</Empty>
          ) : (
            <ul className="divide-y divide-line">
              {rows.map((one) => (
                <li key={one.message_id} className="px-4 py-2">
                  <p className="flex flex-wrap justify-between gap-x-3 text-soft">
                    <span className="min-w-0">
                      <Outside text={one.from} most={80} /> <Age at={one.delivered_at} />
                    </span>
                    <Aspect is={one.acknowledged_at ? 'clear' : 'caution'}>{one.acknowledged_at ? 'read' : 'unread'}</Aspect>
                  </p>
                  <p className="whitespace-pre-wrap">
                    <Outside text={one.message} most={4_000} />
                  </p>
                </li>
              ))}
            </ul>
          )}
          {rows.length > 0 && <More query={inbox} shown={rows.length} />}
          {sending && (
            <div className="grid gap-2 border-t border-line p-4">
              <TextArea label={`Message to ${id}`} rows={3} value={text} onChange={setText} />
              <div>
                <ActButton
                  tool="agent.message.send"
                  act={send}
                  args={() => ({ agent_id: id, message: text.trim().slice(0, 32_768) })}
                  disabled={text.trim() === ''}
                >
                  Send
                </ActButton>
              </div>
              <Outcome act={send} />
            </div>
          )}
        </>
      )}
    </Panel>
  );
}

const sessions = ({ sessions: all }: { sessions: Session[] }) => all;

function Sessions({ id, open, onOpen }: { id: string; open: string; onOpen: (session: string) => void }) {
  const found = usePages('agent.session.list', { agent: id }, sessions);
  return (
    <Panel title="Sessions" query={found}>
      {({ rows }) =>
        rows.length === 0 ? (
          <Empty>No sessions. An agent opens one with agent.session.open.</Empty>
        ) : (
          <>
            <ul className="divide-y divide-line">
              {rows.map((one) => (
                <li key={one.session_id} className="grid gap-1 px-4 py-2">
                  <p className="flex flex-wrap items-center justify-between gap-x-3">
                    <button
                      type="button"
                      className="hit min-w-0 text-left text-route underline"
                      aria-expanded={open === one.session_id}
                      onClick={() => onOpen(open === one.session_id ? '' : one.session_id)}
                    >
                      <Outside text={one.participants.join(', ')} most={120} />
                    </button>
                    <Aspect is={one.status === 'open' ? 'clear' : 'out'}>{one.status}</Aspect>
                  </p>
                  <p className="text-xs text-soft">
                    Last message <Age at={one.last_active_at} />
                    {one.closed_reason && (
                      <>
                        , <Outside text={one.closed_reason} most={120} />
                      </>
                    )}
                  </p>
                </li>
              ))}
            </ul>
            <More query={found} shown={rows.length} />
          </>
        )
      }
    </Panel>
  );
}

function Conversation({ id }: { id: string }) {
  const session = useRead<Session & { messages: SessionMessage[]; next_after: number | null }>('agent.session.get', {
    session_id: id,
    limit: 500,
  });
  const close = useAct('agent.session.close');
  return (
    <Panel title="Conversation" query={session}>
      {(found) => (
        <>
          <Facts
            rows={[
              ['Expires', <Age key="e" at={found.expires_at} />],
              found.task_references.length > 0 && ['About', <Outside key="t" text={found.task_references.join(', ')} />],
              ['Id', <Id key="i">{found.session_id}</Id>],
            ]}
          />
          {found.messages.length === 0 ? (
            <Empty>No messages yet.</Empty>
          ) : (
            <ol className="divide-y divide-line border-t border-line">
              {found.messages.map((one) => (
                <li key={one.seq} className="px-4 py-2">
                  <p className="text-soft">
                    <Outside text={one.sender} most={80} />, {worded(one.type)} <Age at={one.created_at} />
                  </p>
                  <Json value={one.body} label={`message ${one.seq}`} />
                </li>
              ))}
            </ol>
          )}
          {found.next_after !== null && <p className="px-4 text-soft">The first 500 messages are shown.</p>}
          <div className="p-4">
            <ActButton tool="agent.session.close" act={close} args={() => ({ session_id: id })}>
              Close the session
            </ActButton>
          </div>
          <Outcome act={close} />
        </>
      )}
    </Panel>
  );
}
