import { describe, expect, it } from 'vitest';
import type { TracedDraft, TracedStatement } from '../../../../contracts/authoring/authoring.ts';
import {
  fieldsOf,
  fileName,
  movedTo,
  newSchedule,
  piecesOf,
  scheduleArgs,
  scheduleFault,
  sourcesOf,
  statementsOf,
  whenOf,
} from './model.ts';

const statement = (ordinal: number, sources: number[] = [1]): TracedStatement => ({ ordinal, text: `s${ordinal}`, sources, figures: [] });
const source = (number: number) => ({
  number,
  ref: `r${number}`,
  kind: 'signal',
  excerpt: 'e',
  occurred_at: '',
  weight: 1,
  title: null,
  citation: `d#${number}`,
  start: 0,
  end: 1,
  author: null,
  customers: [],
});
const draft: TracedDraft = {
  draft_id: 'd',
  blocks: [
    { heading: 'a', to_fill: null, statements: [statement(0), statement(1, [2, 1])] },
    { heading: 'gap', to_fill: 'what?', statements: [] },
    { heading: 'b', to_fill: null, statements: [statement(2)] },
  ],
  sources: [source(1), source(2)],
  dropped: [],
};

it('statements and sources stand in the order of the text', () => {
  expect(statementsOf(draft).map(({ ordinal }) => ordinal)).toEqual([0, 1, 2]);
  expect(sourcesOf(draft, statement(1, [2, 1])).map(({ number }) => number)).toEqual([2, 1]);
});

it('arrows move through the statements', () => {
  const all = statementsOf(draft);
  expect(movedTo(all, 0, 'ArrowDown')).toBe(1);
  expect(movedTo(all, 2, 'ArrowDown')).toBe(2);
  expect(movedTo(all, 0, 'ArrowUp')).toBe(0);
  expect(movedTo(all, 0, 'End')).toBe(2);
  expect(movedTo(all, 0, 'x')).toBeNull();
});

it('figures are told from the words, each once', () => {
  const how = { of: 'signals' as const, how: '' };
  const text = '12 customers stand behind 312 statements, 12 of them grave, in 12.5 hours.';
  expect(
    piecesOf({
      ...statement(0),
      text,
      figures: [
        { n: 12, ...how },
        { n: 312, ...how },
      ],
    }),
  ).toEqual([
    { text: '12', figure: 0 },
    { text: ' customers stand behind ', figure: null },
    { text: '312', figure: 1 },
    { text: ' statements, 12 of them grave, in 12.5 hours.', figure: null },
  ]);
  expect(piecesOf(statement(3))).toEqual([{ text: 's3', figure: null }]);
});

it('names files and times', () => {
  expect(fileName('Digest: Über alles / 1')).toBe('digest-über-alles-1.md');
  expect(fileName('///')).toBe('draft.md');
  expect(whenOf({ timing: { every: 'week', weekday: 'monday', at: '09:00' }, timezone: 'UTC' })).toBe('every monday at 09:00, UTC');
  expect(whenOf({ timing: { cron: '0 8 * * 1-5' }, timezone: 'UTC' })).toBe('cron 0 8 * * 1-5, UTC');
});

describe('a schedule in its form', () => {
  const report = { report_type: 'weekly_digest', format: 'detailed', audience: 'design', time_window_days: 30 } as const;

  it('is sent as it was read, with the timing that it has', () => {
    for (const timing of [
      { every: 'week', at: '07:30', weekday: 'friday' },
      { every: 'day', at: '07:30' },
      { cron: '0 8 * * 1-5' },
    ] as const)
      expect(
        scheduleArgs(fieldsOf({ name: 'Friday', report: { ...report, filter_area: 'Billing' }, timing, timezone: 'Europe/Berlin' })),
      ).toEqual({
        name: 'Friday',
        ...report,
        filter_area: 'Billing',
        ...timing,
        timezone: 'Europe/Berlin',
      });
  });

  it('says what is missing', () => {
    const whole = { ...newSchedule, name: 'x' };
    expect([
      scheduleFault(newSchedule),
      scheduleFault({ ...whole, time_window_days: 'many' }),
      scheduleFault({ ...whole, every: 'cron' }),
      scheduleFault(whole),
    ]).toEqual(['A name is missing.', '“Days back” must be a number of days.', 'The time is missing.', null]);
  });
});
