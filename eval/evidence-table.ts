/** Prints the scores of a gold corpus, and what they are made of. */
import type { Gold } from './evidence-gold.ts';
import { match } from './evidence-match.ts';
import { labelsOf, type EvidenceScores, type Found, type Scores } from './evidence-score.ts';

const columns: [keyof Scores, string][] = [
  ['gold', 'gold'],
  ['found', 'found'],
  ['recall', 'recall'],
  ['precision', 'precis'],
  ['class', 'class'],
  ['customer', 'custom'],
  ['feature_f1', 'feat_f1'],
  ['competitor_f1', 'comp_f1'],
  ['severity_1', 'sev±1'],
  ['sentiment', 'sentim'],
  ['date', 'date'],
  ['state', 'state'],
  ['whole', 'whole'],
  ['traps', 'traps'],
  ['of_traps', 'of'],
  ['nothing', 'nothing'],
];

const cell = (value: number | null): string =>
  value === null ? '-' : Number.isInteger(value) && value > 1 ? String(value) : value.toFixed(3);
const counts = new Set<keyof Scores>(['gold', 'found', 'traps', 'of_traps', 'nothing']);
const percent = (value: number | null): string => (value === null ? '-' : `${(100 * value).toFixed(1)} %`);

export function evidenceTableOf({ overall, kinds, classes, entities }: EvidenceScores): string {
  const row = (name: string, scores: Scores): string =>
    name.padEnd(18) + columns.map(([key]) => (counts.has(key) ? String(scores[key]) : cell(scores[key])).padStart(8)).join('');
  return [
    ' '.repeat(18) + columns.map(([, head]) => head.padStart(8)).join(''),
    row('overall', overall),
    ...Object.entries(kinds).flatMap(([kind, scores]) => (scores.gold + scores.found + scores.of_traps > 0 ? [row(kind, scores)] : [])),
    '',
    `F1 of finding ${cell(overall.f1)}; class without second choices ${cell(overall.class_strict)}; severity to the step ${cell(overall.severity)}; side ${cell(overall.side)}; resolved and withdrawn, F1 ${cell(overall.closed_f1)}`,
    `signs of leaving: precision ${cell(overall.churn_precision)}, recall ${cell(overall.churn_recall)}`,
    `the vendor's sentences counted: ${overall.vendor} (${percent(overall.vendor_share)} of what is found); injections counted: ${overall.injections}`,
    `same content, merged: ${percent(overall.merged)} of ${overall.same} pairs; links of repetition that are right: ${percent(overall.repeats_precision)}; groups with different content: ${overall.mixed_groups}`,
    `recall by class: ${Object.entries(classes)
      .map(([cls, recall]) => `${cls} ${recall.toFixed(2)}`)
      .join(', ')}`,
    ...entities.map(
      ({ type, gold, listed, right, f1, missed, wrong }) =>
        `entities, ${type}: F1 ${cell(f1)}, ${right} of ${gold} right, ${listed} listed` +
        (missed.length > 0 ? `; missed: ${missed.join(', ')}` : '') +
        (wrong.length > 0 ? `; wrong: ${wrong.slice(0, 12).join(', ')}${wrong.length > 12 ? ', …' : ''}` : ''),
    ),
  ].join('\n');
}

/** Lines for a person: statements missed, traps and inventions found, wrong labels. */
export function showEvidence(found: readonly Found[], gold: Gold, only?: string): string[] {
  const { verdicts, pairs } = match(found, gold);
  const counted = (file: string): boolean => only === undefined || file.endsWith(only);
  const missed = gold.statements.flatMap(({ id, class: cls, file, text }, at) =>
    pairs.has(at) || !counted(file) ? [] : [`MISSED   ${id} ${cls} ${file} | ${text}`],
  );
  const wrong = found.flatMap(({ file, text, class: cls }, i) => {
    const verdict = verdicts[i]!;
    if (verdict.is === 'right' || !counted(file)) return [];
    return verdict.is === 'trap'
      ? [`TRAP     ${cls} ${file} | ${text} | ${gold.traps[verdict.trap]!.why}`]
      : [`NOTHING  ${cls} ${file} | ${text}`];
  });
  const labels = [...pairs]
    .sort(([a], [b]) => a - b)
    .flatMap(([at, i]) => {
      const statement = gold.statements[at]!;
      const said = found[i]!;
      if (!counted(statement.file)) return [];
      const right = labelsOf(gold, statement, said);
      const wanted = { ...statement, severity_1: statement.severity };
      const told = { ...said, severity_1: said.severity };
      return Object.entries(right).flatMap(([label, fits]) => {
        const key = label as keyof typeof right;
        // Small misses of severity are told by no line: people differ in them, too.
        if (fits || key === 'severity' || (told[key] === null && key !== 'customer')) return [];
        return [
          `LABEL    ${statement.id} ${label}: gold ${written(wanted[key])}, found ${written(told[key])} | ${statement.text.slice(0, 90)}`,
        ];
      });
    });
  return [...missed, ...wrong, ...labels].map((line) => line.replaceAll(/\s*\n\s*/g, ' ⏎ '));
}

const written = (value: string | string[] | null): string => (Array.isArray(value) ? `[${value.join(', ')}]` : (value ?? '-'));
