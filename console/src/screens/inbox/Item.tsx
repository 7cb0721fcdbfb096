import type { InboxItem, InboxKind } from '../../../../contracts/inbox.ts';
import { useRead } from '../../api/call.ts';
import { Panel } from '../../ui/Panel.tsx';
import { CallItem } from './CallItem.tsx';
import { Definition, Review, Work } from './Elsewhere.tsx';
import { Letter } from './Letter.tsx';
import { Notice, Undelivered } from './Messages.tsx';
import { kindNames } from './model.ts';
import { Output } from './Output.tsx';

const bodies = {
  review: Review,
  run: Work,
  output: Output,
  dead_letter: Letter,
  definition: Definition,
  undelivered: Undelivered,
  notice: Notice,
};

/** One item, whole. */
export function Item({ kind, id }: { kind: InboxKind; id: string }) {
  return kind === 'call' || kind === 'ambiguous' ? <CallItem id={id} /> : <Other kind={kind} id={id} />;
}

function Other({ kind, id }: { kind: keyof typeof bodies; id: string }) {
  const query = useRead<{ item: InboxItem }>('system.inbox.get', { kind, id });
  const Body = bodies[kind];
  return (
    <Panel title={kindNames[kind]} query={query}>
      {({ item }) => <Body item={item} />}
    </Panel>
  );
}
