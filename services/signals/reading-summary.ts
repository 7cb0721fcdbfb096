import type { Refusal } from '../../engines/evidence/model-types.ts';
import type { Omission, Reading } from '../../engines/evidence/types.ts';
import type { ModelReading, PersonCorrection, ReadingCorrections } from '../graph/index.ts';

/** How a document was understood, as stored in `document_readings`. Texts are untrusted data. */
export interface ReadingSummary {
  said_at: string;
  /** What told the date. */
  said_by: string;
  passages: number;
  participants: { name: string; organisation: string | null; side: string; customer: string | null }[];
  /** Statements by customer, feature and class. */
  customers: Record<string, number>;
  features: Record<string, number>;
  classes: Record<string, number>;
  statements: number;
  /** Statements without a customer. */
  unassigned: number;
  /** What was left out, by reason, and the first of each. */
  left: { why: Omission; count: number; examples: { passage: number; start: number; end: number; text: string }[] }[];
  /** Said by people. */
  corrected: { customer?: string; date?: string; people?: PersonCorrection[] };
  /** What a language model found; absent: rules alone read it. */
  model?: {
    /** Prompt and model. */
    by: string;
    /** Pieces of text that it was to read, and those that it answered for. */
    units: number;
    answered: number;
    /** Statements that it found; rules found the others. */
    statements: number;
    /** Parts of its answers that were not used, by reason. */
    dropped: Partial<Record<Refusal, number>>;
    /** Why it did not answer for all, if it was away. */
    without: string | null;
  };
}

const mostParticipants = 100;
const mostNames = 100;
const mostExamples = 20;

export function summaryOf(
  read: Reading,
  { customer, date, people }: ReadingCorrections,
  passages: number,
  model: ModelReading | null,
): ReadingSummary {
  const { statements, left } = read;
  return {
    said_at: read.saidAt,
    said_by: read.saidBy,
    passages,
    participants: read.participants.slice(0, mostParticipants).map(({ name, organisation, side, customer: of }) => ({
      name: told(name),
      organisation: organisation && told(organisation),
      side,
      customer: of,
    })),
    customers: counted(statements.flatMap(({ unit }) => unit.customer ?? [])),
    features: counted(statements.flatMap(({ features }) => features)),
    classes: counted(statements.map((each) => each.class)),
    statements: statements.length,
    unassigned: statements.filter(({ unit }) => unit.customer === null).length,
    left: [...Map.groupBy(left, ({ why }) => why)]
      .map(([why, own]) => ({
        why,
        count: own.length,
        examples: own.slice(0, mostExamples).map(({ passage, start, end, text }) => ({ passage, start, end, text: told(text) })),
      }))
      .toSorted((a, b) => b.count - a.count || (a.why < b.why ? -1 : 1)),
    corrected: {
      ...(customer === null ? {} : { customer }),
      ...(date === null ? {} : { date }),
      ...(people.length === 0 ? {} : { people }),
    },
    ...(model === null || model.units === 0 ? {} : { model: byModel(statements, model) }),
  };
}

const byModel = (
  statements: Reading['statements'],
  { by, units, answered, dropped, without }: ModelReading,
): NonNullable<ReadingSummary['model']> => ({
  by,
  units,
  answered: answered.size,
  statements: statements.filter(({ model }) => model !== undefined).length,
  dropped,
  without,
});

const told = (text: string): string => text.replaceAll('\0', '').replaceAll(/\s+/g, ' ').trim().slice(0, 300).toWellFormed();

function counted(names: readonly string[]): Record<string, number> {
  const counts = [...Map.groupBy(names, (name) => name)].map(([name, own]) => [name, own.length] as const);
  return Object.fromEntries(counts.toSorted((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, mostNames));
}

const reasons: Record<Omission, string> = {
  vendor: "the vendor's own words",
  quoted: 'quoted',
  signature: 'signature',
  header: 'heading or list of participants',
  automatic: 'automatic message',
  instruction: 'instruction to a machine',
  marketing: 'marketing',
  hearsay: 'hearsay',
  internal: 'internal note',
  small_talk: 'small talk',
  empty: 'empty',
  elsewhere: 'meant for somebody else',
  unsure: 'unsure',
};

function modelSentence({ units, answered, statements, dropped, without }: NonNullable<ReadingSummary['model']>): string {
  const count = Object.values(dropped).reduce((sum, each) => sum + each, 0);
  const refused = count === 0 ? '' : ` ${count} parts of its answers did not agree with the text and were dropped.`;
  const away = answered === units ? '' : ` Rules read the rest.${without === null ? '' : ` ${without}`}`;
  return ` The language model read ${answered} of ${units} pieces of text and found ${statements} of these statements.${refused}${away}`;
}

/** "Call of 7 July 2026 with Acme: 12 statements (5 bug, 4 request, …). Left out: 8 vendor's own words, …" */
export function sentenceOf(kind: string, { said_at, customers, classes, statements, unassigned, left, model }: ReadingSummary): string {
  const list = (counts: Record<string, number>, most: number): string => {
    const entries = Object.entries(counts);
    const rest = entries.length > most ? `, and ${entries.length - most} more` : '';
    return `${entries
      .slice(0, most)
      .map(([name, n]) => `${n} ${name.replaceAll('_', ' ')}`)
      .join(', ')}${rest}`;
  };
  const names = Object.keys(customers);
  const who = names.length === 0 ? '' : ` of ${names.slice(0, 3).join(', ')}${names.length > 3 ? ` and ${names.length - 3} more` : ''}`;
  const found = statements === 0 ? 'no statement of a customer' : `${statements} ${statements === 1 ? 'statement' : 'statements'}${who}`;
  const without = unassigned > 0 ? `; ${unassigned} without a known customer` : '';
  const kinds = statements > 0 ? ` (${list(classes, 4)}${without})` : '';
  const out = left.length === 0 ? '' : ` Left out: ${left.map(({ why, count }) => `${count} ${reasons[why]}`).join(', ')}.`;
  return `Read as ${kind === 'other' ? 'text' : kind}, ${said_at.slice(0, 10)}: ${found}${kinds}.${out}${model ? modelSentence(model) : ''}`;
}
