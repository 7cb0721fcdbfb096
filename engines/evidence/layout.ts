import { addressesMachine } from './addressed.ts';
import { blocksOf, linesOf, type Block } from './layout-blocks.ts';
import { kindOf } from './layout-kind.ts';
import { namesInHead, namesInSignature } from './layout-organisations.ts';
import { sideOfRole, withTurns } from './layout-labelled.ts';
import { mailParts, signatureNames } from './layout-mail.ts';
import { initials, proseOf, together } from './layout-notes.ts';
import { mailbox, peopleIn, standingOf } from './layout-people.ts';
import { isAutomatic, readSheet, sheetsOf } from './layout-rows.ts';
import { speechIn } from './layout-speech.ts';
import { sentencesOf } from './statements-sentences.ts';
import { dayIn, turnUnits } from './layout-turns.ts';
import type { EvidenceInput, Layout, Omission, Participant, Unit } from './types.ts';
import { datesIn } from './when-dates.ts';
import { notesOf, whenSaid } from './when.ts';

/** Splits a document into units with one voice each, and reads who takes part, and when. */
export function layoutOf(input: EvidenceInput): Layout {
  const { blocks, thread } =
    typeof input.found.from === 'string' ? { blocks: blocksOf(input.passages), thread: false } : speechIn(blocksOf(withTurns(input)));
  const kind = thread ? 'reviews' : kindOf(input, blocks);
  const read =
    kind === 'mail'
      ? readMail(input, blocks)
      : kind === 'call' || kind === 'chat' || thread
        ? readTurns(input, blocks)
        : kind === 'tickets' || kind === 'survey' || kind === 'reviews'
          ? readRows(input, blocks)
          : readProse(input, blocks);
  const said = whenSaid(input, read.head, read.days);
  const units = read.units.flatMap((unit) => quarantined(unit, input.passages[unit.passage]!.text));
  const participants = together([...toldPeople(input), ...givenPeople(input), ...read.participants]);
  const known = read.author === null ? participants : [...participants, ...peopleIn(read.author)];
  const title = /^\d+[.)]/.test(input.title) ? [] : [titleOf(input)];
  // Below its title, an overview or a paper about competitors begins with what it lists.
  const above = kind === 'overview' || kind === 'rivals' ? read.head.slice(0, 1) : read.head;
  // The subject of a mail is a sentence, that of a public thread a question; neither is a head.
  const head = kind === 'mail' || thread ? [] : [...notesOf(input), ...above, ...title];
  return {
    kind,
    ...said,
    author: read.author,
    legend: Object.fromEntries(read.legend),
    participants,
    organisations: [...new Set([...read.organisations, ...head.flatMap((line) => namesInHead(line, known))])],
    units:
      kind === 'overview' || kind === 'rivals'
        ? units.map((unit) => ({ ...unit, omitted: unit.omitted ?? (kind === 'overview' ? 'marketing' : 'hearsay') }))
        : units,
  };
}

/** A file's name is its title without what names its format. */
const titleOf = ({ title, origin }: EvidenceInput): string => (title === origin ? title.replace(/\.\p{L}[\p{L}\d]{0,5}$/u, '') : title);

interface Read {
  units: Unit[];
  participants: Participant[];
  author: string | null;
  organisations: string[];
  /** Lines above the text. */
  head: string[];
  /** ISO days of rows. */
  days: string[];
  /** Names by their abbreviation. */
  legend: Map<string, string>;
}

const nothing: Read = { units: [], participants: [], author: null, organisations: [], head: [], days: [], legend: new Map() };

const toldPeople = ({ people = [] }: EvidenceInput): Participant[] =>
  people.map(({ name, side, customer }) => ({ name, email: null, organisation: customer, side, told: true }));

const givenPeople = ({ given }: EvidenceInput): Participant[] =>
  [given.speaker, ...(Array.isArray(given.participants) ? given.participants : [])]
    .filter((entry) => typeof entry === 'string')
    .flatMap(peopleIn);

