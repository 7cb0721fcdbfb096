import { describe, expect, it } from 'vitest';
import { localCaller } from '../../contracts/caller.ts';
import { AppError } from '../../contracts/errors.ts';
import { ApprovalLinks } from './approval-links.ts';

const links = (base: string | null) => new ApprovalLinks({ links: { base, approvalHours: 24 } } as never);
const codeOf = (work: () => void): string | null => {
  try {
    work();
    return null;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    expect(error.hint ?? '').not.toBe('');
    return error.code;
  }
};

describe('who may have approvals decided by link', () => {
  it('is a person who may decide, on a server with a public address', () => {
    const url = 'https://box.example.com';
    expect(codeOf(() => links(url).assertMayAllow(localCaller, 'notification', 'email'))).toBeNull();
    expect(codeOf(() => links(url).assertMayAllow(localCaller, 'notification', 'slack'))).toBeNull();
    expect(codeOf(() => links(null).assertMayAllow(localCaller, 'notification', 'email'))).toBe('CONFLICT');
    expect(codeOf(() => links(url).assertMayAllow({ ...localCaller, role: 'readonly' }, 'notification', 'email'))).toBe('FORBIDDEN');
    expect(codeOf(() => links(url).assertMayAllow({ ...localCaller, principalKind: 'agent' }, 'notification', 'email'))).toBe('FORBIDDEN');
    expect(codeOf(() => links(url).assertMayAllow(localCaller, 'notification', 'webhook'))).toBe('VALIDATION_ERROR');
    expect(codeOf(() => links(url).assertMayAllow(localCaller, 'webhook', undefined))).toBe('VALIDATION_ERROR');
  });
});
