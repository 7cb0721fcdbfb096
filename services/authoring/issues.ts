/** Pure: drafts of issues, one per matter: no two issues for one bug. */
import type { IssueType, Template } from '../../contracts/authoring/authoring.ts';
import { tellingOf } from './blocks.ts';
import type { Matter } from './matters.ts';
import { onWhat, quoted, severe, shortened, told, totals, whoSays } from './phrases.ts';
import { isTrouble } from './polarity.ts';
import { tell, type Telling } from './tell.ts';
import type { Cited, Evidence, Issue, Statement } from './types.ts';
import { weightOf } from './weight.ts';

const most: Record<Template, number> = { lightweight: 2, standard: 5, detailed: 10 };
const titleLength = 90;

/** From what is open; what is solved or withdrawn is no work. */
export function issuesFrom(evidence: Evidence): Issue[] {
  const { issueType, template } = evidence.spec;
  const telling = tellingOf(evidence, { items: most[template], quotes: 3 });
  const matters = workIn(telling, issueType);
  if (issueType === 'epic') return [epic(telling, matters.slice(0, most[template]))];
  return together(matters, evidence)
    .slice(0, most[template])
    .map((each) => issueOf(telling, each, issueType));
}

/** Open problems, then requests; bugs are problems alone. Without any, what is asked or said. */
function workIn({ matters }: Telling, issueType: IssueType): Matter[] {
  const open = matters.filter(({ state, perhapsSolved }) => state === 'open' && perhapsSolved === null);
  const problems = open.filter(({ kind }) => kind === 'problem');
  const wishes = open.filter(({ kind }) => kind === 'request');
  const work =
    issueType === 'bug' ? problems : [...problems, ...wishes].toSorted((a, b) => b.weight - a.weight || a.id.localeCompare(b.id));
  if (work.length > 0 || issueType === 'bug') return work;
  const rest = open.filter(({ kind }) => kind !== 'praise');
  return rest.length > 0 ? rest : open.length > 0 ? open : [...matters];
}

/** Matters of several customers about one issue, or in nearly the same words, are one issue. */
function together(matters: readonly Matter[], evidence: Evidence): Matter[][] {
  const issues = new Set((evidence.ranked['issue'] ?? []).map(({ name }) => name));
  const keyOf = ({ said, id }: Matter): string =>
    said.flatMap(({ names }) => names).find((name) => issues.has(name)) ?? said.find(({ copies }) => copies > 1)?.group ?? id;
  return [...Map.groupBy(matters, keyOf).values()];
}

const kept = (statements: readonly (Statement | null)[]): Statement[] => statements.filter((each) => each !== null);

function issueOf(telling: Telling, matters: readonly Matter[], issueType: IssueType): Issue {
  const { evidence } = telling;
  const said = matters.flatMap((each) => each.said);
  const main = heaviest(matters[0]!.said, evidence);
  const features = [...new Set(matters.flatMap((each) => each.features))];
  const named = (evidence.ranked['issue'] ?? []).find(({ name }) => said.some(({ names }) => names.includes(name)));
  return {
    title: titleOf(matters[0]!, main, named?.name),
    description: kept(matters.map((matter) => tell(telling, matter))),
    criteria: matters
      .slice(0, 3)
      .map((matter) => criterion(heaviest(matter.said, evidence)))
      .filter((each, i, all) => all.findIndex(({ text }) => text === each.text) === i),
    labels: labels([main.class, ...features.slice(0, 2), evidence.spec.area]),
    priority: priorityOf(evidence, said),
    issue_type: issueType,
  };
}

const heaviest = (said: readonly Cited[], { filter }: Evidence): Cited => {
  const open = said.filter(({ state }) => state === 'open');
  return (open.length > 0 ? open : said).toSorted((a, b) => weightOf(b, filter.asOf) - weightOf(a, filter.asOf))[0]!;
};

function titleOf({ features }: Matter, main: Cited, issue: string | undefined): string {
  if (issue !== undefined) return `Fix: ${shortened(issue, titleLength)}`;
  const on = features.length === 0 ? '' : `${features[0]!}: `;
  return `${on}${shortened(main.statement, titleLength)}`;
}

function epic(telling: Telling, matters: readonly Matter[]): Issue {
  const { evidence } = telling;
  const about = evidence.opportunities[0]?.title ?? evidence.spec.entity?.name ?? evidence.title;
  return {
    title: shortened(about, 120),
    description: kept([
      totals(evidence),
      severe(evidence),
      ...evidence.opportunities.map(({ id, summary }) => told({ ref: id, excerpt: summary })),
      ...matters.map((matter) => tell(telling, matter)),
    ]),
    criteria: matters.slice(0, 6).map((matter) => criterion(heaviest(matter.said, evidence))),
    labels: labels([evidence.spec.entity?.type, evidence.spec.area, ...matters.flatMap(({ features }) => features).slice(0, 3)]),
    priority: priorityOf(
      evidence,
      matters.flatMap(({ said }) => said),
    ),
    issue_type: 'epic',
  };
}

/** What must be seen before it is done, with the words that it is held against. */
function criterion(cited: Cited): Statement {
  const who = whoSays(cited);
  const words = quoted(cited, 200);
  const on = onWhat(cited);
  const text = isTrouble(cited)
    ? `Given the situation that ${who} described${on}, it no longer happens, and ${who} confirms it: ${words}`
    : cited.class === 'request'
      ? `${who} can do what was asked for${on}, and confirms it: ${words}`
      : cited.class === 'question'
        ? `${who} has an answer${on}, in the product or its help: ${words}`
        : cited.class === 'praise'
          ? `What ${who} likes${on} stays as it is: ${words}`
          : `${who} confirms that this is taken care of${on}: ${words}`;
  return { text, sources: [cited.ref], figures: cited.copies > 1 ? [{ n: cited.copies, of: 'group', group: cited.group }] : [] };
}

const labels = (words: readonly (string | null | undefined)[]): string[] => [
  ...new Set(
    words.flatMap((word) => {
      const label = (word ?? '')
        .normalize('NFKD')
        .toLowerCase()
        .replace(/[^\p{L}\p{N}]+/gu, '-')
        .replace(/^-+|-+$/g, '')
        .slice(0, 40);
      return label === '' ? [] : [label];
    }),
  ),
];

/** By the opportunity's score (0 to 1000); otherwise by severity and the number of affected customers. */
function priorityOf(evidence: Evidence, said: readonly Cited[]): Issue['priority'] {
  const opportunity = evidence.opportunities[0];
  if (opportunity) return byScore(opportunity.score);
  return bySeverity(Math.max(0, ...said.map(({ severity }) => severity)), new Set(said.flatMap(({ customers }) => customers)).size);
}

export const byScore = (score: number): Issue['priority'] =>
  score >= 100 ? 'Highest' : score >= 40 ? 'High' : score >= 10 ? 'Medium' : 'Low';

function bySeverity(severity: number, customers: number): Issue['priority'] {
  if (severity >= 4 || (severity >= 3 && customers >= 3)) return 'Highest';
  if (severity >= 3 || customers >= 5) return 'High';
  return severity >= 2 || customers >= 2 ? 'Medium' : 'Low';
}
