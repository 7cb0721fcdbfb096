/** Pure: what a report concludes, and what it asks to decide: each from counted or dated evidence. */
import { contradictionsIn, type Matter } from './matters.ts';
import { dateOf } from './names.ts';
import { listed, someNames, someOf, statement } from './phrases.ts';
import { inPeriod } from './period.ts';
import { tell, type Telling } from './tell.ts';
import type { Cited, Statement } from './types.ts';

const lastOf = ({ said }: Matter): Cited => said.at(-1)!;
const customersOf = (matters: readonly Matter[]): string[] => [...new Set(matters.flatMap(({ customer }) => customer ?? []))];

/** Sources of a sentence: for each of its names one statement that has it; then the last statements. */
function sourcesOf(matters: readonly Matter[], names: readonly string[], days: readonly Cited[] = []): Cited[] {
  const said = matters.flatMap((matter) => [...matter.said, ...(matter.settledBy ? [matter.settledBy] : [])]);
  const naming = names.flatMap((name) => said.findLast((each) => each.names.includes(name)) ?? []);
  const rest = matters.map((matter) => matter.settledBy ?? lastOf(matter));
  return [...new Map([...naming, ...days, ...rest].map((each) => [each.ref, each])).values()];
}

const firstOf = (matters: readonly Matter[]): Cited => matters.map(({ said }) => said[0]!).toSorted((a, b) => a.at.localeCompare(b.at))[0]!;
const most = someNames;
const mostSources = 6;

/** Customers who may leave: their threat is real and stands. */
export const threatsIn = (matters: readonly Matter[]): Matter[] =>
  matters.filter(({ kind, state }) => kind === 'leaving' && state === 'open');
/** Open problems that no later statement of the customer makes doubtful. */
export const problemsIn = (matters: readonly Matter[]): Matter[] =>
  matters.filter(({ kind, state, perhapsSolved }) => kind === 'problem' && state === 'open' && perhapsSolved === null);
export const requestsIn = (matters: readonly Matter[]): Matter[] =>
  matters.filter(({ kind, state }) => kind === 'request' && state === 'open');
export const endedIn = ({ matters, evidence }: Telling, state: 'resolved' | 'withdrawn'): Matter[] =>
  matters.filter((each) => each.state === state && each.settledAt !== null && inPeriod(each.settledAt, evidence.filter));

/** Two to four sentences: the gravest threat and problem in the customer's words, what ended, what is asked for most. */
export function conclusion(telling: Telling): (Statement | null)[] {
  return [...threats(telling), gravest(telling), ended(telling), asked(telling.matters)];
}

function threats(telling: Telling): (Statement | null)[] {
  const open = threatsIn(telling.matters);
  const [first, ...others] = open;
  if (first) {
    const line = tell({ ...telling, size: { ...telling.size, quotes: 2 } }, first);
    const also = customersOf(others).filter((each) => each !== first.customer);
    return [
      line && { ...line, text: `May leave or cut back: ${line.text}` },
      also.length === 0
        ? null
        : statement(`${someOf(also)} may leave or cut back, too.`, sourcesOf(others, also.slice(0, most)), [], mostSources),
    ];
  }
  const back = endedIn(telling, 'withdrawn').filter(({ kind }) => kind === 'leaving');
  const who = customersOf(back);
  if (who.length === 0) return [];
  return [
    statement(
      `No threat to leave stands: ${someOf(who)} withdrew ${who.length === 1 ? 'it' : 'theirs'}.`,
      sourcesOf(back, who.slice(0, most)),
      [],
      mostSources,
    ),
  ];
}

function gravest(telling: Telling): Statement | null {
  const [first, ...others] = problemsIn(telling.matters)
    .filter(({ customer }) => customer !== null)
    .toSorted((a, b) => b.severity - a.severity || b.weight - a.weight);
  if (!first) return null;
  const line = tell({ ...telling, size: { ...telling.size, quotes: 1 } }, first);
  const many = others.filter(({ severity }) => severity >= 3).length;
  return (
    line && {
      ...line,
      text: `${first.severity < 3 ? 'First of the open problems' : many > 2 ? 'One of the gravest open problems' : 'Gravest open problem'}: ${line.text}`,
    }
  );
}

