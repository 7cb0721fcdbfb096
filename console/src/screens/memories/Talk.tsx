import { useState } from 'react';
import type { ExtractedMemory, Extraction } from '../../../../contracts/knowledge/memory.ts';
import { useAct } from '../../api/act.ts';
import { ActButton, Outcome } from '../../ui/Act.tsx';
import { Select, TextArea, TextField, useTyped } from '../../ui/Field.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { Empty, Panel } from '../../ui/Panel.tsx';
import { counted } from '../../ui/words.ts';
import type { Tab } from './List.tsx';
import { Proposal } from './Proposal.tsx';
import { chosenOf, finders, proposalKey, scopes, tagsOf } from './model.ts';
import { speakersOf, talkFault, turnsOf } from './talk.ts';

const tool = 'memory.record.extract';
const readers = { rules: 'by rules', model: 'by the language model', both: 'by the language model and by rules' } as const;

interface Read {
  /** The conversation as it was sent: saving sends the same again. */
  of: object;
  told: Extraction;
  warnings: string[];
  /** What became of those that were saved, by their keys. */
  saved: ReadonlyMap<string, ExtractedMemory>;
}

/** Proposes what of a conversation is worth remembering; what is chosen is saved, with its turn. */
export function Talk({ url, set, type }: Tab) {
  const pasted = url.from !== 'document';
  const [text, setText] = useTyped('memory talk');
  const [scope, setScope] = useState<(typeof scopes)[number][0]>('user');
  const [tags, setTags] = useState('');
  const [read, setRead] = useState<Read | null>(null);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const turns = pasted ? turnsOf(text) : [];
  const fault = pasted ? talkFault(turns) : undefined;
  const empty = pasted ? turns.length === 0 : url.document.trim() === '';
  const save = useAct(tool, ({ data }) => {
    const now = (data as Extraction).memories.map((each) => [proposalKey(each), each] as const);
    setRead((before) => before && { ...before, saved: new Map([...before.saved, ...now]) });
    setChosen(new Set());
  });
  const propose = useAct(tool, ({ data, warnings }, of) => {
    const told = data as Extraction;
    setRead({ of, told, warnings, saved: new Map() });
    setChosen(new Set(told.memories.map(proposalKey)));
    save.reset();
  });
  const open = read?.told.memories.filter((each) => !read.saved.has(proposalKey(each))) ?? [];
  const picked = open.filter((each) => chosen.has(proposalKey(each))).length;
  const toggle = (key: string): void => {
    const next = new Set(chosen);
    if (!next.delete(key)) next.add(key);
    setChosen(next);
  };
  return (
    <div className="grid gap-4">
      <Panel title="Conversation">
        {() => (
          <div className="grid gap-3 p-4">
            <Select
              label="Take it from"
              value={pasted ? 'text' : 'document'}
              onChange={(from) => set({ from })}
              options={[
                ['text', 'a text that I paste'],
                ['document', 'an ingested document'],
              ]}
              className="max-w-80"
            />
            {pasted ? (
              <TextArea
                label="Conversation"
                rows={8}
                value={text}
                onChange={setText}
                error={fault}
                hint={
                  turns.length === 0 ? 'A line that begins with a name opens a turn, as in “Ann: We decided …”' : <Heard turns={turns} />
                }
              />
            ) : (
              <TextField
                label="Id of the document"
                value={url.document}
                onChange={(document) => type({ document })}
                hint="It is in the document’s address and on its source, as doc_…"
              />
            )}
            <div>
              <ActButton
                tool={tool}
                act={propose}
                args={() => (pasted ? { turns } : { document_id: url.document.trim() })}
                disabled={empty || fault !== undefined}
                className="border-route"
              >
                Propose memories
              </ActButton>
            </div>
            <Outcome act={propose} />
          </div>
        )}
      </Panel>
      {read && (
        <Panel title="Proposals">
          {() => (
            <div className="grid gap-3 p-4">
              <p role="status" className="text-soft">
                {counted(read.told.memories.length, 'proposal')} from {counted(read.told.turns, 'turn')}, read {readers[read.told.read_by]}
                {read.told.left > 0 && `; ${read.told.left.toLocaleString('en')} passages or memories were left out`}.
              </p>
              {read.warnings.map((warning) => (
                <p key={warning} className="border-l-4 border-caution bg-sunk p-3">
                  <Outside text={warning} />
                </p>
              ))}
              {read.told.memories.length === 0 && (
                <Empty>
                  Nobody decides, prefers or promises anything in it. Rules read English only; questions, suppositions and turns with orders
                  to a machine are left out.
                </Empty>
              )}
              {read.told.memories.length > 0 && (
                <ul aria-label="Proposals" className="divide-y divide-line">
                  {read.told.memories.map((each) => {
                    const key = proposalKey(each);
                    return <Proposal key={key} of={read.saved.get(key) ?? each} chosen={chosen.has(key)} onToggle={() => toggle(key)} />;
                  })}
                </ul>
              )}
              {open.length > 0 && (
                <div className="flex flex-wrap items-end gap-3">
                  <Select
                    label="Whose"
                    value={scope}
                    onChange={setScope}
                    options={scopes}
                    hint={`Found by ${finders[scope]}`}
                    className="flex-1 basis-60"
                  />
                  <TextField label="Tags" value={tags} onChange={setTags} hint="With commas between them" className="flex-1 basis-40" />
                  <button
                    type="button"
                    className="control"
                    onClick={() => setChosen(picked === open.length ? new Set() : new Set(open.map(proposalKey)))}
                  >
                    {picked === open.length ? 'Choose none' : 'Choose all'}
                  </button>
                  <ActButton
                    tool={tool}
                    act={save}
                    args={() => ({
                      ...read.of,
                      save: true,
                      scope,
                      chosen: chosenOf(open, chosen),
                      ...(tagsOf(tags).length > 0 ? { tags: tagsOf(tags) } : {}),
                    })}
                    disabled={picked === 0}
                    className="border-route"
                  >
                    {`Remember ${picked}`}
                  </ActButton>
                </div>
              )}
              <Outcome act={save}>What was chosen is remembered.</Outcome>
            </div>
          )}
        </Panel>
      )}
    </div>
  );
}

const Heard = ({ turns }: { turns: ReturnType<typeof turnsOf> }) => {
  const speakers = speakersOf(turns);
  return (
    <>
      {counted(turns.length, 'turn')}
      {speakers.length > 0 && (
        <>
          {' '}
          by <Outside text={speakers.slice(0, 8).join(', ')} most={200} />
        </>
      )}
    </>
  );
};
