/** Long conversations with questions about them, in LoCoMo's layout. */
import { basename } from 'node:path';
import { read, type Collection, type Passage, type Query } from './datasets.ts';

interface Turn {
  speaker?: unknown;
  dia_id?: unknown;
  text?: unknown;
  /** Caption of an attached picture. */
  blip_caption?: unknown;
}

interface Question {
  question?: unknown;
  evidence?: unknown;
  category?: unknown;
}

export interface Conversations extends Collection {
  /** The turns of each session as one text, a line each: what is taken in. */
  sessions: Passage[];
  /** Questions that are left out: without evidence, or with evidence that no turn contains. */
  without: number;
  /** Ids given as evidence that no turn has. */
  unknown: number;
}

/**
 * Reads a JSON list of `{conversation: {session_N: [{speaker, dia_id, text}], session_N_date_time}, qa: [{question,
 * evidence: [dia_id], category}]}`. Each turn is a passage with its session's time as title, each session is a transcript
 * of its turns, and each conversation is a group. Evidence may be written in several ways: "D1:3", "D1:3; D2:4", "D1:03".
 * @throws Error when the file has another format
 */
export function readConversations(file: string): Conversations {
  let given: unknown;
  try {
    given = JSON.parse(read(file));
  } catch {
    throw new Error(`${file} is not JSON.`);
  }
  const samples = (Array.isArray(given) ? given : [given]) as { conversation?: unknown; qa?: unknown; sample_id?: unknown }[];
  const passages: Passage[] = [];
  const sessions: Passage[] = [];
  const queries: Query[] = [];
  let without = 0;
  let unknown = 0;
  for (const [n, sample] of samples.entries()) {
    if (typeof sample?.conversation !== 'object' || sample.conversation === null) {
      throw new Error(`${file}: entry ${n + 1} has no "conversation" with sessions.`);
    }
    const group = `${typeof sample.sample_id === 'string' ? sample.sample_id : 'conversation'}-${n + 1}`;
    const own = turnsOf(sample.conversation as Record<string, unknown>, group);
    passages.push(...own.values());
    sessions.push(...sessionsOf(own));
    for (const [i, { question, evidence, category }] of (Array.isArray(sample.qa) ? (sample.qa as Question[]) : []).entries()) {
      if (typeof question !== 'string' || question.trim() === '') continue;
      const ids = evidenceOf(evidence);
      const known = ids.flatMap((id) => own.get(id)?.id ?? []);
      unknown += ids.length - known.length;
      if (known.length === 0) without += 1;
      else
        queries.push({
          id: `${group}/${i + 1}`,
          text: question,
          group,
          judged: new Map(known.map((id) => [id, 1])),
          category: category === undefined || category === null ? 'none' : String(category),
        });
    }
  }
  if (queries.length === 0) throw new Error(`${file}: no question has evidence in its conversation.`);
  return { name: basename(file).replace(/\.json(\.gz)?$/, ''), passages, sessions, queries, without, unknown };
}

/** Turns by the ids that evidence uses, in the order of the sessions. A repeated id refers to the first turn. */
function turnsOf(conversation: Record<string, unknown>, group: string): Map<string, Passage> {
  const turns = new Map<string, Passage>();
  const sessions = Object.keys(conversation)
    .flatMap((key) => /^session_(\d+)$/.exec(key)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b);
  for (const session of sessions) {
    const said = conversation[`session_${session}`];
    const at = conversation[`session_${session}_date_time`];
    for (const [i, turn] of (Array.isArray(said) ? (said as (Turn | null)[]) : []).entries()) {
      const text = [turn?.text, turn?.blip_caption === undefined ? '' : `[picture: ${String(turn.blip_caption)}]`]
        .filter((each) => typeof each === 'string' && each.trim() !== '')
        .join(' ');
      const id = typeof turn?.dia_id === 'string' ? (idsIn(turn.dia_id)[0] ?? turn.dia_id.trim()) : `D${session}:${i + 1}`;
      if (text === '' || turns.has(id)) continue;
      const speaker = typeof turn?.speaker === 'string' && turn.speaker.trim() !== '' ? `${turn.speaker.trim()}: ` : '';
      const when = typeof at === 'string' && at.trim() !== '' ? at.trim() : undefined;
      const date = when === undefined ? undefined : dateOf(when);
      turns.set(id, {
        id: `${group}/${id}`,
        ...(when === undefined ? {} : { title: when }),
        text: `${speaker}${text}`,
        group,
        ...(date === undefined ? {} : { date }),
      });
    }
  }
  return turns;
}

/** Turns of one time are one session. */
function sessionsOf(turns: ReadonlyMap<string, Passage>): Passage[] {
  const sessions = Map.groupBy(turns, ([id, turn]) => `${/^D(\d+):/.exec(id)?.[1] ?? ''} ${turn.title ?? ''}`);
  return [...sessions.values()].map((own) => {
    const [, { id: _, text: __, ...first }] = own[0]!;
    return {
      ...first,
      id: `session of ${own[0]![1].id}`,
      text: own.map(([, { text }]) => text.replace(/\s+/g, ' ')).join('\n'),
      lines: own.map(([, { id }]) => id),
    };
  });
}

function evidenceOf(evidence: unknown): string[] {
  const given = (Array.isArray(evidence) ? evidence : [evidence]).filter((each) => typeof each === 'string');
  return [...new Set(given.flatMap((each) => (idsIn(each).length > 0 ? idsIn(each) : each.split(/[;,\s]+/).filter(Boolean))))];
}

/** "D1:3", "D1:03" and "D:1:3" are the same turn. */
const idsIn = (text: string): string[] =>
  [...text.matchAll(/D:?\s*(\d+)\s*:\s*(\d+)/gi)].map(([, session, turn]) => `D${Number(session)}:${Number(turn)}`);

/** Parses "1:56 pm on 8 May, 2023" and all dates that JavaScript can parse. */
function dateOf(text: string): string | undefined {
  const [, hour, minute, half, day] = /^(\d{1,2}):(\d{2})\s*([ap])\.?m\.?,?\s+on\s+(.+)$/i.exec(text) ?? [];
  const plain = day === undefined ? text : `${day} ${(Number(hour) % 12) + (half!.toLowerCase() === 'p' ? 12 : 0)}:${minute}`;
  const parsed = new Date(`${plain} UTC`);
  const other = Number.isNaN(parsed.getTime()) ? new Date(plain) : parsed;
  return Number.isNaN(other.getTime()) ? undefined : other.toISOString();
}
