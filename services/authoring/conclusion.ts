/** Pure: what a report concludes, and what it asks to decide: each from counted or dated evidence. */
import { contradictionsIn, type Matter } from './matters.ts';
import { dateOf, many } from './names.ts';
import { listed, statement } from './phrases.ts';
import { inPeriod } from './period.ts';
import type { Telling } from './tell.ts';
import type { Cited, Evidence, Statement } from './types.ts';

const lastOf = ({ said }: Matter): Cited => said.at(-1)!;
const customersOf = (matters: readonly Matter[]): string[] => [...new Set(matters.flatMap(({ customer }) => customer ?? []))];
const sourcesOf = (matters: readonly Matter[]): Cited[] => matters.map((each) => each.settledBy ?? lastOf(each));

/** Customers who may leave: their threat is real and stands. */
export const threatsIn = (matters: readonly Matter[]): Matter[] => matters.filter(({ kind, state }) => kind === 'leaving' && state === 'open');
/** Open problems that no later statement of the customer makes doubtful. */
export const problemsIn = (matters: readonly Matter[]): Matter[] =>
  matters.filter(({ kind, state, perhapsSolved }) => kind === 'problem' && state === 'open' && perhapsSolved === null);
export const requestsIn = (matters: readonly Matter[]): Matter[] => matters.filter(({ kind, state }) => kind === 'request' && state === 'open');
export const endedIn = (telling: Telling, state: 'resolved' | 'withdrawn'): Matter[] =>
  telling.matters.filter((each) => each.state === state && each.settledBy !== null && inPeriod(each.settledBy.at, telling.evidence.filter));

const most = 3;

export function conclusion(telling: Telling): (Statement | null)[] {
  const { matters } = telling;
  return [threats(telling), gravest(matters, telling.evidence), ended(telling), asked(matters)];
}

function threats(telling: Telling): Statement | null {
  const open = threatsIn(telling.matters);
  const who = customersOf(open);
  if (who.length > 0) {
    const newest = open.map(lastOf).toSorted((a, b) => b.at.localeCompare(a.at))[0]!;
    const rivals = [...new Set(open.flatMap(({ competitors }) => competitors))];
    const to = rivals.length === 0 ? '' : `; ${listed(rivals)} ${rivals.length === 1 ? 'is' : 'are'} named`;
    return statement(`${listed(who.slice(0, most))} may leave or cut back${to}; last said on ${dateOf(newest.at)}.`, sourcesOf(open), [], 6);
  }
  const back = endedIn(telling, 'withdrawn').filter(({ kind }) => kind === 'leaving');
  if (back.length === 0) return null;
  return statement(`No threat to leave stands: ${listed(customersOf(back))} withdrew what ${customersOf(back).length === 1 ? 'was' : 'were'} said.`, sourcesOf(back), [], 6);
}

/** The open problem that hits most customers, else the gravest. */
function gravest(matters: readonly Matter[], evidence: Evidence): Statement | null {
  const open = problemsIn(matters);
  if (open.length === 0) return null;
  const byFeature = Map.groupBy(
    open.filter(({ features }) => features.length > 0),
    ({ features }) => features[0]!,
  );
  const [feature, own] = [...byFeature].toSorted(([, a], [, b]) => weight(b) - weight(a) || b.length - a.length)[0] ?? [null, [open[0]!]];
  const who = customersOf(own);
  const newest = own.map(lastOf).toSorted((a, b) => b.at.localeCompare(a.at))[0]!;
  const entity = (evidence.ranked['feature'] ?? []).find(({ name }) => name === feature);
  const counted = entity && entity.counts.problems.signals > 1 ? `, ${many(entity.counts.problems.signals, 'statement')}` : '';
  const from = who.length === 0 ? '' : ` at ${listed(who.slice(0, most))}`;
  return statement(
    `The gravest open problem is with ${feature ?? 'something without a name'}${from}${counted}, last said on ${dateOf(newest.at)}.`,
    sourcesOf(own),
    entity && counted !== '' ? [{ n: entity.counts.problems.signals, of: 'signals', entity: entity.id, set: 'problems' }] : [],
    6,
  );
}