function readTurns(input: EvidenceInput, blocks: readonly Block[]): Read {
  const spokenFrom = blocks.findIndex((block) => block.kind === 'turn');
  // The first post's day stands above it.
  const firstTurn = blocks[spokenFrom - 1]?.kind === 'heading' && blocks[spokenFrom - 1]!.level === 0 ? spokenFrom - 1 : spokenFrom;
  const head = blocks.slice(0, firstTurn);
  const { units, participants, author, legend } = proseOf(head);
  // Initials before a name would make another name.
  const lines = head.flatMap(({ text }) => text.split('\n').map((line) => (legend.size > 0 ? line.replace(initials, '$2') : line)));
  // "On the line: A B (Acme)" reads like a turn.
  const turns = blocks.slice(firstTurn);
  const listed = turns.filter(({ speaker, text }) => speaker !== null && attends(speaker) && peopleIn(text).length > 0);
  const spoken = turns.filter((block) => !listed.includes(block));
  for (const block of spoken) if (block.speaker !== null) block.speaker = legend.get(block.speaker) ?? block.speaker;
  const said = turnUnits(spoken, null, input.arrivedAt);
  // A group in whose name the program writes is nobody.
  const speakers = [...new Set(said.flatMap(({ speaker, omitted }) => (omitted === 'automatic' ? [] : (speaker ?? []))))];
  return {
    ...nothing,
    units: [
      ...units.map((unit) => ({ ...unit, omitted: unit.omitted ?? ('header' as const) })),
      ...listed.map((block) => ({ ...turnUnits([block], null, input.arrivedAt)[0]!, omitted: 'header' as const })),
      ...said,
    ],
    participants: [
      ...participants,
      ...lines.flatMap((line) => (legend.size > 0 ? peopleIn(line) : [])),
      ...listed.flatMap(({ text }) => peopleIn(text)),
      ...speakers.map(speakerOf),
    ],
    author,
    head: lines,
    days: said.flatMap(({ day }) => day ?? []),
    legend,
  };
}

const attends = (speaker: string): boolean =>
  proseOf([{ passage: 0, start: 0, end: 0, kind: 'paragraph', text: `${speaker}: `, speaker: null, level: 0, goesOn: false }]).kinds.has(
    'attendance',
  );

/** "Elm Press night shift" is not Elm Press. */
const goesOn = (speaker: string, name: string): boolean => speaker.startsWith(name) && /^\s+\p{Ll}/u.test(speaker.slice(name.length));

/** "Ann Lee (Acme)", "Agent", "Customer 2". */
function speakerOf(speaker: string): Participant {
  const [person] = peopleIn(speaker.replace(/,/g, ' '));
  const side = sideOfRole(speaker) ?? 'unknown';
  // "ann.f (Acme)" has no name of a person, and is one.
  const nick = person === undefined ? /^([^()]{1,60}) \(([^()]{2,60})\)$/u.exec(speaker) : null;
  if (nick !== null) {
    const beside = standingOf(nick[2]!);
    return { name: nick[1]!, email: null, organisation: beside.organisation, side: beside.side === 'unknown' ? side : beside.side };
  }
  return {
    name: person === undefined || goesOn(speaker, person.name) ? speaker : person.name,
    email: person?.email ?? null,
    organisation: person?.organisation ?? null,
    side: person?.side === 'unknown' || person === undefined ? side : person.side,
  };
}

