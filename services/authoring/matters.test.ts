import { describe, expect, it } from 'vitest';
import { citedFixture as said } from './cited.fixture.ts';
import { contradictionsIn, mattersOf, type Matter } from './matters.ts';
import { isPraise } from './polarity.ts';
import type { Cited } from './types.ts';

const asOf = '2026-10-31T23:59:59.999Z';
const matters = (all: readonly Cited[], day = asOf): Matter[] =>
  mattersOf(
    Object.fromEntries(all.map((each) => [each.ref, each])),
    all.map(({ ref }) => ref),
    day,
  );

describe('the state of a matter', () => {
  const trouble = said({ ref: 'trouble', statement: 'The side door stays open after the alarm.' });
  const solved = said({
    ref: 'solved',
    day: '2026-09-17',
    statement: 'The side door closes again since Monday.',
    class: 'praise',
    tone: 'positive',
    state: 'resolved',
    earlierId: 'trouble',
    earlier: 'resolves',
  });

  it('is solved by what refers to it, and open again when it is told after that', () => {
    expect(matters([trouble, solved])).toMatchObject([{ kind: 'problem', state: 'resolved', settledAt: solved.at }]);
    const again = said({ ref: 'again', day: '2026-10-01', statement: 'It is open once more.', earlierId: 'trouble', earlier: 'repeats' });
    expect(matters([trouble, solved, again])).toMatchObject([{ state: 'open', settledBy: null }]);
  });

  it('is told as perhaps solved when a later good word without a link has the same words', () => {
    const unlinked = { ...solved, earlierId: null, earlier: null };
    const open = matters([trouble, unlinked]).find(({ kind }) => kind === 'problem')!;
    expect(open).toMatchObject({ state: 'open', perhapsSolved: { ref: 'solved' } });
    const other = said({ ref: 'other', customers: ['Globex'], statement: 'The side door stays open.' });
    expect(matters([other, unlinked]).find(({ kind }) => kind === 'problem')!.perhapsSolved).toBeNull();
  });

  it('of a closed ticket is open until the day of the export that shows it as closed', () => {
    const ticket = said({ ref: 'ticket', state: 'resolved', documentAt: '2026-10-20T00:00:00.000Z' });
    expect(matters([ticket], '2026-08-31T23:59:59.999Z')).toMatchObject([{ state: 'open' }]);
    expect(matters([ticket])).toMatchObject([{ state: 'resolved', settledAt: '2026-10-20T00:00:00.000Z' }]);
  });

  it('is told as perhaps solved in the same words also where nobody names a feature, but not by praise', () => {
    const bare = { ...trouble, features: [] };
    const end = { ...solved, features: [], earlierId: null, earlier: null };
    const perhaps = (all: readonly Cited[]) => matters(all).find(({ kind }) => kind === 'problem')!.perhapsSolved;
    expect(perhaps([bare, end])).toMatchObject({ ref: 'solved' });
    expect(perhaps([bare, { ...end, statement: 'It is quiet in here since Monday.' }])).toBeNull();
    expect(perhaps([bare, { ...end, statement: 'The side door is a fine door.', state: 'open' }])).toBeNull();
    expect(perhaps([bare, { ...end, features: ['Another'] }])).toBeNull();
  });

  it('of a threat that names another vendor does not end with a withdrawal of another threat', () => {
    const about: Partial<Cited> = { class: 'churn_risk', severity: 3, features: [] };
    const refund = said({ ref: 'refund', ...about, statement: 'If it is not in by May I will ask for a refund.' });
    const rival = said({
      ref: 'rival',
      ...about,
      day: '2026-09-20',
      competitors: ['Contoso'],
      statement: 'Contoso does it out of the box.',
    });
    const off = said({ ref: 'off', ...about, day: '2026-09-24', tone: 'neutral', state: 'withdrawn', statement: 'No refund any more.' });
    const stateOf = (all: readonly Cited[], ref: string) => matters(all).find(({ id }) => id === ref)!.state;
    const meant = { ...off, earlierId: 'refund', earlier: 'withdraws' } as const;
    expect(stateOf([refund, rival, meant], 'refund')).toBe('withdrawn');
    expect(stateOf([refund, rival, meant], 'rival')).toBe('open');
    expect(stateOf([refund, rival, off], 'rival')).toBe('withdrawn');
  });

  it('of a threat ends with the withdrawal, of all threats that it does not contradict', () => {
    const threat = said({ ref: 'threat', class: 'churn_risk', severity: 4, competitors: ['Contoso'], statement: 'We may go to Contoso.' });
    const back = said({
      ref: 'back',
      day: '2026-09-24',
      class: 'information',
      tone: 'neutral',
      state: 'withdrawn',
      features: [],
      competitors: ['Contoso'],
      statement: 'Forget what I wrote about Contoso.',
    });
    expect(matters([threat, back]).find(({ id }) => id === 'threat')).toMatchObject({ state: 'withdrawn', settledBy: { ref: 'back' } });
    const elsewhere = { ...back, competitors: ['Initech'] };
    expect(matters([threat, elsewhere]).find(({ id }) => id === 'threat')).toMatchObject({ state: 'open' });
  });

  it('of what is only thought of is no threat that stands', () => {
    expect(matters([said({ ref: 'if', class: 'churn_risk', state: 'hypothetical' })])).toMatchObject([
      { kind: 'leaving', state: 'hypothetical' },
    ]);
  });
});

describe('one matter', () => {
  it('is what one customer says in one breath, and near-duplicates', () => {
    const one = said({ ref: 'a', passage: 'doc#0', start: 0 });
    const two = said({ ref: 'b', passage: 'doc#0', start: 60, statement: 'It did so four times since June.' });
    expect(matters([one, two])).toHaveLength(1);
    const far = said({ ref: 'c', passage: 'doc#0', start: 5_000, statement: 'The keypad loses its letters.' });
    expect(matters([one, two, far])).toHaveLength(2);
    const [x, y] = ['x', 'y'].map((ref) => said({ ref, passage: `${ref}#0`, group: 'same' }));
    expect(matters([x!, y!])).toHaveLength(1);
  });
});

it('customers contradict each other about one feature in the same words', () => {
  const bad = said({ ref: 'bad', statement: 'Two people got the same room at the same hour, twice.', severity: 3, features: ['Rooms'] });
  const good = said({
    ref: 'good',
    customers: ['Globex'],
    features: ['Rooms'],
    class: 'praise',
    tone: 'positive',
    statement: 'Never had two people in the same room, not at any hour.',
  });
  expect(contradictionsIn(matters([bad, good]))).toMatchObject([{ feature: 'Rooms', bad: { ref: 'bad' }, good: { ref: 'good' } }]);
  expect(contradictionsIn(matters([bad, { ...good, customers: ['Acme'] }]))).toEqual([]);
});

it('a good word about another product is no praise of ours', () => {
  const theirs = said({ class: 'information', tone: 'positive', competitors: ['Contoso'], statement: 'Contoso has lovely video calls.' });
  expect([isPraise(theirs), isPraise({ ...theirs, competitors: [] })]).toEqual([false, true]);
});
