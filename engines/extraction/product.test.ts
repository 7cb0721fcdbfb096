import { describe, expect, it } from 'vitest';
import { extract } from './index.ts';
import type { ExtractionInput, Mention } from './types.ts';

const mentionsOf = (text: string, more: Partial<ExtractionInput> = {}): Mention[] =>
  extract({
    passages: [{ title: null, text }],
    documentTitle: '',
    saidAt: '2024-06-12T10:00:00Z',
    sourceType: 'support_ticket',
    known: new Map(),
    ...more,
  }).mentions;
const found = (text: string, more: Partial<ExtractionInput> = {}): string[] =>
  mentionsOf(text, more).map(({ type, surface, certain }) => `${type}${certain ? '!' : ''}:${surface}`);

describe('features', () => {
  it('by what they are called', () => {
    expect(found('The dark mode feature is great.')).toEqual(['feature!:dark mode']);
    expect(found('Click the "Export all" button on the Reports page.')).toEqual(['feature!:Export all', 'feature!:Reports page']);
    expect(found('Push notifications and the home timeline are fine.')).toEqual(['feature:Push notifications', 'feature:home timeline']);
  });

  it('by what people do with it', () => {
    expect(found('I sync my notes across all devices and upload photos.')).toEqual([
      'feature:sync my notes across all devices',
      'feature:upload photos',
    ]);
  });

  it('only where a product is talked about', () => {
    expect(found('The army used the river to transport supplies, and soldiers shared food.', { sourceType: 'document' })).toEqual([]);
    expect(found('The king read the report and posted guards at the gallery.', { sourceType: 'document' })).toEqual([]);
  });
});

describe('issues', () => {
  it('by ticket ids, where there is work', () => {
    expect(found('ABC-123 duplicates bug #456 and ticket 4711, fixed by #19.')).toEqual([
      'issue!:ABC-123',
      'issue!:bug #456',
      'issue!:ticket 4711',
      'issue!:#19',
    ]);
    expect(found('Saved as UTF-8, hashed by SHA-256 after COVID-19 on 2024-01-02.').filter((each) => each.startsWith('issue'))).toEqual([]);
    expect(found('The B-52 and the AK-47 flew on I-95.', { sourceType: 'document' }).filter((each) => each.startsWith('issue'))).toEqual(
      [],
    );
  });

  it('by what is wrong with what', () => {
    expect(found('The app crashes on startup.')).toContain('issue!:app crashes on startup');
    expect(found("Since Monday the CSV export doesn't work.")).toContain("issue!:CSV export doesn't work");
    expect(found('We see login errors and sync keeps failing.')).toEqual(
      expect.arrayContaining(['issue:login errors', 'issue!:sync keeps failing']),
    );
    expect(found('It never crashes, and there are no login problems.').filter((each) => each.startsWith('issue'))).toEqual([]);
  });

  it('by titles of tickets', () => {
    expect(found('Steps: open it.', { documentTitle: '[Bug] Export stops at row 100' })).toContain('issue!:Export stops at row 100');
  });
});

describe('themes, versions, works', () => {
  it('takes a theme where something is asked or complained about, or that returns', () => {
    expect(found('Pricing is too complicated for us.')).toContain('theme:Pricing');
    expect(found('The pricing page was opened.')).not.toContain('theme:pricing');
    expect(found('They spoke of onboarding. After lunch, onboarding again.').filter((each) => each === 'theme:onboarding')).toHaveLength(2);
  });

  it('takes versions', () => {
    expect(found('It began with version 4.2 and v5.0.1-beta, section 3.1 says.')).toEqual(['version!:version 4.2', 'version!:v5.0.1-beta']);
  });

  it('takes titles in quotation marks, and not what was said', () => {
    expect(found('He wrote the novel "The Silent River". "I am not amused," he said.', { sourceType: 'document' })).toEqual([
      'work!:The Silent River',
    ]);
  });
});

describe('customers and stakeholders', () => {
  it('by what stands beside the name', () => {
    expect(found('Our customer Northwind Traders called.', { sourceType: 'email' })).toEqual(['customer!:Northwind Traders']);
    expect(found('Seats: 12\nCustomer: Fabrikam\nOwner: none', { sourceType: 'crm' })).toEqual(['customer!:Fabrikam']);
    expect(found('agent: Hello there\ncustomer: Thanks again', { sourceType: 'chat' })).toEqual([]);
    expect(found('Umbrella Partners is one of our clients.', { sourceType: 'email' })).toEqual(['customer!:Umbrella Partners']);
    expect(found('Globex renewed last week.', { sourceType: 'email' })).toEqual(['customer:Globex']);
    expect(found('Hi, this is the team at Initech.', { sourceType: 'customer_call' })).toEqual(['customer:Initech']);
  });

  it('by roles, where people work together', () => {
    expect(found('We met Sarah Chen, VP of Engineering at Globex.', { sourceType: 'meeting' })).toEqual([
      'stakeholder!:Sarah Chen',
      'thing:Globex',
    ]);
    expect(found('The CEO Sarah Chen resigned.', { sourceType: 'document' })).toEqual(['person:Sarah Chen']);
  });
});