const weight = (matters: readonly Matter[]): number =>
  customersOf(matters).length + Math.max(...matters.map((each) => each.severity * 2)) + Math.min(3, matters.length) / 2;

function ended(telling: Telling): Statement | null {
  const solved = endedIn(telling, 'resolved').filter(({ kind }) => kind === 'problem' || kind === 'request' || kind === 'question');
  const named = solved.filter(({ features }) => features.length > 0);
  if (named.length === 0) return null;
  const list = [...new Set(named.map((each) => `${each.features[0]!}${each.customer === null ? '' : ` at ${each.customer}`}`))];
  return statement(`Solved or delivered in the period: something about ${listed(list.slice(0, most))}.`, sourcesOf(named), [], most);
}

function asked(matters: readonly Matter[]): Statement | null {
  const open = requestsIn(matters).filter(({ features }) => features.length > 0);
  if (open.length === 0) return null;
  const [feature, own] = [...Map.groupBy(open, ({ features }) => features[0]!)].toSorted(
    ([, a], [, b]) => customersOf(b).length - customersOf(a).length || b.length - a.length,
  )[0]!;
  return statement(`Most is asked for in ${feature}, by ${listed(customersOf(own).slice(0, most)) || 'customers'}.`, sourcesOf(own), [], 6);
}

const decisions = 5;

/** Decisions that the evidence asks for: threats first, then problems, requests, contradictions. */
export function toDecide(telling: Telling): (Statement | null)[] {
  const { matters } = telling;
  const threat = threatsIn(matters).slice(0, 3);
  const problems = perFeature(problemsIn(matters)).slice(0, 2);
  const wishes = perFeature(requestsIn(matters).toSorted((a, b) => a.said[0]!.at.localeCompare(b.said[0]!.at))).slice(0, 2);
  return [
    ...threat.map((each) =>
      statement(
        `What is ${each.customer ?? 'the customer'} offered, by whom and by when? It may leave or cut back${over(each)} (said on ${dateOf(lastOf(each).at)}).`,
        [lastOf(each)],
      ),
    ),
    ...problems.map(([feature, own]) =>
      statement(
        `Is the open problem with ${feature} repaired next? It is open at ${listed(customersOf(own)) || 'customers'} since ${dateOf(own.flatMap(({ said }) => said)[0]!.at)}.`,
        own.flatMap(({ said }) => [said[0]!, said.at(-1)!]),
        [],
        6,
      ),
    ),
    ...wishes.map(([feature, own]) =>
      statement(
        `Is what ${listed(customersOf(own)) || 'customers'} asked for in ${feature} promised, with a date, or declined? The oldest request is of ${dateOf(own[0]!.said[0]!.at)}.`,
        own.map(({ said }) => said[0]!),
        [],
        6,
      ),
    ),
    ...contradictionsIn(matters)
      .slice(0, 1)
      .map(({ feature, bad, good }) =>
        statement(`Why do ${bad.customers[0]!} and ${good.customers[0]!} judge ${feature} differently? Ask both before anything is changed.`, [bad, good]),
      ),
  ]
    .filter((each) => each !== null)
    .slice(0, decisions);
}

const over = ({ features, competitors }: Matter): string =>
  `${features.length === 0 ? '' : ` over ${listed(features.slice(0, 2))}`}${competitors.length === 0 ? '' : `, ${listed(competitors)} is named`}`;

const perFeature = (matters: readonly Matter[]): [string, Matter[]][] =>
  [...Map.groupBy(matters.filter(({ features }) => features.length > 0), ({ features }) => features[0]!)].toSorted(
    ([, a], [, b]) => customersOf(b).length - customersOf(a).length || Math.max(...b.map((each) => each.weight)) - Math.max(...a.map((each) => each.weight)),
  );
