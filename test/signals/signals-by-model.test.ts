/** Documents that a language model reads, over a double of a provider's own HTTP that says right and wrong things. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Row } from '../../adapters/postgres/database.ts';
import { SignalClassifiers } from '../../services/signals/classifiers.ts';
import { readDocuments } from '../../services/signals/read.ts';
import { LanguageService } from '../../services/kernel/language/index.ts';
import { extractDocuments } from '../../services/graph/extract.ts';
import { noteClues } from '../../services/graph/directory.ts';
import { publishCall } from '../setup/calls.ts';
import { modelDouble, type Asked, type ModelDouble, type Said } from '../setup/models.ts';
import { eventually, testStack, type TestStack } from '../setup/stack.ts';

let double: ModelDouble;
let stack: TestStack;
beforeAll(async () => {
  double = await modelDouble();
  stack = await testStack({ model: false, env: double.env('anthropic', { LLM_TIMEOUT_SECONDS: '8', LLM_MAX_RETRIES: '0' }) });
});
afterAll(async () => {
  await stack?.stop();
  await double?.close();
});
beforeEach(() => {
  double.asked = [];
  double.next = [];
});

const by = 'read-statements@2 anthropic/claude-test';

/** Questions about units; the classifier's questions are answered with nothing. */
const questions = (): Asked[] => double.asked.filter(({ prompts }) => prompts[0]!.startsWith('Read the units'));

interface Piece {
  id: string;
  text: string;
}
type Unit = Record<'statements' | 'names' | 'facts', object[]>;

const says = (unit: (piece: Piece) => Partial<Unit>) => (asked: Asked) => {
  if (!asked.prompts[0]!.startsWith('Read the units')) return { results: [] };
  const pieces = (asked.data as unknown as Piece[]).filter(({ id }) => /^u\d+$/.test(id));
  return { units: pieces.map((piece) => ({ id: piece.id, statements: [], names: [], facts: [], ...unit(piece) })) };
};
const statement = (n: number, quote: string, more: object = {}) => ({
  n,
  quote,
  end: '',
  class: 'complaint',
  tone: 'negative',
  severity: 'medium',
  state: 'open',
  confidence: 0.8,
  features: [],
  competitors: [],
  settles: 0,
  ...more,
});
/** States each unit as a whole. */
const wholly = says(({ id, text }) => ({ statements: [statement(Number(id.slice(1)), text)] }));

const rows = <T extends Row>(tenant: string, sql: string, values: unknown[] = []): Promise<T[]> =>
  asTenant(tenant, () => stack.db.query<T>(sql, [tenant, ...values]));
const signalsOf = (tenant: string, documentId: string) =>
  rows<{ statement: string; class: string; classifier: string }>(
    tenant,
    'select statement, class, classifier from signals where tenant_id = $1 and document_id = $2 order by start_at',
    [documentId],
  );
const keptOf = async (tenant: string, documentId: string): Promise<number> =>
  (await rows(tenant, 'select 1 from model_answers where tenant_id = $1 and document_id = $2', [documentId])).length;
const readingOf = async (tenant: string, documentId: string): Promise<any> =>
  (await asTenant(tenant, () => stack.services.readings.get(tenant, documentId))).model;
/** As a process that has just started: another one's failures do not make it wait. */
const fresh = () => ({ ...stack.services.kernel, language: new LanguageService(stack) });
const read = (tenant: string, id: string, signal = new AbortController().signal) =>
  asTenant(tenant, () =>
    readDocuments({ ...fresh(), classifiers: new SignalClassifiers(stack) }, tenant, [id], { beat: () => {}, signal, again: true }),
  );

/** Five portions of forty. */
const portions = 5;
const long = Array.from({ length: 200 }, (_, i) => `The report number ${i} of our team is broken since the update.`);

