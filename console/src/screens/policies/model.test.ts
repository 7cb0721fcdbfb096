import { expect, it } from 'vitest';
import { draftOf, hitsOf, matrixOf, moved, same, sentenceOf, textOf } from './model.ts';

const rule = { when: 'tool.external', effect: 'ask', reason: 'Outside.' } as const;

it('writes a policy as text, in which versions are compared', () => {
  const text = textOf({ base: 'careful', rules: [rule] });
  expect(text).toBe('level: careful\nfour eyes: no\n\nrule 1: ask\n  when   tool.external\n  reason Outside.\n');
  expect(same({ base: 'open', rules: [] }, { base: 'open', rules: [], four_eyes: false })).toBe(true);
  expect(same({ base: 'open', rules: [rule] }, { base: 'open', rules: [{ ...rule, effect: 'deny' }] })).toBe(false);
});

it('moves rules, and stops at the ends', () => {
  expect(moved([1, 2, 3], 0, 1)).toEqual([2, 1, 3]);
  expect(moved([1, 2, 3], 0, -1)).toEqual([1, 2, 3]);
});

it('takes a draft only for what it is', () => {
  expect(draftOf('{"base":"open","rules":[],"four_eyes":true}')).toEqual({ base: 'open', rules: [], four_eyes: true });
  for (const text of ['', '{', '{"base":"lax","rules":[]}', '{"base":"open"}', 'null']) expect(draftOf(text)).toBeNull();
});

it('says in a sentence what would have become of the calls', () => {
  expect(
    sentenceOf({
      calls: 4210,
      days: 7,
      changed: [
        { before: 'allow', after: 'ask', calls: 31 },
        { before: 'ask', after: 'deny', calls: 1 },
        { before: 'allow', after: 'deny', calls: 1 },
      ],
    }),
  ).toBe('4,210 calls of the last 7 days: 2 would have been refused, 31 would have needed approval.');
  expect(sentenceOf({ calls: 1, days: 1, changed: [] })).toBe('1 call of the last day: none would get another verdict.');
  expect(sentenceOf({ calls: 0, days: 7, changed: [] })).toContain('No call');
});

it('counts the hits of its own rules', () => {
  const rules = [
    { rule: 'rule 2 of ours', before: 3, after: 0 },
    { rule: 'rule 1 of theirs', before: 5, after: 0 },
    { rule: 'level open', before: 9, after: 9 },
  ];
  expect([...hitsOf('ours', rules)]).toEqual([[2, 3]]);
});

it('makes a matrix of domains and effects', () => {
  const one = (tool: string, effect: string, verdict: 'allow' | 'ask' | 'deny') => {
    const before = { effect: verdict, rule: '', reason: '' };
    return { tool, title: '', effect, before, after: before };
  };
  const [index, work] = matrixOf([
    one('work.task.get', 'read', 'allow'),
    one('work.task.fail', 'write', 'deny'),
    one('index.x.y', 'read', 'ask'),
  ]);
  expect([index!.domain, work!.domain]).toEqual(['index', 'work']);
  expect(work!.cells).toMatchObject({ read: { allow: 1, deny: 0 }, write: { deny: 1 }, destructive: { allow: 0 } });
});
