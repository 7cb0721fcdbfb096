import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../../contracts/work/runs.ts';
import { readSigns, repeating, timesOf, type Signs } from './run-stuck.ts';

let seq = 0;
const event = (kind: RunEvent['kind'], text: string, data?: RunEvent['data']): RunEvent => ({
  seq: (seq += 1),
  at: '2026-05-01T10:00:00Z',
  kind,
  text,
  ...(data ? { data } : {}),
});
const step = (command: string, result: string, code = 1): RunEvent[] => [
  event('tool', command),
  event('tool_result', result, { exit_code: code }),
];
const at = '2026-05-01T10:00:00.000Z';
/** As they come in one call, or each in its own: the signs are the same. */
const after = (...batches: RunEvent[][]): Signs => {
  const whole = readSigns(null, batches.flat(), at);
  expect(batches.flat().reduce<Signs | null>((signs, one) => readSigns(signs, [one], at), null)).toEqual(whole);
  return whole;
};
const times = (...batches: RunEvent[][]): number => timesOf(after(...batches));

describe('equal steps in a row', () => {
  it('are counted by command and result, whatever is said between them', () => {
    const failing = () => step('shell npm test', '1 failed');
    expect(times(failing())).toBe(1);
    expect(times(failing(), failing(), [event('text', 'Once more.'), event('usage', '')], failing())).toBe(3);
    expect(times(failing(), failing(), step('shell npm test', '2 failed'))).toBe(1);
    expect(times(failing(), failing(), step('shell npm test', '1 failed', 2))).toBe(1);
    expect(times(failing(), failing(), step('shell ls', '1 failed'))).toBe(1);
    expect(times(failing(), failing(), [event('file', 'src/a.ts')], failing())).toBe(1);
  });

  it('are equal although they took another time', () => {
    expect(times(step('npm test', '1 failed in 1.23 s at 10:11:12'), step('npm test', '1 failed in 2 s at 10:12:59.123'))).toBe(2);
    expect(times(step('npm test', '1 failed in 3s'), step('npm test', '2 failed in 3s'))).toBe(1);
  });

  it('end with the beginning of another one, not with the beginning of the same', () => {
    const failing = () => step('npm test', '1 failed');
    expect(times(failing(), failing(), [event('tool', 'npm test')])).toBe(2);
    expect(times(failing(), failing(), [event('tool', 'npm run build')])).toBe(0);
  });

  it('may have several calls at once, whose results come later', () => {
    const both = (second = 'b') => [
      event('tool', 'read a'),
      event('tool', 'read b'),
      event('tool_result', 'a'),
      event('tool_result', second),
    ];
    expect(times(both(), both(), both())).toBe(3);
    expect(times(both(), both(), both('changed'))).toBe(1);
    expect(times(both(), both(), both().slice(0, 1))).toBe(2);
    expect(times(both(), both(), both().slice(0, 3))).toBe(2);
  });

  it('without a result are not known to be equal', () => {
    expect(times([1, 2, 3, 4, 5, 6].map(() => event('tool', 'npm test')))).toBe(0);
  });

  it('are told from as many on as the phase says, with the command, and without secrets', () => {
    const secret = 'curl -H "Authorization: Bearer sk-ant-REDACTED" x';
    const signs = after(step(secret, 'no'), step(secret, 'no'), step(secret, 'no'));
    expect(repeating(signs, 4)).toBeNull();
    expect(repeating(signs, 0)).toBeNull();
    expect(repeating(signs, 3)).toMatchObject({ reason: 'repeating', since: at });
    expect(repeating(signs, 3)!.detail).toMatch(/^3 times: curl/);
    expect(repeating(signs, 3)!.detail).not.toContain('abcdefghijklmnop');
  });
});
