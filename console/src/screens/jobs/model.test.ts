import { describe, expect, it } from 'vitest';
import { progressOf, Rates, rateText, wordsOf } from './model.ts';

const job = (done: number, second: number, more: object = {}) => ({
  job_id: 'job_1',
  status: 'running' as const,
  progress: { stage: 'embed', done, total: 100 },
  updated_at: new Date(Date.UTC(2026, 10, 24, 12, 0, second)).toISOString(),
  ...more,
});

describe('progress', () => {
  it('is shown as far as it makes sense', () => {
    const words = (progress: Record<string, unknown>) => wordsOf(progressOf({ progress, status: 'running' }));
    expect(words({ stage: 'embed', done: 1200, total: 5000 })).toBe('embed 1,200 of 5,000');
    expect(words({ stage: 'collect', done: 7 })).toBe('collect 7');
    expect(words({})).toBe('running');
    expect(words({ stage: 'x', done: -1, total: 0 })).toBe('x');
    expect(words({ stage: 'x', done: 3, total: 0 })).toBe('x 3');
    // A total that the work has outgrown.
    expect(progressOf({ progress: { stage: 'x', done: 12, total: 10 }, status: 'running' }).total).toBe(12);
  });
});

describe('the rate', () => {
  it('is that of the stage since it was seen first, and says what is left', () => {
    const rates = new Rates();
    expect(rates.note(job(10, 0))).toBeNull();
    expect(rates.note(job(30, 10))).toEqual({ perSecond: 2, restMs: 35_000 });
    expect(rates.note(job(50, 20))).toEqual({ perSecond: 2, restMs: 25_000 });
  });

  it('begins anew with a stage, a smaller count and another job, and is unknown after the end', () => {
    const rates = new Rates();
    rates.note(job(10, 0));
    expect(rates.note(job(5, 10))).toBeNull();
    expect(rates.note(job(10, 15))).toEqual({ perSecond: 1, restMs: 90_000 });
    expect(rates.note(job(20, 20, { progress: { stage: 'graph', done: 20, total: 40 } }))).toBeNull();
    expect(rates.note(job(90, 30, { job_id: 'job_2' }))).toBeNull();
    expect(rates.note(job(30, 30, { status: 'completed' }))).toBeNull();
    expect(rates.note(job(40, 40))).toBeNull();
  });

  it('is unknown where nothing is counted, nothing moves or too little time has gone', () => {
    const rates = new Rates();
    expect(rates.note(job(0, 0, { progress: { stage: 'parse' } }))).toBeNull();
    rates.note(job(10, 0));
    expect(rates.note(job(10, 30))).toBeNull();
    expect(rates.note({ ...job(11, 0), updated_at: '2026-11-24T12:00:00.500Z' })).toBeNull();
    expect(rates.note(job(20, 10, { progress: { stage: 'embed', done: 20 } }))?.restMs).toBeNull();
  });

  it('is told in a unit that gives a number to read', () => {
    expect(rateText({ perSecond: 312.4, restMs: 0 })).toBe('312/s');
    expect(rateText({ perSecond: 3.25, restMs: 0 })).toBe('3.3/s');
    expect(rateText({ perSecond: 0.5, restMs: 0 })).toBe('30/min');
    expect(rateText({ perSecond: 0.001, restMs: 0 })).toBe('3.6/h');
  });
});
