import { describe, expect, test } from 'vitest';
import { judged } from './judge.ts';
import type { Drafted } from './statements.ts';
import type { DocumentKind, Row, Shares, Voiced } from './types.ts';

const unit = (row: Row | null): Voiced => ({
  passage: 0,
  start: 0,
  end: 1,
  kind: 'paragraph',
  speaker: null,
  day: null,
  section: null,
  row,
  omitted: null,
  side: 'customer',
  person: null,
  customer: null,
});
const row = (cells: Partial<Row>): Row => ({
  id: null,
  customer: null,
  author: null,
  subject: null,
  status: null,
  score: null,
  rating: null,
  email: null,
  ...cells,
});
const even = <L extends string>(labels: readonly L[], share: Partial<Record<L, number>>): Record<L, number> => {
  const rest = 1 - Object.values<number>(share as Record<string, number>).reduce((sum, own) => sum + own, 0);
  const open = labels.filter((label) => share[label] === undefined);
  return Object.fromEntries(labels.map((label) => [label, share[label] ?? rest / open.length])) as Record<L, number>;
};
const classes = ['request', 'bug', 'complaint', 'praise', 'question', 'churn_risk', 'information', 'none'] as const;
const shares = (share: { [K in keyof Shares]?: Partial<Shares[K]> }): Shares => ({
  class: even(classes, share.class ?? {}),
  tone: even(['positive', 'neutral', 'negative', 'mixed'], share.tone ?? {}),
  severity: even(['none', 'low', 'medium', 'high', 'critical'], share.severity ?? {}),
  state: even(['open', 'resolved', 'withdrawn', 'hypothetical'], share.state ?? {}),
});
function said(
  text: string,
  share: Parameters<typeof shares>[0],
  more: { weight?: number; context?: string; row?: Row; kind?: DocumentKind; features?: string[]; competitors?: string[] } = {},
) {
  const draft: Drafted = {
    unit: unit(more.row ?? null),
    start: 0,
    end: text.length,
    text,
    context: more.context ?? '',
    day: '2026-03-02',
    features: more.features ?? [],
    competitors: more.competitors ?? [],
    subject: null,
    weight: more.weight ?? 2,
  };
  return judged([draft], [shares(share)], more.kind ?? 'mail');
}
const open = { open: 0.9 };

describe('what is a statement', () => {
  test('the surer of "none", the more structure must speak for it; between the bounds it is unsure', () => {
    const share = { class: { none: 0.9, information: 0.05 } };
    expect(said('We met on Tuesday.', share, { weight: 2 }).statements).toHaveLength(1);
    expect(said('We met on Tuesday.', share, { weight: 1 }).left.map(({ why }) => why)).toEqual(['unsure']);
    expect(said('We met on Tuesday.', share, { weight: -1 }).left.map(({ why }) => why)).toEqual(['small_talk']);
  });

  test('confidence is low when classes are near each other', () => {
    const [sure] = said('It fails.', { class: { bug: 0.9, none: 0.01 } }).statements;
    const [unsure] = said('It fails.', { class: { bug: 0.35, complaint: 0.33, none: 0.01 } }).statements;
    expect(sure!.confidence).toBeGreaterThan(unsure!.confidence + 0.3);
  });
});

