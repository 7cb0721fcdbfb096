import { expect, it } from 'vitest';
import { extractJson, linesOfJson } from './episode-json.ts';

const textsOf = (value: unknown) => linesOfJson(value).map((lines) => ({ title: null, text: lines.join('\n') }));
const told = (value: unknown) => {
  const { mentions, assertions } = extractJson(textsOf(value));
  return assertions.map(({ subject, predicate, object, value: said, exclusive }) => [
    mentions[subject]!.surface,
    predicate,
    object === null ? said : `${mentions[object]!.surface} (${mentions[object]!.type})`,
    exclusive,
  ]);
};

it('of named things their keys and values become facts', () => {
  expect(
    told({
      company: {
        name: 'Acme Technologies',
        plan: 'Enterprise',
        accountOwner: 'Anna Petrov',
        address: { city: 'Oslo' },
        regions: ['EMEA', 'APAC'],
      },
      products: [{ id: 'P1', name: 'CloudSync', version: 4.2, beta: false, issues: [{ title: 'Login fails (SSO)', status: 'open' }] }],
    }),
  ).toEqual([
    ['Acme Technologies', 'has_plan', 'Enterprise', true],
    ['Acme Technologies', 'has_account_owner', 'Anna Petrov (stakeholder)', true],
    ['Acme Technologies', 'has_address_city', 'Oslo (place)', true],
    ['Acme Technologies', 'has_regions', 'EMEA (place)', false],
    ['Acme Technologies', 'has_regions', 'APAC (place)', false],
    ['Login fails (SSO)', 'has_status', 'open', true],
    ['CloudSync', 'has_id', 'P1', true],
    ['CloudSync', 'has_version', '4.2', true],
    ['CloudSync', 'has_beta', 'false', true],
    ['CloudSync', 'has_issues', 'Login fails (SSO) (issue)', false],
  ]);
});

it('mentions stand where their names do', () => {
  const texts = textsOf([
    { name: 'Zoë & Sons 🚂', type: 'customer', owner: 'Ana Ruiz' },
    { name: 'Nobody', type: 'person' },
  ]);
  const { mentions, assertions } = extractJson(texts);
  for (const { passage, start, end, surface } of mentions) expect(texts[passage]!.text.slice(start, end)).toBe(surface);
  for (const { passage, start, end, statement } of assertions) expect(texts[passage]!.text.slice(start, end)).toBe(statement);
  expect(mentions.map(({ surface, type, certain }) => [surface, type, certain])).toEqual([
    ['Nobody', 'stakeholder', true],
    ['Zoë & Sons 🚂', 'customer', true],
    ['Ana Ruiz', 'stakeholder', true],
  ]);
});

it('what names nothing states no fact, and is text all the same', () => {
  const nameless = { temperature: 21, nested: { unit: 'C' }, list: [1, 2] };
  expect(linesOfJson(nameless)).toEqual([['temperature: 21', 'nested unit: C', 'list: 1', 'list: 2']]);
  expect(told(nameless)).toEqual([]);
  expect([linesOfJson('x'), linesOfJson(null), linesOfJson([])]).toEqual([[['value: x']], [], []]);
});

it('signs of ours in names and values mislead nobody', () => {
  expect(told({ name: 'A (x) · b → C (d)', note: 'a: b → c (d) · e', 'k: → ·': 'v\nw' })).toEqual([
    ['A (x)- · b - C (d)', 'has_note', 'a: b → c (d) · e', true],
    ['A (x)- · b - C (d)', 'has_k', 'v w', true],
  ]);
});

it('is bounded, however deep or long it is', () => {
  const deep = JSON.parse(`${'{"a":'.repeat(500)}1${'}'.repeat(500)}`) as unknown;
  expect(linesOfJson(deep)).toEqual([]);
  const long = { name: 'Acme', values: Array.from({ length: 10_000 }, (_, i) => i), text: 'x'.repeat(10_000) };
  const lines = linesOfJson(long).flat();
  expect(lines.length).toBeLessThanOrEqual(2_000);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(1_000);
});