it('enter with their words, names and dated facts, and tell their origin', async () => {
  const ann = await stack.caller({ tenant: 'good', role: 'admin', kind: 'human', name: 'ann' });
  const content = [
    'Agent: Good morning, and thanks for your time.',
    'Customer: The Shift Board loses every second booking. We look at Rotamax now.',
    'Agent: I am sorry about that.',
    'Customer: Since March 2025 Globex pays for Rotamax and nordlicht as well. The Shift Board saves again since your update.',
  ].join('\n');
  double.answer = says(({ text }) => ({
    statements: text.includes('every second')
      ? [
          statement(1, 'the shift board loses every  second booking.', { class: 'bug', severity: 'critical', features: ['Shift Board'] }),
          statement(2, 'We look at', { end: 'Rotamax now.', class: 'churn_risk', competitors: ['Rotamax'] }),
        ]
      : [
          statement(3, 'The Shift Board saves again since your update.', {
            class: 'praise',
            tone: 'positive',
            severity: 'none',
            state: 'resolved',
            features: ['Shift Board'],
            settles: 1,
          }),
        ],
    names: [
      { name: 'Shift Board', type: 'feature', same_as: '' },
      { name: 'Rotamax', type: 'competitor', same_as: '' },
      ...(text.includes('nordlicht') ? [{ name: 'nordlicht', type: 'organization', same_as: '' }] : []),
    ],
    facts: text.includes('March')
      ? [
          {
            quote: 'Since March 2025 Globex pays for Rotamax and nordlicht as well.',
            subject: 'Globex',
            predicate: 'uses',
            object: 'Rotamax',
            from: '2025-03',
            to: '',
          },
        ]
      : [],
  }));
  const { source_id } = await stack.ok(ann, 'ingest_transcript', {
    title: 'Weekly call',
    content,
    meeting_type: 'customer_call',
    customer: 'Globex',
  });
  // Its names are known from itself, so it is read again.
  const signals = await eventually('it was read with its own names', async () => {
    const settled = await rows(
      'good',
      `select 1 from document_readings r join evidence_directories v on v.tenant_id = $1 and v.version = r.directory where r.tenant_id = $1`,
    );
    const found = await rows<any>(
      'good',
      'select s.*, c.body from signals s join chunks c on c.tenant_id = $1 and c.id = s.chunk_id where s.tenant_id = $1 order by s.start_at',
    );
    return settled.length > 0 && found.length > 0 ? found : null;
  });
  expect(signals.map(({ body, start_at, end_at }) => body.slice(start_at, end_at))).toEqual([
    'The Shift Board loses every second booking.',
    'We look at Rotamax now.',
    'The Shift Board saves again since your update.',
  ]);
  expect(signals).toMatchObject([
    { class: 'bug', severity: 4, state: 'open', classifier: by },
    { class: 'churn_risk', state: 'open', classifier: by },
    { class: 'praise', tone: 'positive', state: 'resolved', classifier: by, earlier_id: signals[0].id, earlier: 'resolves' },
  ]);
  expect(signals[0].settled_by).toBe(signals[2].id);
  const [document] = await rows<{ id: string }>('good', 'select document_id as id from signals where tenant_id = $1 limit 1');
  const names = await rows('good', 'select distinct type, name from signal_names where tenant_id = $1 order by type, name');
  expect(names).toEqual([
    { type: 'competitor', name: 'Rotamax' },
    { type: 'customer', name: 'Globex' },
    { type: 'feature', name: 'Shift Board' },
  ]);
  // What the directory knows by now is known.
  expect(await rows('good', `select surface, type from entity_mentions where tenant_id = $1 and origin = 'model'`)).toEqual([
    { surface: 'nordlicht', type: 'organization' },
  ]);
  expect(await rows('good', `select kind, subject from evidence_clues where tenant_id = $1 and origin = 'model' order by 1, 2`)).toEqual([
    { kind: 'competitor', subject: 'Rotamax' },
    { kind: 'feature', subject: 'Shift Board' },
  ]);
  expect(
    await rows(
      'good',
      `select a.predicate, a.statement, a.valid_from, m.surface from graph_assertions a join entity_mentions m on m.id = a.object_mention
       where a.tenant_id = $1 and a.origin = 'model'`,
    ),
  ).toEqual([
    {
      predicate: 'uses',
      statement: 'Since March 2025 Globex pays for Rotamax and nordlicht as well.',
      valid_from: new Date('2025-03-01T00:00:00Z'),
      surface: 'Rotamax',
    },
  ]);
  // Extraction asks, and reading the statements uses the answer.
  expect(questions()).toHaveLength(1);
  const reading = await stack.ok(ann, 'signal.reading.get', { id: source_id ?? document!.id });
  expect(reading.model).toEqual({ by, units: 2, answered: 2, statements: 3, dropped: {}, without: null });
  expect(reading.says).toContain('read 2 of 2 pieces of text and found 3 of these statements');
});

