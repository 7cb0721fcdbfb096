import { expect, test } from 'vitest';
import { linksOf } from './links.ts';
import type { Linkable } from './types.ts';

/** A statement of a bakery about its till, unless told otherwise. */
const said = (day: string, text: string, about: Partial<Linkable> = {}): Linkable => ({
  text,
  day,
  customer: 'Bakery Holm',
  features: ['Till Sync'],
  competitors: [],
  class: 'bug',
  tone: 'negative',
  state: 'open',
  vector: null,
  ...about,
});

const linked = (...statements: Linkable[]) => linksOf(statements).map(({ from, to, kind }) => `${from} ${kind} ${to}`);

test('repetitions refer to the first statement of their content', () => {
  expect(
    linked(
      said('2026-01-05', 'The card terminal on counter 4 drops every receipt after noon.'),
      said('2026-01-19', 'Counter 4 again: the terminal drops the receipts after noon.'),
      said('2026-02-02', 'As I said, the terminal on counter four still drops receipts after noon.'),
    ),
  ).toEqual(['1 repeats 0', '2 repeats 0']);
});

test('statements about one feature with other contents stay apart', () => {
  expect(
    linked(
      said('2026-01-05', 'The card terminal on counter 4 drops every receipt after noon.'),
      said('2026-01-19', 'It prints the VAT number in the wrong place.'),
      said('2026-02-02', 'Could the drawer open by itself when a sale is void?', { class: 'request', tone: 'neutral' }),
    ),
  ).toEqual([]);
});

test('neither another customer nor another feature makes a repetition', () => {
  const text = 'The card terminal on counter 4 drops every receipt after noon.';
  expect(
    linked(
      said('2026-01-05', text),
      said('2026-01-06', text, { customer: 'Bakery Lund' }),
      said('2026-01-07', 'The counter drops two flour bags after every receipt.', { features: ['Stock'] }),
    ),
  ).toEqual([]);
});

test('the same words under another feature do, since one of the features is a mistake', () => {
  const text = 'The card terminal on counter 4 drops every receipt after noon.';
  expect(linked(said('2026-01-05', text), said('2026-01-07', text, { features: ['Stock'] }))).toEqual(['1 repeats 0']);
});

test('what was said in a month that is named', () => {
  expect(
    linked(
      said('2026-01-05', 'Could the till charge two prices, one before noon and one after?', { class: 'request', tone: 'neutral' }),
      said('2026-03-05', 'I still have no price for the time after noon, as I asked in January.', { class: 'request' }),
    ),
  ).toEqual(['1 repeats 0']);
});

test('the end of a trouble resolves it, and told once more repeats the end', () => {
  expect(
    linked(
      said('2026-01-05', 'The card terminal on counter 4 drops every receipt after noon.'),
      said('2026-02-02', 'The terminal on counter 4 is fixed, not one receipt lost since.', {
        class: 'praise',
        tone: 'positive',
        state: 'resolved',
      }),
      said('2026-02-20', 'Counter 4: not one receipt lost since the fix of the terminal.', {
        class: 'praise',
        tone: 'positive',
        state: 'resolved',
      }),
    ),
  ).toEqual(['1 resolves 0', '2 repeats 1']);
});

test('a row that is closed does not make its trouble the end of another one', () => {
  expect(
    linked(
      said('2026-01-05', 'The card terminal on counter 4 drops every receipt after noon.'),
      said('2026-01-06', 'Terminal of counter 4 drops the receipts after noon.', { state: 'resolved' }),
    ),
  ).toEqual(['1 repeats 0']);
});

test('a retraction goes to the open threat, not to one that was taken back before', () => {
  expect(
    linked(
      said('2026-01-05', 'We cancel the contract in June.', { class: 'churn_risk', features: [] }),
      said('2026-01-12', 'I take back what I wrote about the contract.', {
        class: 'churn_risk',
        state: 'withdrawn',
        tone: 'neutral',
        features: [],
      }),
      said('2026-03-01', 'If the terminal fails once more we cancel the contract in June.', { class: 'churn_risk' }),
      said('2026-03-20', 'You may forget what I wrote about the contract.', {
        class: 'churn_risk',
        state: 'withdrawn',
        tone: 'neutral',
        features: [],
      }),
    ),
  ).toEqual(expect.arrayContaining(['1 withdraws 0', '3 withdraws 2']));
});

test('a statement without a customer refers to nothing', () => {
  const text = 'The terminal on counter 4 drops every receipt after noon.';
  expect(linked(said('2026-01-05', text, { customer: null }), said('2026-01-06', text, { customer: null }))).toEqual([]);
});

test('what is waved aside is what was said just before, and no threat', () => {
  const aside = { class: 'praise', tone: 'positive', state: 'withdrawn' } as const;
  const threat = said('2026-01-05', 'If it is not in by May I will ask for the money back.', { class: 'churn_risk', features: [] });
  const wrong = said('2026-01-19', 'Only the map is in kilometres.', { class: 'complaint' });
  expect(linked(threat, wrong, said('2026-01-19', 'Found it, never mind.', aside))).toEqual(['2 withdraws 1']);
  expect(linked(threat, said('2026-01-19', 'Found it, never mind.', aside))).toEqual([]);
  const off = { class: 'churn_risk', tone: 'neutral', state: 'withdrawn', features: [] } as const;
  expect(linked(threat, wrong, said('2026-01-20', 'Forget what I wrote about the money.', off))).toEqual(['2 withdraws 0']);
});

test('of several threats the last one is taken back, unless another one is plainly meant', () => {
  const threat = (day: string, text: string) => said(day, text, { class: 'churn_risk', features: [] });
  const refund = threat('2026-01-05', 'If it is not in by the 20th I will ask for a refund of the fee.');
  const other = threat('2026-01-10', 'The other system that we looked at does it out of the box.');
  const off = (text: string) => said('2026-01-20', text, { class: 'churn_risk', tone: 'neutral', state: 'withdrawn', features: [] });
  expect(linked(refund, other, off('We will not ask for a refund of the fee any more.'))).toEqual(['2 withdraws 0']);
  expect(linked(refund, other, off('You can forget what I wrote.'))).toEqual(['2 withdraws 1']);
});
