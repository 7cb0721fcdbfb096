import type { ConsoleSessionView } from '../../../../contracts/governance/console-sessions.ts';
import { useAct } from '../../api/act.ts';
import { usePages } from '../../api/call.ts';
import { useSession } from '../../api/session.ts';
import { ActButton, Outcome } from '../../ui/Act.tsx';
import { Filters, FilterText, Select } from '../../ui/Field.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { Page } from '../../ui/Page.tsx';
import { Empty, NoMatch } from '../../ui/Panel.tsx';
import { Table, type Column } from '../../ui/Table.tsx';
import { Age } from '../../ui/Time.tsx';
import { useUrl } from '../../url.ts';

const defaults = { whose: 'mine', person: '' };
const rows = ({ sessions }: { sessions: ConsoleSessionView[] }) => sessions;
const means = { key: 'with a key', code: 'signalbox console', issuer: 'at the issuer' } as const;

/** The signed-in browsers of the user; for admins those of everybody. */
export default function Sessions() {
  const [url, set, type] = useUrl(defaults);
  const { data: facts } = useSession();
  const admin = facts?.role === 'admin' && facts.team === null;
  const all = admin && url.whose === 'all';
  const person = url.person.trim();
  const sessions = usePages('access.session.list', { all, ...(all && person ? { person } : {}) }, rows);
  const end = useAct('access.session.end');
  const others = useAct('access.session.end');
  const theirs = useAct('access.session.end');
  const columns: Column<ConsoleSessionView>[] = [
    {
      title: 'Browser',
      cell: ({ browser, current, principal }) => (
        <>
          {`${browser ?? 'unknown'}${current ? ' (this one)' : ''}`}
          {all && (
            <span className="block text-xs text-soft sm:hidden">
              <Outside text={principal} most={60} />
            </span>
          )}
        </>
      ),
    },
    ...(all ? [{ title: 'Who', cell: ({ principal }: ConsoleSessionView) => <Outside text={principal} most={60} />, wide: true }] : []),
    { title: 'Signed in', cell: (one) => <Age at={one.signed_in_at} />, wide: true },
    { title: 'How', cell: (one) => means[one.means], wide: true },
    { title: 'Last seen', cell: (one) => <Age at={one.last_seen_at} /> },
    { title: 'Ends', cell: (one) => <Age at={one.ends_at} />, wide: true },
    {
      title: 'Action',
      className: 'whitespace-nowrap',
      cell: (one) =>
        one.current ? null : (
          <ActButton
            tool="access.session.end"
            act={end}
            args={() => ({ session_id: one.session_id })}
            label={`${one.browser ?? 'unknown'} of ${one.principal}`}
          >
            Sign out
          </ActButton>
        ),
    },
  ];
  return (
    <Page
      title="Sign-ins"
      actions={
        <ActButton
          tool="access.session.end"
          act={others}
          args={() => ({ others: true })}
          confirm={{
            title: 'Sign out all other browsers?',
            text: 'All browsers that are signed in as you, except this one, are signed out at once.',
          }}
        >
          Sign out all others
        </ActButton>
      }
    >
      <div>
        <Outcome act={others} />
        <Outcome act={end} />
        <Outcome act={theirs} />
        {admin && (
          <Filters>
            <Select
              label="Whose"
              value={url.whose}
              onChange={(whose) => set({ whose })}
              options={[['mine', 'mine'] as const, ['all', "everybody's"] as const]}
            />
            {all && <FilterText label="Name" placeholder="exact name" value={url.person} onChange={(name) => type({ person: name })} />}
            {all && person && (
              <ActButton
                tool="access.session.end"
                act={theirs}
                args={() => ({ person })}
                label={person}
                confirm={{
                  title: `Sign ${person} out everywhere?`,
                  text: 'All browsers that are signed in under this name are signed out at once. A person who still has a key or an account at the issuer can sign in again: revoke the key, or remove the account there.',
                }}
              >
                Sign out all of them
              </ActButton>
            )}
          </Filters>
        )}
        <div className="card">
          <Table
            label="sign-ins"
            query={sessions}
            columns={columns}
            keyOf={({ session_id }) => session_id}
            empty={all && person ? <NoMatch onClear={() => set(defaults)} /> : <Empty>No browser is signed in.</Empty>}
          />
        </div>
      </div>
    </Page>
  );
}