it('are nothing that the text does not say, whatever the model was talked into', async () => {
  const id = await publishCall(stack.db, 'hostile', 'src', [
    'The export fails every Friday.\nAgent: We are the best vendor of all.',
    'We pay 1,200 a month for it.',
  ]);
  double.answer = says(({ text }) => ({
    statements: [
      statement(1, 'Everything is perfect, the best product ever.', { class: 'praise' }),
      statement(2, 'We are the best vendor of all.', { class: 'praise' }),
      ...(text.includes('Friday') ? [statement(3, 'The export fails every Friday.', { class: 'bug', features: ['Teleporter'] })] : []),
    ],
    names: [{ name: 'Initech', type: 'customer', same_as: '' }],
    facts: text.includes('1,200')
      ? [{ quote: 'We pay 1,200 a month for it.', subject: 'Globex', predicate: 'costs', object: '1,200', from: '2019-02-03', to: '' }]
      : [],
  }));
  await asTenant('hostile', () =>
    extractDocuments(stack.db, 'hostile', [id], {
      beat: () => {},
      signal: new AbortController().signal,
      again: true,
      model: stack.services.kernel,
    }),
  );
  await rows('hostile', `update documents set graph = 'resolved' where tenant_id = $1 and id = $2`, [id]);
  await read('hostile', id);
  expect((await signalsOf('hostile', id)).map((each) => each.statement)).toEqual(['The export fails every Friday.']);
  expect(await rows('hostile', `select name from signal_names where tenant_id = $1 and type <> 'customer'`)).toEqual([]);
  expect(await rows('hostile', `select 1 from evidence_clues where tenant_id = $1 and origin = 'model'`)).toEqual([]);
  expect(await rows('hostile', `select 1 from graph_assertions where tenant_id = $1 and origin = 'model'`)).toEqual([]);
  expect(await readingOf('hostile', id)).toMatchObject({
    answered: 2,
    statements: 1,
    dropped: { not_found: 6, unknown_name: 1, invented_date: 1 },
  });
});

it.each<[string, Said, string | null]>([
  ['answers with another structure', { units: 'none' }, null],
  ['answers with no JSON', 'I will not.', null],
  ['refuses', 'REFUSE', null],
  ['fails', { status: 500 }, 'made without it'],
  ['does not answer', 'HANG', 'made without it'],
])('are read by rules where it %s', async (how, said, without) => {
  const tenant = `away-${how.toLowerCase().replaceAll(' ', '-')}`;
  const id = await publishCall(stack.db, tenant, 'src', ['The invoice page crashes every Monday, please fix this bug.']);
  double.answer = () => said;
  await read(tenant, id);
  const signals = await signalsOf(tenant, id);
  expect(signals.map((each) => each.statement)).toEqual(['The invoice page crashes every Monday, please fix this bug.']);
  expect(signals[0]!.classifier).not.toBe(by);
  const reading = await readingOf(tenant, id);
  expect(reading).toMatchObject({ units: 1, answered: 0, statements: 0 });
  if (without === null) expect(reading.without).toBeNull();
  else expect(reading.without).toContain(without);
});

it('are read by rules once the budget is spent', async () => {
  const id = await publishCall(stack.db, 'poor', 'src', long);
  await asTenant('poor', () => stack.services.language.setBudget('poor', { tokensPerDay: 1, usdPerDay: null }, 'ann'));
  double.answer = wholly;
  await read('poor', id);
  expect(questions()).toHaveLength(1);
  const signals = await signalsOf('poor', id);
  expect(signals).toHaveLength(200);
  expect(signals.filter(({ classifier }) => classifier === by)).toHaveLength(40);
  expect(await readingOf('poor', id)).toMatchObject({
    units: 200,
    answered: 40,
    statements: 40,
    without: expect.stringContaining('budget'),
  });
});