describe('cues beside the shares', () => {
  test('what is said of another product alone is no praise, fault or wish of ours', () => {
    const share = { class: { praise: 0.5, information: 0.2, none: 0.01 }, tone: { positive: 0.8 }, state: open };
    const text = 'Their video calls are very good, a colleague says.';
    expect(said(text, share, { competitors: ['Terracall'] }).statements[0]).toMatchObject({ class: 'information' });
    expect(said(text, share, { competitors: ['Terracall'], features: ['Video Desk'] }).statements[0]).toMatchObject({ class: 'praise' });
    expect(said(text, share).statements[0]).toMatchObject({ class: 'praise' });
  });

  test('that a part is not used is a fact, in five languages, unless the classifier is sure of more', () => {
    const likely = { class: { complaint: 0.4, information: 0.2, none: 0.01 }, tone: { neutral: 0.8 }, state: open };
    for (const text of [
      'We do not use the planner.',
      "They've never switched the alerts on.",
      'Den Planer nutzen wir nicht.',
      'El planificador no lo usamos.',
      "Le planning ne nous sert pas, nous n'utilisons pas d'alertes.",
      'La mappa non la usiamo.',
    ])
      expect(said(text, likely).statements[0], text).toMatchObject({ class: 'information' });
    expect(said('We use the planner daily.', likely).statements[0]).toMatchObject({ class: 'complaint' });
    const sure = { class: { complaint: 0.9, information: 0.03, none: 0.01 }, tone: { negative: 0.9 }, state: open };
    expect(said('We do not use it: it takes minutes.', sure).statements[0]).toMatchObject({ class: 'complaint' });
  });

  test('a plain notice is a sign of leaving; anger alone is none', () => {
    const share = { class: { complaint: 0.45, churn_risk: 0.35, none: 0.02 }, tone: { negative: 0.9 }, state: open };
    expect(said('We are giving notice for the end of June.', share).statements[0]).toMatchObject({ class: 'churn_risk', severity: 3 });
    expect(said('This is the worst week of my life with your till.', share).statements[0]).toMatchObject({ class: 'complaint' });
  });

  test('a threat that is taken back is about leaving, and withdrawn', () => {
    const share = { class: { information: 0.45, churn_risk: 0.35, none: 0.02 }, state: open };
    const [statement] = said('I take the notice back.', share, { context: 'In May we gave notice.' }).statements;
    expect(statement).toMatchObject({ class: 'churn_risk', state: 'withdrawn', severity: 1 });
  });

  test('a closed ticket is resolved, but a notice in one is not', () => {
    const closed = { row: row({ status: 'Closed' }), kind: 'tickets' as const };
    const bug = said('The export stops at page two.', { class: { bug: 0.8, none: 0.01 }, state: open }, closed);
    expect(bug.statements[0]).toMatchObject({ class: 'bug', state: 'resolved' });
    const notice = said('We cancel our contract by March.', { class: { churn_risk: 0.8, none: 0.01 }, state: open }, closed);
    expect(notice.statements[0]).toMatchObject({ class: 'churn_risk', state: 'open' });
  });

  test('"works again" is resolved, also when the classifier leans to open; what may mean it is not, in an angry sentence', () => {
    const share = {
      class: { praise: 0.6, bug: 0.3, none: 0.01 },
      tone: { positive: 0.5, negative: 0.2 },
      state: { open: 0.8, resolved: 0.1 },
    };
    expect(said('The scanner works again since Monday.', share).statements[0]).toMatchObject({ state: 'resolved' });
    const angry = { ...share, class: { bug: 0.9, none: 0.01 }, tone: { negative: 0.9 } };
    expect(said('The light is on again, until the next time.', share).statements[0]).toMatchObject({ state: 'resolved' });
    expect(said('The light is on again, until the next time.', angry).statements[0]).toMatchObject({ state: 'open' });
  });

  test.each([
    ['If the labels are late once more we stop using the printer module.', [], 'open'],
    ['If it is not better by May I take the module out of the contract.', [], 'open'],
    ['If that happens in August we are ringing Packwell.', ['Packwell'], 'open'],
    ['You may forget what I wrote about Packwell.', ['Packwell'], 'withdrawn'],
  ])('a sign of leaving, or its end: %s', (text, competitors, state) => {
    const share = { class: { complaint: 0.5, bug: 0.2, churn_risk: 0.05, none: 0.01 }, tone: { negative: 0.6 }, state: open };
    expect(said(text, share, { competitors }).statements[0]).toMatchObject({ class: 'churn_risk', state });
  });

  test.each(['We switch the lamp off at ten.', 'If I could I would sleep till noon.', 'Packwell rang me, nice people.'])(
    'no sign of leaving: %s',
    (text) => {
      const share = { class: { information: 0.6, churn_risk: 0.05, none: 0.05 }, tone: { neutral: 0.8 }, state: open };
      expect(said(text, share).statements[0]).toMatchObject({ class: 'information' });
    },
  );

  test('what takes a notice back is about leaving, also without a threat before it', () => {
    const share = { class: { information: 0.6, churn_risk: 0.05, none: 0.01 }, tone: { neutral: 0.7 }, state: open };
    expect(said('We withdraw the notice of 3 May.', share, { context: 'Dear Ms Lund,' }).statements[0]).toMatchObject({
      class: 'churn_risk',
      state: 'withdrawn',
    });
    expect(said("We won't be needing Packwell.", share, { competitors: ['Packwell'] }).statements[0]).toMatchObject({
      class: 'churn_risk',
      state: 'withdrawn',
    });
  });

  test('tone follows class and state: praise of what is over is glad, although the words are those of the trouble', () => {
    const share = { class: { praise: 0.6, bug: 0.2, none: 0.01 }, tone: { negative: 0.65, positive: 0.25 }, state: open };
    expect(said('Not one crash since the update.', share).statements[0]).toMatchObject({
      class: 'praise',
      tone: 'positive',
      state: 'resolved',
    });
  });

  test('sentiment follows the tone, which fits the class when it is near', () => {
    const share = { class: { bug: 0.8, none: 0.01 }, tone: { neutral: 0.47, negative: 0.43 }, state: open };
    expect(said('The total is one cent off.', share).statements[0]).toMatchObject({ tone: 'negative', sentiment: -0.38 });
    expect(said('Which button is it?', { ...share, class: { question: 0.8, none: 0.01 } }).statements[0]).toMatchObject({
      tone: 'neutral',
    });
  });
});

