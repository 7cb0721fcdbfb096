import { describe, expect, it } from 'vitest';
import { terms } from '../../engines/retrieval/terms.ts';
import { kindsIn } from './search-kinds.ts';

describe('kinds that a query asks for', () => {
  it('finds the kind, and no subject when there is none', () => {
    expect(kindsIn('who threatens to leave?')).toEqual({ classes: ['churn_risk'], subject: [] });
    expect(kindsIn('which customers are unhappy')).toEqual({ classes: ['bug', 'complaint'], subject: [] });
  });

  it('keeps the subject', () => {
    expect(kindsIn('login problems')).toEqual({ classes: ['bug', 'complaint'], subject: terms('login') });
    expect(kindsIn('wishes about the export')).toEqual({ classes: ['request'], subject: terms('export') });
  });

  it('leaves a plain query alone', () => {
    expect(kindsIn('slow export of invoices')).toEqual({ classes: [], subject: terms('slow export of invoices') });
  });
});