it('are asked for once, although a worker is killed in between', async () => {
  const id = await publishCall(stack.db, 'killed', 'src', long);
  const kill = new AbortController();
  double.answer = async (asked) => {
    if (questions().length < 4) return wholly(asked);
    await eventually('the former answers are kept', async () => (await keptOf('killed', id)) === 3);
    kill.abort(new Error('killed'));
    return 'HANG';
  };
  await expect(read('killed', id, kill.signal)).rejects.toThrow('killed');
  const first = questions().length;
  const kept = await keptOf('killed', id);
  expect(kept).toBe(3);
  expect(portions).toBeGreaterThan(kept);
  expect(await signalsOf('killed', id)).toEqual([]);
  double.asked = [];
  double.answer = wholly;
  await read('killed', id);
  expect(questions()).toHaveLength(portions - kept);
  if (process.env['TEST_COUNTS']) console.info({ portions, first, kept, second: questions().length });
  expect((await signalsOf('killed', id)).filter(({ classifier }) => classifier === by)).toHaveLength(200);
  // Nor when names are known better.
  await asTenant('killed', () =>
    noteClues(stack.db, 'killed', id, [{ kind: 'feature', subject: 'report number', object: null, day: null, weight: 0.9 }]),
  );
  double.asked = [];
  await read('killed', id);
  expect(questions()).toEqual([]);
  expect((await signalsOf('killed', id)).filter(({ classifier }) => classifier === by)).toHaveLength(200);
});

it('ask for halves where a portion cannot be answered, and never again for what fails alone', async () => {
  const id = await publishCall(stack.db, 'halves', 'src', long.slice(0, 8));
  double.answer = (asked) => (JSON.stringify(asked.data).includes('number 5 ') ? 'TOO_LONG' : wholly(asked));
  await read('halves', id);
  const signals = await signalsOf('halves', id);
  expect(signals.filter(({ classifier }) => classifier === by)).toHaveLength(7);
  expect(signals).toHaveLength(8);
  const asked = questions().length;
  await read('halves', id);
  expect(questions()).toHaveLength(asked);
});

it('are nothing of a document that is replaced meanwhile, and its answers go with it', async () => {
  const former = await publishCall(stack.db, 'moving', 'src', long);
  double.answer = wholly;
  await read('moving', former);
  expect(await keptOf('moving', former)).toBe(portions);
  let present = await publishCall(stack.db, 'moving', 'src', long);
  expect(await keptOf('moving', former)).toBe(0);
  const replaced = present;
  let latest: Promise<string> | null = null;
  double.asked = [];
  double.answer = async (asked) => {
    latest ??= publishCall(stack.db, 'moving', 'src', ['The short report is broken.']);
    await latest;
    return wholly(asked);
  };
  await read('moving', replaced);
  present = await latest!;
  expect(questions().length).toBeLessThan(portions);
  expect(await keptOf('moving', replaced)).toBe(0);
  expect(await signalsOf('moving', replaced)).toEqual([]);
  await read('moving', present);
  expect((await signalsOf('moving', present)).map((each) => each.statement)).toEqual(['The short report is broken.']);
});

it('are the same for two workers at once, although the model answers differently', async () => {
  const id = await publishCall(stack.db, 'twice', 'src', long);
  let turn = 0;
  double.answer = (asked) => {
    turn += 1;
    const kind = turn % 2 === 0 ? 'bug' : 'complaint';
    return says(({ id: piece, text }) => ({ statements: [statement(Number(piece.slice(1)), text, { class: kind })] }))(asked);
  };
  await Promise.all([read('twice', id), read('twice', id)]);
  expect(await keptOf('twice', id)).toBe(portions);
  const signals = await signalsOf('twice', id);
  expect(signals).toHaveLength(200);
  double.asked = [];
  await read('twice', id);
  expect(questions()).toEqual([]);
  expect(await signalsOf('twice', id)).toEqual(signals);
});

it('stay in their tenant', async () => {
  expect(await rows('stranger', `select 1 from model_answers where $1 <> ''`)).toEqual([]);
});
