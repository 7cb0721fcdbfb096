/** Pure: drafts of issues, one per subject. */
import type { IssueType, Template } from '../../contracts/authoring/authoring.ts';
import type { SignalClass } from '../../contracts/signals/signals.ts';
import { moved, quote, reported, severe, shortened, told, totals } from './phrases.ts';
import type { Cited, Evidence, Issue, Ranked, SampleSet, Statement } from './types.ts';

const most: Record<Template, number> = { lightweight: 2, standard: 5, detailed: 10 };

/** At least one: from entities; without entities, from statements. */
export function issuesFrom(evidence: Evidence): Issue[] {
  const { issueType, template } = evidence.spec;
  if (issueType === 'epic') return [epic(evidence)];
  const entities = candidates(evidence, issueType).slice(0, most[template]);
  if (entities.length > 0) return entities.map((entity) => ofEntity(evidence, entity, issueType));
  const classes: SignalClass[] = issueType === 'bug' ? ['bug', 'complaint'] : ['request', 'bug', 'complaint', 'churn_risk', 'question'];
  const ids = classes.flatMap((each) => evidence.quotes[each] ?? []).slice(0, most[template]);
  return ids.flatMap((id) => ofQuote(evidence, id, issueType));
}

const things = ['issue', 'feature', 'product', 'theme'];

/** Entities that can be worked on, the draft's own entity first. */
function candidates(evidence: Evidence, issueType: IssueType): Ranked[] {
  const own = evidence.spec.entity?.id;
  const wanted = (entity: Ranked): number => entity.counts.problems.signals + (issueType === 'bug' ? 0 : entity.counts.requests.signals);
  return things
    .flatMap((type) => evidence.ranked[type] ?? [])
    .filter((entity) => wanted(entity) > 0)
    .toSorted((a, b) => Number(b.id === own) - Number(a.id === own) || wanted(b) - wanted(a) || a.id.localeCompare(b.id));
}

const kept = (statements: readonly (Statement | null)[]): Statement[] => statements.filter((each) => each !== null);

function ofEntity(evidence: Evidence, entity: Ranked, issueType: IssueType): Issue {
  const asked: SampleSet = entity.counts.problems.signals > 0 ? 'problems' : 'requests';
  const ids = [...new Set([...entity.samples.problems, ...(issueType === 'bug' ? [] : entity.samples.requests)])];
  return {
    title: titleOf(entity, asked),
    description: kept([
      reported(evidence, entity, 'problems'),
      issueType === 'bug' ? null : reported(evidence, entity, 'requests'),
      moved(evidence, entity),
      ...ids.map((id) => quote(evidence, id)),
    ]),
    criteria: kept(ids.map((id) => criterion(evidence.signals[id]))),
    labels: labels([entity.type, entity.name, evidence.spec.area, ...ids.map((id) => evidence.signals[id]?.class)]),
    priority: priorityOf(evidence, entity),
    issue_type: issueType,
  };
}

const titleOf = ({ name, type }: Ranked, asked: SampleSet): string => {
  const short = shortened(name, 100);
  if (asked === 'requests') return `Meet the requests about ${short}`;
  return type === 'issue' ? `Fix: ${short}` : `Fix problems with ${short}`;
};

function ofQuote(evidence: Evidence, id: string, issueType: IssueType): Issue[] {
  const cited = evidence.signals[id];
  if (!cited) return [];
  return [
    {
      title: shortened(cited.statement, 100),
      description: kept([quote(evidence, id)]),
      criteria: kept([criterion(cited)]),
      labels: labels([cited.class, evidence.spec.area]),
      priority: evidence.opportunities[0] ? byScore(evidence.opportunities[0].score) : bySeverity(cited.severity, 1),
      issue_type: issueType,
    },
  ];
}

function epic(evidence: Evidence): Issue {
  const entities = candidates(evidence, 'epic').slice(0, most[evidence.spec.template]);
  const ids = [
    ...new Set([
      ...entities.flatMap(({ samples }) => [...samples.problems.slice(0, 1), ...samples.requests.slice(0, 1)]),
      ...Object.values(evidence.quotes).flatMap((each) => each.slice(0, 1)),
    ]),
  ].slice(0, 6);
  const about = evidence.opportunities[0]?.title ?? evidence.spec.entity?.name ?? evidence.title;
  return {
    title: shortened(about, 120),
    description: kept([
      totals(evidence),
      severe(evidence),
      ...evidence.opportunities.map(({ id, summary }) => told({ ref: id, excerpt: summary })),
      ...entities.map((entity) => reported(evidence, entity, entity.counts.problems.signals > 0 ? 'problems' : 'requests')),
    ]),
    criteria: kept(ids.map((id) => criterion(evidence.signals[id]))),
    labels: labels([evidence.spec.entity?.type, evidence.spec.area, ...entities.map(({ name }) => name).slice(0, 3)]),
    priority: priorityOf(
      evidence,
      evidence.ranked[evidence.spec.entity?.type ?? '']?.find(({ id }) => id === evidence.spec.entity?.id),
    ),
    issue_type: 'epic',
  };
}

/** An acceptance criterion: the opposite of this statement. */
function criterion(cited: Cited | undefined): Statement | null {
  if (!cited) return null;
  const who = cited.customers[0] ?? cited.author ?? 'somebody';
  const words = `“${shortened(cited.statement, 200)}”`;
  const texts: Partial<Record<SignalClass, string>> = {
    request: `What ${who} asked for works: ${words}`,
    question: `What ${who} asked has its answer: ${words}`,
    praise: `What ${who} praised stays: ${words}`,
  };
  return { text: texts[cited.class] ?? `What ${who} described no longer happens: ${words}`, sources: [cited.ref], figures: [] };
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
function priorityOf(evidence: Evidence, entity: Ranked | undefined): Issue['priority'] {
  const opportunity = evidence.opportunities[0];
  if (opportunity) return byScore(opportunity.score);
  return entity
    ? bySeverity(entity.severity, entity.counts.problems.customers + entity.counts.requests.customers)
    : bySeverity(evidence.severe.signals > 0 ? 3 : 1, evidence.totals.customers);
}

export const byScore = (score: number): Issue['priority'] =>
  score >= 100 ? 'Highest' : score >= 40 ? 'High' : score >= 10 ? 'Medium' : 'Low';

function bySeverity(severity: number, customers: number): Issue['priority'] {
  if (severity >= 4 || (severity >= 3 && customers >= 3)) return 'Highest';
  if (severity >= 3 || customers >= 5) return 'High';
  return severity >= 2 || customers >= 2 ? 'Medium' : 'Low';
}
