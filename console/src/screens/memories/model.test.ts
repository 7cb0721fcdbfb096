import { describe, expect, it } from 'vitest';
import type { ExtractedMemory, MemoryVersion } from '../../../../contracts/knowledge/memory.ts';
import {
  categoriesOf,
  changeOf,
  chosenOf,
  defaults,
  differences,
  documentOf,
  faultsOf,
  filterOf,
  formerOf,
  formOf,
  proposalKey,
  saveArgs,
  tagsOf,
} from './model.ts';

const memory = (more: Partial<MemoryVersion> = {}): MemoryVersion => ({
  memory_id: 'm1',
  content: 'We deploy on Tuesdays.',
  category: 'decision',
  tags: ['deploy', 'ops'],
  metadata: {},
  created_by: 'ann',
  created_at: '2027-03-01T10:00:00.000Z',
  scope: 'team',
  expires_at: '2027-06-30T23:59:59.999Z',
  valid_from: '2027-03-01T10:00:00.000Z',
  valid_to: null,
  superseded_by: null,
  origin: null,
  ...more,
});

describe('filters', () => {
  it('are sent only where something is chosen', () => {
    expect(filterOf(defaults)).toEqual({});
    expect(filterOf({ ...defaults, scope: 'user', category: 'fact', tags: ' a, b,,a ', as_of: '2027-03-01' })).toEqual({
      scope: 'user',
      category: 'fact',
      tags: ['a', 'b'],
      as_of: '2027-03-01',
    });
  });

  it('offer the categories that are there, and the chosen one', () => {
    const offered = categoriesOf([memory({ category: 'recipe' }), memory()], 'lesson');
    expect(offered.slice(0, 2)).toEqual(['', 'decision']);
    expect(offered.slice(-2)).toEqual(['recipe', 'lesson']);
    expect(new Set(offered).size).toBe(offered.length);
  });
});

describe('a form', () => {
  const base = memory();
  const form = formOf(base);

  it('changes what was changed in it, and nothing else', () => {
    expect(changeOf(base, form)).toEqual({});
    expect(changeOf(base, { ...form, content: ' We deploy on Mondays. ' })).toEqual({ content: 'We deploy on Mondays.' });
    expect(changeOf(base, { ...form, tags: 'deploy,ops' })).toEqual({});
    expect(changeOf(base, { ...form, tags: '' })).toEqual({ tags: [] });
    expect(changeOf(base, { ...form, until: '' })).toEqual({ expires_at: null });
    expect(changeOf(base, { ...form, category: 'convention', until: '2027-12-31' })).toEqual({
      category: 'convention',
      expires_at: '2027-12-31',
    });
  });

  it('does not split a tag that has a comma, as long as nobody touches the tags', () => {
    const odd = memory({ tags: ['a, b'] });
    expect(changeOf(odd, { ...formOf(odd), content: 'x' })).toEqual({ content: 'x' });
  });

  it('says what the server would refuse', () => {
    expect(faultsOf(form, '2027-03-01')).toEqual({});
    expect(faultsOf({ ...form, until: '2027-03-01' }, '2027-03-01')).toEqual({});
    const wrong = {
      content: ' ',
      category: 'x'.repeat(65),
      tags: Array.from({ length: 33 }, (_, i) => `t${i}`).join(),
      until: '2027-02-28',
    };
    expect(Object.keys(faultsOf(wrong, '2027-03-01')).toSorted()).toEqual(['category', 'content', 'tags', 'until']);
    expect(faultsOf({ ...form, content: 'x'.repeat(20_001) }, '2027-03-01').content).toContain('20,001');
  });

  it('saves for whom it is said', () => {
    expect(saveArgs({ content: ' a ', category: 'fact', tags: '', until: '' }, 'user')).toEqual({
      content: 'a',
      category: 'fact',
      scope: 'user',
    });
    expect(saveArgs({ content: 'a', category: 'fact', tags: 'x', until: '2027-12-31' }, 'team')).toMatchObject({
      tags: ['x'],
      expires_at: '2027-12-31',
    });
    expect(tagsOf('')).toEqual([]);
  });
});

describe('versions', () => {
  it('differ in category, tags, expiry and metadata', () => {
    expect(differences(memory(), memory())).toEqual([]);
    expect(differences(memory(), memory({ category: 'fact', tags: ['ops', 'new'], expires_at: null, metadata: { a: 1 } }))).toEqual([
      'category: decision, then fact',
      'tags added: new',
      'tags removed: deploy',
      'until 2027-06-30, then for ever',
      'other metadata',
    ]);
  });

  it('are told with what took their place, and whether they were merged', () => {
    const [now, second, first, other] = [
      memory({ memory_id: 'm3' }),
      memory({ memory_id: 'm2', superseded_by: 'm3' }),
      memory({ memory_id: 'm1', superseded_by: 'm2' }),
      memory({ memory_id: 'm9', superseded_by: 'm3' }),
    ];
    expect(formerOf(now, [second, first, other], [{ merged: ['m9'] }])).toEqual([
      { version: second, by: now, merged: false },
      { version: first, by: second, merged: false },
      { version: other, by: now, merged: true },
    ]);
  });
});

it('proposals that are chosen go back as they were told', () => {
  const proposal = (turn: number, quote: string): ExtractedMemory => ({
    content: `Ann: ${quote}`,
    category: 'fact',
    status: 'proposed',
    origin: { conversation: 'turns_1', turn, speaker: 'Ann', quote },
  });
  const all = [proposal(0, 'I live in Graz.'), proposal(2, 'I live in Graz.')];
  expect(chosenOf(all, new Set([proposalKey(all[1]!)]))).toEqual([{ turn: 2, quote: 'I live in Graz.', category: 'fact' }]);
});

it('only a document has a screen', () => {
  const origin = { turn: 0, speaker: null, quote: 'x' };
  expect(documentOf({ ...origin, conversation: 'turns_0a1b' })).toBeNull();
  expect(documentOf({ ...origin, conversation: 'doc_1' })).toBe('doc_1');
});
