import { expect, it } from 'vitest';
import { countedHow } from './counted-how.ts';

const spec = { opportunityId: null, entity: null, area: null, customer: null, type: 'weekly_digest' as const };
const period = { from: '2026-10-01T00:00:00.000Z', until: '2026-10-31T23:59:59.999Z' };

it('says what was counted', () => {
  expect(countedHow({ n: 3, of: 'signals' }, spec, new Map(), { ...period, from: null })).toBe('Statements said until 31 Oct 2026');
  expect(
    countedHow(
      { n: 3, of: 'customers', entity: 'e', set: 'problems', severity: 3 },
      { ...spec, area: 'Billing' },
      new Map([['e', 'Export']]),
      period,
    ),
  ).toBe(
    'Different customers with statements (bug reports and complaints that still stand) about Export of severity high or more said from 1 Oct 2026 to 31 Oct 2026 within the area Billing',
  );
  expect(
    countedHow(
      { n: 3, of: 'group', group: 'g', classes: ['bug', 'request'], entity: 'gone', from: '2026-10-10T00:00:00.000Z' },
      { ...spec, opportunityId: 'o', customer: { id: 'c', type: 'customer', name: 'Acme' } },
      new Map(),
      period,
    ),
  ).toBe(
    'Statements that say nearly the same (bug reports or requests) about something that is known no more said from 10 Oct 2026 to 31 Oct 2026 within the evidence of the opportunity, statements of Acme',
  );
});
