import { describe, expect, test } from 'vitest';
import { adapt, learn, tell, toldOf, type Example } from './learn.ts';
import { feelingOf } from './feeling.ts';
import { fit, probabilities } from './logistic.ts';
import { aspects } from './encoded.ts';
import { judge } from './judge.ts';
import { examplesHash, readExamples, scalesOf, shipped } from './shipped.ts';
import { cueNames, cuesOf } from './cues.ts';
import { seen } from './views.ts';
import { wordsOf } from './words.ts';

const plainly = (text: string, label: string): Example => ({ text, vector: null, label });

describe('logistic regression', () => {
  test('separates what can be separated, and says how sure it is', async () => {
    const row = (x: number, y: number) => ({ at: Int32Array.from([0, 1]), value: Float64Array.from([x, y]) });
    const rows = [row(1, 0), row(2, 0.1), row(-1, 0), row(-2, 0.2), row(0, 3), row(0.1, 2)];
    const model = await fit(rows, [0, 0, 1, 1, 2, 2], 3, 2, { l2: 1e-3 });
    rows.forEach((each, i) => {
      const p = probabilities(model, each);
      expect(p.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 9);
      expect(p.indexOf(Math.max(...p))).toBe(Math.floor(i / 2));
    });
    expect(await fit(rows, [0, 0, 1, 1, 2, 2], 3, 2, { l2: 1e-3 })).toEqual(model);
  });

  test('has no gradient left where it stops', async () => {
    // Checked manually: one feature, two classes; the weights are opposite and the gradient of the penalized loss is
    // zero.
    const rows = [1, 2, -1, -2, 0.5].map((x) => ({ at: Int32Array.from([0]), value: Float64Array.from([x]) }));
    const labels = [0, 0, 1, 1, 1];
    const l2 = 0.1;
    const { weights } = await fit(rows, labels, 2, 1, { l2 });
    const gradient = rows.reduce(
      (sum, row, i) => sum + (probabilities({ classes: 2, width: 1, weights }, row)[0]! - (labels[i] === 0 ? 1 : 0)) * row.value[0]!,
      0,
    );
    expect(gradient / rows.length + l2 * weights[0]!).toBeCloseTo(0, 3);
    expect(weights[0]!).toBeCloseTo(-weights[2]!, 3);
  });
});

describe('learning', () => {
  const examples = [
    ...['the app crashes at login', 'login fails with an error', 'it crashes when I save', 'an error while saving'].map((text) =>
      plainly(text, 'bug'),
    ),
    ...['please add a dark mode', 'please add an export', 'I wish it had a calendar', 'please add tags'].map((text) =>
      plainly(text, 'wish'),
    ),
  ];

  test('does not depend on the order of the examples', async () => {
    expect(await learn(examples.toReversed())).toEqual(await learn(examples));
  });

  test('tells what it has not seen', async () => {
    const learnt = await learn(examples);
    expect(tell(learnt, { text: 'please add a widget', vector: null }).label).toBe('wish');
    expect(tell(learnt, { text: 'an error at login', vector: null })).toMatchObject({ label: 'bug' });
  });

  test('adapts to what people say, and forgets nothing else', async () => {
    const learnt = await learn(examples);
    const odd = ['the frobnicator went plonk', 'a frobnicator said plonk'];
    const text = 'this frobnicator is plonk';
    const moved = await adapt(learnt, [...odd.map((each) => plainly(each, 'wish')), plainly('unknown', 'nonsense')]);
    const share = (model: typeof learnt): number => tell(model, { text, vector: null }).shares['wish']!;
    expect(share(moved)).toBeGreaterThan(share(learnt));
    expect(tell(moved, { text: 'an error at login', vector: null }).label).toBe('bug');
    expect(await adapt(learnt, [plainly('x', 'nonsense')])).toBe(learnt);
  });
});

describe('cues', () => {
  test('are as many as they have names, and within bounds', () => {
    for (const text of ['', '???', 'I LOVE it!!! :)', 'Not good, not good at all', 'Please fix the login, it crashes since the update.']) {
      const cues = cuesOf(text);
      expect(cues).toHaveLength(cueNames.length);
      for (const cue of cues) expect(Math.abs(cue)).toBeLessThanOrEqual(1);
    }
  });

  test('feeling turns with "not", and a wish is no praise', () => {
    const of = (text: string) => feelingOf(wordsOf(text));
    expect(of('it is great').good).toBeGreaterThan(0);
    expect(of('it is not great')).toMatchObject({ good: 0, turned: 1 });
    expect(of('no problem, not bad').bad).toBe(0);
    expect(of('it would be great')).toMatchObject({ good: 0, wished: 2 });
  });
});

describe('what is shipped', () => {
  test('was made of the examples as they are', () => {
    expect(shipped().examples, 'run node scripts/train-signals.ts').toBe(examplesHash());
  });

  test('knows its examples of every class, by words alone', () => {
    const models = shipped().kinds.plain;
    const examples = readExamples();
    // A short answer means something else after another question.
    expect(new Set(examples.map(({ text, context }) => `${context}\t${text}`)).size).toBe(examples.length);
    const sample = examples.filter((_, i) => i % 4 === 0);
    const { vocabulary, scales } = models.class;
    const rows = sample.map(({ text, context }) => seen({ text, context, vector: null }, vocabulary, scales));
    for (const aspect of aspects) {
      const right = sample.filter((example, i) => toldOf(models[aspect], rows[i]!).label === example[aspect]).length;
      // Regularised, it does not know them by heart: severities, which are the least certain, most strongly.
      expect(right / sample.length, aspect).toBeGreaterThan(aspect === 'severity' ? 0.7 : 0.8);
    }
  });

  test.each([
    ['praise', 'We are really pleased with the scheduling.'],
    ['praise', 'I love the new dashboard.'],
    ['praise', 'Setting it up was easy.'],
    ['complaint', 'The filters are confusing.'],
    ['complaint', 'It costs too much for a small team.'],
    ['bug', 'The invoices are wrong again.'],
    ['bug', 'The app crashes when I open a report.'],
    ['request', 'Please add a dark theme.'],
    ['question', 'Does it support single sign-on?'],
    ['churn_risk', 'We have decided to cancel our subscription.'],
    ['churn_risk', 'We are moving to another provider next month.'],
    ['none', 'I will send you the slides tomorrow.'],
  ])('takes a plain sentence it has not seen for what it is, by words alone: %s, %s', (kind, text) => {
    const { class: shares } = judge(shipped().kinds.plain, { text, context: '', vector: null });
    expect(Object.entries(shares).toSorted((a, b) => b[1] - a[1])[0]![0]).toBe(kind);
  });

  test('tells a class from examples it has not seen, by words alone', async () => {
    const examples = readExamples()
      .filter((_, i) => i % 3 === 0)
      .map((example): Example => plainly(example.text, example.class));
    const learnt = await learn(
      examples.filter((_, i) => i % 4 !== 0),
      { scales: scalesOf.plain, l2: shipped().kinds.plain.class.l2! },
    );
    const held = examples.filter((_, i) => i % 4 === 0);
    const right = held.filter((example) => tell(learnt, example).label === example.label).length;
    expect(right / held.length).toBeGreaterThan(0.5);
  }, 60_000);
});
