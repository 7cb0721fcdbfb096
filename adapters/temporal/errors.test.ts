import { ServiceError } from '@temporalio/client';
import { describe, expect, it } from 'vitest';
import { asAppError, isGone, isUnanswered } from './errors.ts';

const bare = (code: number, message: string): Error => Object.assign(new Error(message), { code, details: message, metadata: {} });
const wrapped = (code: number): Error => new ServiceError('failed', { cause: bare(code, 'inner') });

describe('what a failed call to Temporal means', () => {
  it("is the same whether the client wraps gRPC's error or not", () => {
    expect([isGone(bare(5, 'not found')), isGone(wrapped(5)), isGone(bare(4, 'late'))]).toEqual([true, true, false]);
    expect([isUnanswered(bare(4, 'late')), isUnanswered(wrapped(4)), isUnanswered(new Error('late'))]).toEqual([true, true, false]);
  });

  it('is an outage while a process cannot take its next step, and nothing else of ours', () => {
    const failing = bare(9, 'Unable to perform workflow execution update due to Workflow Task in failed state.');
    expect(asAppError(failing)).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryable: true, details: { reason: 'process_failing' } });
    expect(asAppError(wrapped(14))).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    const defect = new TypeError('x is not a function');
    expect(asAppError(defect)).toBe(defect);
    expect(asAppError(Object.assign(new Error('a file is missing'), { code: 'ENOENT' }))).toMatchObject({ code: 'ENOENT' });
  });
});
