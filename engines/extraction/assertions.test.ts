import { describe, expect, it } from 'vitest';
import { extract } from './index.ts';
import type { ExtractionInput } from './types.ts';

const extracted = (text: string, more: Partial<ExtractionInput> = {}) =>
  extract({
    passages: [{ title: null, text }],
    documentTitle: '',
    saidAt: '2024-06-12T10:00:00Z',
    sourceType: 'meeting',
    known: new Map(),
    ...more,
  });
const said = (text: string, more: Partial<ExtractionInput> = {}): string[] => {
  const { mentions, assertions } = extracted(text, more);
  return assertions.map((each) => {
    const object = each.object === null ? `"${each.value}"` : mentions[each.object]!.surface;
    return `${mentions[each.subject]!.surface} ${each.predicate}${each.exclusive ? '!' : ''} ${object}`;
  });
};
const times = (text: string): (string | null)[][] => extracted(text).assertions.map(({ validFrom, validTo }) => [validFrom, validTo]);

describe('what is said', () => {
  it.each([
    ['Acme Corp uses Jira, Slack and Confluence.', ['Acme Corp uses Jira', 'Acme Corp uses Slack', 'Acme Corp uses Confluence']],
    ['Globex switched to HubSpot.', ['Globex uses HubSpot']],
    ['Jane Doe works at Initech.', ['Jane Doe works_at! Initech']],
    ['Jane Doe, CTO of Globex, agreed.', ['Jane Doe has_role! "CTO"', 'Jane Doe works_at! Globex']],
    ['Sarah Chen is the VP of Engineering at Globex.', ['Sarah Chen has_role! "VP of Engineering"', 'Sarah Chen works_at! Globex']],
    ['Alice Wong joined Contoso as CTO.', ['Alice Wong works_at! Contoso', 'Alice Wong has_role! "CTO"']],
    ['ABC-123 is assigned to Maria Lopez.', ['ABC-123 assigned_to! Maria Lopez']],
    ['Maria Lopez is working on ABC-123.', ['ABC-123 assigned_to! Maria Lopez']],
    ['ABC-123 is blocked by ABC-99.', ['ABC-99 blocks ABC-123']],
    ['ABC-123 affects Globex.', ['ABC-123 affects Globex']],
    ['ABC-123 is in progress.', ['ABC-123 has_status! "in_progress"']],
    ['ABC-9 was fixed in version 4.2.', ['ABC-9 fixed_in version 4.2']],
    ['Bug #456 was reported by Contoso.', ['Contoso reported Bug #456']],
    ['The Billing API depends on Stripe.', ['Billing API depends_on Stripe']],
    ['Viva is owned by VIVA Media.', ['Viva owned_by! VIVA Media']],
    ['Globex acquired Initech.', ['Globex acquired Initech']],
    ['Initech was acquired by Globex.', ['Globex acquired Initech']],
    ['Initech was founded by Bill Lumbergh.', ['Bill Lumbergh founded Initech']],
    ['Beer Wars is a 2009 film written by Anat Baron.', ['Beer Wars created_by Anat Baron']],
    ['Stone Brewing is a brewery headquartered in Escondido.', ['Stone Brewing located_in Escondido']],
    ['Ann Lee (born 5 May 1970) sings.', ['Ann Lee born_on! "1970-05-05"']],
    ['Salesforce costs $49 per user per month.', ['Salesforce costs! "$49 per user per month"']],
    ['Postgres is now on version 16.2.', ['Postgres has_version! "16.2"']],
    ['Northwind renewed.', ['Northwind has_status! "renewed"']],
  ])('%s', (text, expected) => {
    expect(said(text)).toEqual(expected);
  });

  it('of a customer, in its own words', () => {
    const ticket = { sourceType: 'support_ticket', customer: 'Acme Corp' };
    expect(said('We use Salesforce every day. Please add the dark mode feature.', ticket)).toEqual([
      'Acme Corp uses Salesforce',
      'Acme Corp requested dark mode',
    ]);
    expect(said('Globex reported that the export crashes on startup.', ticket)).toContain('Globex reported export crashes on startup');
  });
});

describe('what is not said', () => {
  it.each([
    'Acme no longer uses Jira.',
    'Acme does not use Jira.',
    'Does Acme use Jira?',
    'If Acme uses Jira, we win.',
    'Acme would use Jira.',
    'Maybe Acme uses Jira.',
    'Nobody said that Acme uses Jira.',
    'Globex plans that Initech is owned by Globex.',
    'Sam thinks Globex acquired Initech.',
    'Jane Doe worked at Initech.',
    'Acme, Jira.',
    'Acme uses paper. Jira is elsewhere.',
  ])('%s', (text) => {
    expect(said(text)).toEqual([]);
  });
});

describe('when it holds', () => {
  it.each([
    ['Acme uses Jira since March 2024.', '2024-03-01T00:00:00.000Z', null],
    ['Jane Doe works at Initech until Friday.', null, '2024-06-14T23:59:59.999Z'],
    ['Jane Doe worked at Initech from 2010 to 2014.', '2010-01-01T00:00:00.000Z', '2014-12-31T23:59:59.999Z'],
    ['Globex acquired Initech yesterday.', '2024-06-11T00:00:00.000Z', null],
    ['Globex acquired Initech on 5 May 2021.', '2021-05-05T00:00:00.000Z', null],
    ['Globex acquired Initech in 2019.', '2019-01-01T00:00:00.000Z', null],
    ['Globex acquired Initech in Q3 2023.', '2023-07-01T00:00:00.000Z', null],
    // The past one, although December lies ahead.
    ['Acme uses Jira since December.', '2023-12-01T00:00:00.000Z', null],
    ['Acme uses Jira since Monday.', '2024-06-10T00:00:00.000Z', null],
    ['Acme uses Jira.', null, null],
  ])('%s', (text, from, to) => {
    expect(times(text)[0]).toEqual([from, to]);
  });
});
