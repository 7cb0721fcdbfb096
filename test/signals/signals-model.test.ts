/** Signals that a language model judges, over a double of a provider's own HTTP. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Caller } from '../../contracts/caller.ts';
import { SignalClassifiers } from '../../services/signals/classifiers.ts';
import { readDocuments } from '../../services/signals/read.ts';
import { publishCall } from '../setup/calls.ts';
import { modelDouble, type ModelDouble } from '../setup/models.ts';
import { eventually, testStack, type TestStack } from '../setup/stack.ts';

let double: ModelDouble;
let stack: TestStack;
let ann: Caller;
beforeAll(async () => {
  double = await modelDouble();
  stack = await testStack({ model: false, env: double.env('anthropic', { LLM_EXTRACTION: 'false' }) });
  ann = await stack.caller({ role: 'admin', kind: 'human', name: 'ann' });
});
afterAll(async () => {
  await stack?.stop();
  await double?.close();
});

const judge = (data: Record<string, unknown>[]) => ({
  results: data.map(({ id }) => ({ id, class: 'churn_risk', sentiment: -0.75, severity: 'critical', confidence: 0.9 })),
});
const reading = { beat: () => {}, signal: new AbortController().signal, again: true };

async function taken(
  ann: Caller,
  title: string,
  content: string,
): Promise<{ id: string; class: string; classifier: string; severity: string }[]> {
  await stack.ok(ann, 'ingest_transcript', { title, content, meeting_type: 'customer_call' });
  return await eventually('there are signals', async () => {
    const { signals } = await stack.ok(ann, 'signal.record.search', { query: title, limit: 50 });
    if (signals.length === 0) return null;
    return await Promise.all(
      signals.map(async ({ signal_id }: { signal_id: string }) => {
        const signal = await stack.ok(ann, 'signal.record.get', { signal_id });
        return { id: signal_id, class: signal.class, classifier: signal.classifier, severity: signal.severity };
      }),
    );
  });
}

it('are what it says they are, and it is asked once for each', async () => {
  double.answer = ({ data }) => judge(data);
  const signals = await taken(
    ann,
    'Renewal call',
    'Customer: The Renewal call export fails every Friday and we look at other vendors now.',
  );
  expect(signals.length).toBeGreaterThan(0);
  for (const each of signals)
    expect(each).toMatchObject({ class: 'churn_risk', severity: 'critical', classifier: expect.stringMatching(/^classify-signals@1 /) });
  const before = double.asked.length;
  const documents = await asTenant('acme', () =>
    stack.db.query<{ id: string }>(`select distinct document_id as id from signals where tenant_id = 'acme'`),
  );
  await asTenant('acme', () =>
    stack.services.signals.read(
      'acme',
      documents.map(({ id }) => id),
      reading,
    ),
  );
  expect(double.asked).toHaveLength(before);
});

it('are told offline where it fails', async () => {
  double.answer = () => 'REFUSE';
  const signals = await taken(
    await stack.caller({ tenant: 'hal', kind: 'human' }),
    'Billing call',
    'Customer: The Billing call invoice page crashes every Monday, please fix this bug.',
  );
  expect(signals.length).toBeGreaterThan(0);
  for (const each of signals) expect(each.classifier).not.toMatch(/^classify-signals/);
});

it('are told offline once its time is over, and by it where they are read again', async () => {
  const statements = Array.from({ length: 90 }, (_, i) => `The report number ${i} of our team is broken since the update.`);
  const id = await publishCall(stack.db, 'slow', 'src_slow', statements);
  let minutes = 0;
  let asked = 0;
  const logged: unknown[] = [];
  const language = {
    model: 'double',
    // Nine minutes for each question.
    ask: (async (question: Parameters<typeof stack.services.language.ask>[0]) => {
      asked += 1;
      minutes += 9;
      return await stack.services.language.ask(question);
    }) as typeof stack.services.language.ask,
  };
  double.answer = ({ data }) => judge(data);
  const read = () =>
    asTenant('slow', () =>
      readDocuments(
        {
          db: stack.db,
          embedder: null,
          language,
          languageReads: false,
          classifiers: new SignalClassifiers(stack),
          log: { warn: (...told: unknown[]) => void logged.push(told[0]) },
          now: () => minutes * 60_000,
        },
        'slow',
        [id],
        reading,
      ),
    );
  const byModel = () =>
    asTenant('slow', () =>
      stack.db.query<{ n: number }>(
        `select count(*)::int as n from signals where tenant_id = 'slow' and classifier like 'classify-signals@1 %'`,
      ),
    );
  const { signals } = await read();
  expect(signals).toBe(90);
  expect(asked).toBe(2);
  expect(await byModel()).toEqual([{ n: 40 }]);
  expect(logged).toEqual([{ tenant: 'slow', statements: 50 }]);
  await read();
  expect(asked).toBe(4);
  expect(await byModel()).toEqual([{ n: 80 }]);
});
