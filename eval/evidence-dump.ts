/** What the rules make of each file, for a person's eyes: every unit with its voice, every statement with its labels. */
import type { Directory, Unit } from '../engines/evidence/types.ts';
import type { OfflineReading, ReadFile } from './evidence-offline.ts';

export function dumpOf({ files, directory }: OfflineReading, only?: string): string {
  const shown = files.filter(({ file }) => only === undefined || file === only);
  return [...directoryLines(directory), ...shown.flatMap(fileLines)].join('\n');
}

const list = (names: readonly string[]): string => (names.length > 0 ? ` (${names.join('; ')})` : '');
const said = (value: string | null | undefined): string => value ?? '-';

function directoryLines({ organisations, people, features }: Directory): string[] {
  return [
    '=== directory',
    ...organisations.map(
      ({ name, aliases, role, domains }) => `${role}: ${name}${list(aliases)}${domains.map((domain) => ` @${domain}`).join('')}`,
    ),
    ...people.map(
      ({ name, aliases, side, posts }) =>
        `${side} person: ${name}${list(aliases)} ${posts.map(({ organisation, from, until }) => `${organisation} ${said(from)}…${said(until)}`).join(', ')}`,
    ),
    ...features.map(
      ({ name, aliases, renamed }) => `feature: ${name}${list(aliases)}${renamed ? ` was ${renamed.from} until ${said(renamed.day)}` : ''}`,
    ),
  ];
}

function fileLines({ file, input, prepared: { layout, clues }, reading }: ReadFile): string[] {
  const textOf = ({ passage, start, end }: Pick<Unit, 'passage' | 'start' | 'end'>): string =>
    JSON.stringify(input.passages[passage]!.text.slice(start, end));
  return [
    '',
    `=== ${file}: ${layout.kind}, said ${layout.saidAt} by ${layout.saidBy}, author ${said(layout.author)}, organisations ${layout.organisations.join('; ')}`,
    ...layout.participants.map(
      ({ name, email, organisation, side }) => `participant ${name}, ${said(email)}, ${said(organisation)}, ${side}`,
    ),
    ...clues.map(({ kind, subject, object, day, weight }) => `clue ${kind} ${subject} | ${said(object)} | ${said(day)} | ${weight}`),
    '--- units',
    ...layout.units.map(
      (unit) =>
        `${unit.kind}${unit.omitted ? ` OMITTED ${unit.omitted}` : ''} [${[
          unit.speaker,
          unit.day,
          unit.section,
          unit.row && JSON.stringify(unit.row),
        ]
          .filter((part) => part)
          .join(' | ')}] ${textOf(unit)}`,
    ),
    '--- statements',
    ...reading.statements.map(
      ({ unit, class: cls, tone, severity, state, day, features, competitors, text, confidence }) =>
        `${cls} ${confidence.toFixed(2)} ${tone} ${severity} ${state} ${day} ${unit.side} ${said(unit.person)} / ${said(unit.customer)} [${[...features, ...competitors].join('; ')}] ${JSON.stringify(text)}`,
    ),
    '--- left out',
    ...reading.left.map((left) => `${left.why} ${textOf(left)}`),
  ];
}