describe('what works is set apart from a trouble', () => {
  const torn = { class: { bug: 0.6, praise: 0.2 } } as const;
  test.each([
    'What does work is the calendar: nobody has missed a class since May.',
    'The letters are late. What really does help is the list of rooms.',
    'Was hingegen gut funktioniert, sind die Serienbriefe.',
    'Lo que sí funciona es el calendario: desde mayo nadie falta.',
    'Ce qui marche bien, ce sont les listes.',
    'Quello che invece funziona è il calendario.',
    'Wat wel werkt is de agenda.',
    'O que realmente funciona é o calendário.',
  ])('%s', (text) => expect(said(text, torn).statements).toMatchObject([{ class: 'praise' }]));

  test.each([
    'What does work, and what does not?',
    "What doesn't work is the calendar.",
    'Lo que no funciona es el calendario.',
    'What works for you is up to you, the calendar fails here.',
  ])('not in: %s', (text) => expect(said(text, torn).statements).toMatchObject([{ class: 'bug' }]));
});

describe('the score of a row', () => {
  const praised = { class: { praise: 0.4, complaint: 0.3 }, tone: { positive: 0.45, negative: 0.35 } };
  test.each([
    [0.2, 'complaint', 'negative'],
    [0.6, 'praise', 'positive'],
    [1, 'praise', 'positive'],
    [null, 'praise', 'positive'],
  ])('of %s', (rating, label, tone) => {
    expect(said('The map is what it is.', praised, { row: row({ rating }), kind: 'reviews' }).statements).toMatchObject([
      { class: label, tone },
    ]);
  });
});

describe('satisfaction in so many words', () => {
  const torn = { class: { information: 0.6, praise: 0.1 } } as const;
  test.each([
    'Marc is very happy with the calendar.',
    'Frau Lund ist mit dem Kalender, sagt sie, sehr zufrieden.',
    'Marc est très content du calendrier.',
    'Ana está muy contenta con el calendario.',
  ])('is praise: %s', (text) => expect(said(text, torn).statements).toMatchObject([{ class: 'praise' }]));
  test.each([
    'Nobody is happy with the calendar.',
    'Marc would be happy with a calendar.',
    'Frau Lund ist nicht sehr zufrieden.',
    'Marc n’est pas content du calendrier.',
    'If you are happy with it, close it.',
  ])('is none: %s', (text) => expect(said(text, torn).statements).toMatchObject([{ class: 'information' }]));
});

test.each([
  'Tom asked for alerts by SMS, because the yard has no data.',
  "She'd still like an undo.",
  'Frau Lund wünscht sich eine Karte.',
  'Marc aimerait une carte.',
])('a wish in so many words is one: %s', (text) => {
  const share = { class: { information: 0.55, request: 0.25 } };
  expect(said(text, share).statements).toMatchObject([{ class: 'request' }]);
});

describe('class and tone are judged apart', () => {
  test('what is told in anger is no praise', () => {
    const share = { class: { praise: 0.42, bug: 0.37, none: 0.01 }, state: open } as const;
    expect(said('Both of us got a green tick.', { ...share, tone: { negative: 0.5, positive: 0.4 } }).statements[0]).toMatchObject({
      class: 'bug',
    });
    expect(said('Both of us got a green tick.', { ...share, tone: { negative: 0.4, positive: 0.5 } }).statements[0]).toMatchObject({
      class: 'praise',
    });
  });

  test('what sounds like leaving and is no threat is a fact', () => {
    const share = { class: { churn_risk: 0.7, praise: 0.09, information: 0.07, none: 0.03 }, tone: { neutral: 0.7 }, state: open } as const;
    expect(said('I finish here on the thirtieth.', share).statements[0]).toMatchObject({ class: 'information' });
  });

  test('what is taken back was a threat if the classifier says so', () => {
    const share = { class: { churn_risk: 0.7, praise: 0.09, none: 0.03 }, tone: { neutral: 0.6 }, state: open } as const;
    expect(said('So you can score out what I said in February.', share).statements[0]).toMatchObject({
      class: 'churn_risk',
      state: 'withdrawn',
    });
  });
});

test('a ticket is filed for a reason: what could be a fact is rather a fault', () => {
  const share = { class: { information: 0.45, bug: 0.25, none: 0.05 }, tone: { neutral: 0.6 }, state: open } as const;
  expect(said('Opening the board takes 40 seconds.', share, { kind: 'tickets' }).statements[0]).toMatchObject({ class: 'bug' });
  expect(said('Opening the board takes 40 seconds.', share, { kind: 'notes' }).statements[0]).toMatchObject({ class: 'information' });
});

test('what the law demands is severe', () => {
  const share = { class: { request: 0.6, none: 0.02 }, severity: { low: 0.8 } } as const;
  const severity = (text: string) => said(text, share).statements[0]!.severity;
  expect(severity('Necesitamos la factura electrónica, es obligatoria.')).toBeGreaterThan(severity('Necesitamos la factura electrónica.'));
});