function ended(telling: Telling): Statement | null {
  const over = endedIn(telling, 'resolved').filter(({ kind, features }) => features.length > 0 && kind !== 'praise' && kind !== 'rest');
  if (over.length === 0) return null;
  const wishes = over.filter(({ kind }) => kind !== 'problem');
  const problems = over.filter(({ kind }) => kind === 'problem');
  const shown = (matters: readonly Matter[]): Matter[] =>
    matters.filter((each, i) => matters.findIndex((other) => labelOf(other) === labelOf(each)) === i).slice(0, most);
  const text = [
    ...(problems.length > 0 ? [`Problems solved in the period: ${listed(shown(problems).map(labelOf))}.`] : []),
    ...(wishes.length > 0 ? [`Requests delivered: ${listed(shown(wishes).map(labelOf))}.`] : []),
  ].join(' ');
  const told = [...shown(problems), ...shown(wishes)];
  return statement(
    text,
    sourcesOf(
      told,
      told.flatMap(({ features, customer }) => [features[0]!, customer ?? '']),
    ),
    [],
    4 * most,
  );
}

const labelOf = ({ features, customer }: Matter): string => `${features[0]!}${customer === null ? '' : ` (${customer})`}`;

function asked(matters: readonly Matter[]): Statement | null {
  const [top] = perFeature(requestsIn(matters));
  if (!top) return null;
  const [feature, own] = top;
  const who = customersOf(own);
  if (who.length < 2 && own.length < 2) return null;
  return statement(
    `Most is asked for in ${feature}, by ${someOf(who) || 'customers'}.`,
    sourcesOf(own, [feature, ...who.slice(0, most)]),
    [],
    mostSources,
  );
}

const decisions = 6;

/** Decisions that the evidence asks for: threats first, then problems, requests, contradictions. */
export function toDecide({ matters }: Telling): (Statement | null)[] {
  const problems = perFeature(problemsIn(matters).filter(({ severity }) => severity >= 2)).slice(0, 2);
  const wishes = perFeature(requestsIn(matters)).slice(0, 2);
  return [
    ...threatsIn(matters)
      .slice(0, 3)
      .map((each) =>
        statement(
          `What is ${each.customer ?? 'the customer'} offered, by whom and by when? It may leave or cut back${over(each)}, as said on ${dateOf(lastOf(each).at)}.`,
          sourcesOf([each], [each.customer ?? '', ...each.features.slice(0, 2), ...each.competitors]),
          [],
          mostSources,
        ),
      ),
    ...problems.map(([feature, own]) => {
      const who = someOf(customersOf(own)) || 'customers';
      const first = firstOf(own);
      const text =
        own.length === 1
          ? `Is the open problem of ${who} with ${feature} repaired next? It is open since ${dateOf(first.at)}.`
          : `Which of the open problems with ${feature} is repaired next? They are told by ${who}, the first on ${dateOf(first.at)}.`;
      return statement(text, sourcesOf(own, [feature, ...customersOf(own).slice(0, most)], [first]), [], mostSources);
    }),
    ...wishes.map(([feature, own]) =>
      statement(
        `Is what ${someOf(customersOf(own)) || 'customers'} asked for in ${feature} promised, with a date, or declined? The oldest request is of ${dateOf(firstOf(own).at)}.`,
        sourcesOf(own, [feature, ...customersOf(own).slice(0, most)], [firstOf(own)]),
        [],
        mostSources,
      ),
    ),
    ...contradictionsIn(matters)
      .slice(0, 1)
      .map(({ feature, bad, good }) =>
        statement(
          `Why do ${bad.customers[0]!} and ${good.customers[0]!} judge ${feature} differently? Ask both before anything is changed.`,
          [bad, good],
        ),
      ),
  ]
    .filter((each) => each !== null)
    .slice(0, decisions);
}

const over = ({ features, competitors }: Matter): string =>
  `${features.length === 0 ? '' : ` over ${listed(features.slice(0, 2))}`}${competitors.length === 0 ? '' : ` (${listed(competitors)} named)`}`;

/** By the first feature, those first that most customers speak of. */
const perFeature = (matters: readonly Matter[]): [string, Matter[]][] =>
  [
    ...Map.groupBy(
      matters.filter(({ features }) => features.length > 0),
      ({ features }) => features[0]!,
    ),
  ].toSorted(([, a], [, b]) => customersOf(b).length - customersOf(a).length || heaviest(b) - heaviest(a));
const heaviest = (matters: readonly Matter[]): number => Math.max(...matters.map(({ weight }) => weight));
