import { describe, expect, it } from 'vitest';
import { checkTiming, checkZone } from './timing.ts';

describe('when a report is made', () => {
  it.each(['0 8 * * *', '59 0-23/2 1,15 jan-mar,12 mon-fri', '5 */6 31 12 7', '0 8 * * SUN'])('takes %s', (cron) => {
    expect(() => checkTiming({ cron })).not.toThrow();
  });

  it.each([
    ['* 8 * * *', /once an hour/],
    ['*/5 8 * * *', /once an hour/],
    ['0,30 8 * * *', /once an hour/],
    ['60 8 * * *', /once an hour/],
    ['0 24 * * *', /no cron/],
    ['0 8 0 * *', /no cron/],
    ['0 8 * 13 *', /no cron/],
    ['0 8 * * 8', /no cron/],
    ['0 8 * * fri-mon', /no cron/],
    ['0 8 * * 1/0', /no cron/],
    ['0 8 * *', /no cron/],
    ['0 8 * * * *', /no cron/],
    ['@hourly', /no cron/],
    ['CRON_TZ=UTC 0 8 * * *', /no cron/],
    ['0 8 1--3 * *', /no cron/],
  ])('refuses %s', (cron, message) => {
    expect(() => checkTiming({ cron })).toThrow(message);
  });

  it('takes a time of day, each day or each week', () => {
    expect(() => checkTiming({ every: 'day', at: '23:59' })).not.toThrow();
    expect(() => checkTiming({ every: 'week', at: '00:00', weekday: 'sunday' })).not.toThrow();
    expect(() => checkTiming({ every: 'day', at: '24:00' })).toThrow(/time of day/);
    expect(() => checkTiming({ every: 'day', at: '08:00', weekday: 'sunday' })).toThrow(/weekday/);
    expect(() => checkTiming({})).toThrow(/cron, or every/);
  });

  it('keeps a zone as Temporal spells it, and takes no offset for one', () => {
    expect(['utc', 'europe/berlin', 'Etc/UTC', 'Europe/Berlin'].map(checkZone)).toEqual(['UTC', 'Europe/Berlin', 'UTC', 'Europe/Berlin']);
    for (const none of ['+01:00', '-05', 'Mars/Olympus', '']) expect(() => checkZone(none)).toThrow(/no such time zone/);
  });
});
