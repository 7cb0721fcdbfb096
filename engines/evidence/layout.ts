import { addressesMachine } from './addressed.ts';
import { blocksOf, linesOf, type Block } from './layout-blocks.ts';
import { kindOf } from './layout-kind.ts';
import { namesInHead, namesInSignature } from './layout-organisations.ts';
import { sideOfRole, withTurns } from './layout-labelled.ts';
import { mailParts, signatureNames } from './layout-mail.ts';
import { proseOf, together } from './layout-notes.ts';
import { mailbox, peopleIn } from './layout-people.ts';
import { isAutomatic, readSheet, sheetsOf } from './layout-rows.ts';
import { sentencesOf } from './statements-sentences.ts';
import { dayIn, turnUnits } from './layout-turns.ts';
import type { EvidenceInput, Layout, Omission, Participant, Unit } from './types.ts';
import { datesIn } from './when-dates.ts';
import { notesOf, whenSaid } from './when.ts';

/** Splits a document into units with one voice each, and reads who takes part, and when. */
export function layoutOf(input: EvidenceInput): Layout {
  const blocks = blocksOf(withTurns(input));
  const kind = kindOf(input, blocks);
  const read =
    kind === 'mail'
      ? readMail(input, blocks)
      : kind === 'call' || kind === 'chat'
        ? readTurns(input, blocks)
        : kind === 'tickets' || kind === 'survey' || kind === 'reviews'
          ? readRows(input, blocks)
          : readProse(blocks);
  const said = whenSaid(input, read.head, read.days);
  const units = read.units.flatMap((unit) => quarantined(unit, input.passages[unit.passage]!.text));
  const participants = together([...toldPeople(input), ...givenPeople(input), ...read.participants]);
  const known = read.author === null ? participants : [...participants, ...peopleIn(read.author)];
  // The subject of a mail is a sentence, not a head line.
  const title = /^\d+[.)]/.test(input.title) ? [] : [input.title];
  const head = kind === 'mail' ? [] : [...notesOf(input), ...read.head, ...title];
  return {
    kind,
    ...said,
    author: read.author,
    participants,
    organisations: [...new Set([...read.organisations, ...head.flatMap((line) => namesInHead(line, known))])],
    units:
      kind === 'overview' || kind === 'rivals'
        ? units.map((unit) => ({ ...unit, omitted: unit.omitted ?? (kind === 'overview' ? 'marketing' : 'hearsay') }))
        : units,
  };
}

interface Read {
  units: Unit[];
  participants: Participant[];
  author: string | null;
  organisations: string[];
  /** Lines above the text. */
  head: string[];
  /** ISO days of rows. */
  days: string[];
}

const nothing: Read = { units: [], participants: [], author: null, organisations: [], head: [], days: [] };

const toldPeople = ({ people = [] }: EvidenceInput): Participant[] =>
  people.map(({ name, side, customer }) => ({ name, email: null, organisation: customer, side, told: true }));

const givenPeople = ({ given }: EvidenceInput): Participant[] =>
  [given.speaker, ...(Array.isArray(given.participants) ? given.participants : [])]
    .filter((entry) => typeof entry === 'string')
    .flatMap(peopleIn);

function readTurns(input: EvidenceInput, blocks: readonly Block[]): Read {
  const firstTurn = blocks.findIndex((block) => block.kind === 'turn');
  const head = blocks.slice(0, firstTurn);
  const lines = head.flatMap(({ text }) => text.split('\n'));
  const { units, participants, author } = proseOf(head);
  // "On the line: A B (Acme)" reads like a turn.
  const turns = blocks.slice(firstTurn);
  const listed = turns.filter(({ speaker, text }) => speaker !== null && attends(speaker) && peopleIn(text).length > 0);
  const spoken = turns.filter((block) => !listed.includes(block));
  const speakers = [...new Set(spoken.flatMap(({ speaker }) => speaker ?? []))];
  return {
    ...nothing,
    units: [
      ...units.map((unit) => ({ ...unit, omitted: unit.omitted ?? ('header' as const) })),
      ...listed.map((block) => ({ ...turnUnits([block], null, input.arrivedAt)[0]!, omitted: 'header' as const })),
      ...turnUnits(spoken, null, input.arrivedAt),
    ],
    participants: [...participants, ...listed.flatMap(({ text }) => peopleIn(text)), ...speakers.map(speakerOf)],
    author,
    head: lines,
  };
}

const attends = (speaker: string): boolean =>
  proseOf([{ passage: 0, start: 0, end: 0, kind: 'paragraph', text: `${speaker}: `, speaker: null, level: 0, goesOn: false }]).kinds.has(
    'attendance',
  );

/** "Ann Lee (Acme)", "Agent", "Customer 2". */
function speakerOf(speaker: string): Participant {
  const [person] = peopleIn(speaker.replace(/,/g, ' '));
  const side = sideOfRole(speaker) ?? 'unknown';
  return {
    name: person?.name ?? speaker,
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
  const units = parts.map(({ block, start, end, omitted, sender: writer, sent, forwarded }): Unit => {
    const older = omitted === 'quoted' && writer !== null;
    return {
      passage: block.passage,
      start: block.start + start,
      end: block.start + end,
      kind: block.kind === 'item' ? 'item' : 'paragraph',
      speaker: older ? mailbox(writer).name : sender,
      day: older && sent !== null ? dayIn(sent, input.arrivedAt) : typeof found.sent_day === 'string' ? found.sent_day : null,
      section: null,
      row: null,
      omitted: automatic && omitted === null ? 'automatic' : forwarded && own.length <= 2 && omitted === 'quoted' ? 'quoted' : omitted,
    };
  });
  const signature = parts
    .filter(({ omitted }) => omitted === 'signature')
    .flatMap(({ block, start, end }) => block.text.slice(start, end).split('\n'));
  return {
    ...nothing,
    units: units.filter(({ start, end }) => start < end),
    participants: [from, ...others].flatMap((person) =>
      person === undefined || (person.name === '' && person.email === null)
        ? []
        : [{ name: person.name || person.email!, email: person.email, organisation: null, side: 'unknown' as const }],
    ),
    author: sender,
    organisations: namesInSignature(signatureNames(signature, from?.name ?? null), from?.email?.split('@')[1] ?? null),
  };
}

function readRows(input: EvidenceInput, blocks: readonly Block[]): Read {
  const sheets = sheetsOf(blocks).map((sheet) => readSheet(sheet, input.arrivedAt));
  return { ...nothing, units: sheets.flatMap(({ units }) => units), days: sheets.flatMap(({ days }) => days) };
}

function readProse(blocks: readonly Block[]): Read {
  const { units, participants, author, head, kinds } = proseOf(blocks);
  // "Export too slow": a text of nothing but a line or two is no head without a text.
  const bare =
    kinds.size === 0 &&
    blocks.every(({ kind, text }) => kind === 'paragraph' && datesIn(text.replace(/\s+/g, ' ')).length === 0) &&
    units.every(({ omitted }) => omitted === 'header');
  return bare
    ? { ...nothing, units: units.map((unit) => ({ ...unit, omitted: null })) }
    : { ...nothing, units, participants, author, head };
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