function readMail(input: EvidenceInput, blocks: readonly Block[]): Read {
  const { found } = input;
  const text = (value: unknown): string[] =>
    typeof value === 'string' ? [value] : Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
  const from = text(found.from).map(mailbox)[0];
  const others = [...text(found.to), ...text(found.cc)].map(mailbox);
  const sender = from === undefined ? null : from.name || from.email;
  const parts = mailParts(blocks, from?.name ?? null);
  const own = parts.filter(({ omitted }) => omitted === null).map(({ block, start, end }) => block.text.slice(start, end));
  const automatic = found.auto_submitted === true || isAutomatic(input.title, own.join('\n'));
  const units = parts.map(({ block, start, end, omitted, sender: writer, sent }): Unit => {
    const older = writer !== null;
    return {
      passage: block.passage,
      start: block.start + start,
      end: block.start + end,
      kind: block.kind === 'item' ? 'item' : 'paragraph',
      speaker: older ? mailbox(writer).name : sender,
      day: older && sent !== null ? dayIn(sent, input.arrivedAt) : typeof found.sent_day === 'string' ? found.sent_day : null,
      section: null,
      row: null,
      omitted: automatic && omitted === null ? 'automatic' : omitted,
    };
  });
  const forwarded = [
    ...new Set(parts.flatMap(({ forwarded: is, omitted, sender: writer }) => (is && omitted === null && writer !== null ? [writer] : []))),
  ].map(mailbox);
  const signature = parts
    .filter(({ omitted }) => omitted === 'signature')
    .flatMap(({ block, start, end }) => block.text.slice(start, end).split('\n'));
  return {
    ...nothing,
    units: units.filter(({ start, end }) => start < end),
    participants: [from, ...others, ...forwarded].flatMap((person) =>
      person === undefined || (person.name === '' && person.email === null)
        ? []
        : [{ name: person.name || person.email!, email: person.email, organisation: null, side: 'unknown' as const }],
    ),
    author: sender,
    organisations: namesInSignature(
      signatureNames(signature, (forwarded[0] ?? from)?.name ?? null),
      (forwarded[0] ?? from)?.email?.split('@')[1] ?? null,
    ),
  };
}

function readRows(input: EvidenceInput, blocks: readonly Block[]): Read {
  const sheets = sheetsOf(blocks).map((sheet) => readSheet(sheet, input.arrivedAt));
  return { ...nothing, units: sheets.flatMap(({ units }) => units), days: sheets.flatMap(({ days }) => days) };
}

/** Tables in notes hold what was said, too. */
function readProse(input: EvidenceInput, blocks: readonly Block[]): Read {
  const tables = sheetsOf(blocks)
    .map((sheet) => readSheet(sheet, input.arrivedAt))
    .filter(({ roles: columns }) => columns.includes('body'));
  const { units, participants, author, head, kinds, legend } = proseOf(
    tables.length === 0 ? blocks : blocks.filter(({ kind }) => kind !== 'row'),
  );
  // "Export too slow": a text of nothing but a line or two is no head without a text.
  const bare =
    kinds.size === 0 &&
    blocks.every(({ kind, text }) => kind === 'paragraph' && datesIn(text.replace(/\s+/g, ' ')).length === 0) &&
    units.every(({ omitted }) => omitted === 'header');
  if (bare) return { ...nothing, units: units.map((unit) => ({ ...unit, omitted: null })) };
  return { ...nothing, units: [...units, ...tables.flatMap((table) => table.units)], participants, author, head, legend };
}

/** Splits off what is addressed to a machine: from its first sentence to the end of the unit. */
function quarantined(unit: Unit, passage: string): Unit[] {
  const text = passage.slice(unit.start, unit.end);
  if (unit.omitted === 'instruction' || !addressesMachine(text)) return [unit];
  const lines = unit.kind === 'turn' ? linesOf(text) : [{ start: 0, end: text.length }];
  const pieces = lines.flatMap((line) => sentencesOf(text, line, 'notes'));
  const first = pieces.findIndex(({ start, end }) => addressesMachine(text.slice(start, end)));
  const instruction: Omission = 'instruction';
  if (first <= 0) return [{ ...unit, omitted: instruction }];
  const cut = unit.start + pieces[first]!.start;
  return [
    { ...unit, end: unit.start + pieces[first - 1]!.end },
    { ...unit, start: cut, omitted: instruction },
  ];
}
