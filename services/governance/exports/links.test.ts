import { describe, expect, it } from 'vitest';
import { secretBox } from '../../../adapters/secrets/box.ts';
import { readToken, writeToken } from './links.ts';

const secrets = secretBox('a key', '');
const until = Math.floor(Date.now() / 1_000) + 60;
const leave = { tenant: 'acme', id: 'exp_1', until };
const token = writeToken(secrets, leave);
const codeOf = (id: string, given: string, box = secrets): string => {
  try {
    readToken(box, id, given);
    return 'in';
  } catch (error) {
    return (error as { code: string }).code;
  }
};

describe('a link', () => {
  it('lets in to its file, as its tenant', () => {
    expect(readToken(secrets, 'exp_1', token)).toEqual(leave);
  });

  it.each([
    ['another file', 'exp_2', token],
    ['another tenant', 'exp_1', token.replace('acme', 'globex')],
    ['a later end', 'exp_1', token.replace(String(until), String(until + 1))],
    ['no token', 'exp_1', ''],
    ['a cut one', 'exp_1', token.slice(0, -1)],
    ['another signature', 'exp_1', `${token.slice(0, -4)}AAAA`],
  ])('does not let in to or with %s', (_, id, given) => {
    expect(codeOf(id, given)).toBe('UNAUTHORIZED');
  });

  it('of another installation does not let in, and ends', () => {
    expect(codeOf('exp_1', token, secretBox('another key', ''))).toBe('UNAUTHORIZED');
    expect(codeOf('exp_1', writeToken(secrets, { ...leave, until: until - 61 }))).toBe('GONE');
  });
});
