import { nameKey } from '../text/names.ts';
import type { Block } from './layout-blocks.ts';
import { rolesOf, type Role } from './layout-columns.ts';
import type { Omission, Row, Unit } from './types.ts';
import { mailbox } from './layout-people.ts';
import { columnDays } from './when-columns.ts';

/** Rows of tables as units. */

interface Cell {
  passage: number;
  /** UTF-16 offsets in the passage. */
  start: number;
  end: number;
  text: string;
}

/** Cells of a row by column; a cell that two passages share has two parts. */
type TableRow = Cell[][];

export interface Sheet {
  header: string[];
  rows: TableRow[];
}

/** The tables in blocks, put together across passages that repeat their header. */
export function sheetsOf(blocks: readonly Block[]): Sheet[] {
  const sheets: Sheet[] = [];
  let sheet: Sheet | null = null;
  let torn: TableRow | null = null;
  for (const [i, block] of blocks.entries()) {
    if (block.kind !== 'row') {
      // The rest of a row that did not fit into the passage before.
      if (torn !== null && sheet !== null && block.kind === 'paragraph') torn = goOn(torn, block, sheet.header.length);
      else if (block.kind === 'heading' || block.kind === 'turn') sheet = null;
      continue;
    }
    if (isRule(block.text)) continue;
    const cells = cellsOf(block);
    const texts = cells.map(({ text }) => text);
    if (isRule(blocks[i + 1]?.text ?? '')) {
      if (sheet === null || texts.join('|') !== sheet.header.join('|')) {
        sheet = { header: texts, rows: [] };
        sheets.push(sheet);
        torn = null;
      }
      continue;
    }
    if (sheet === null) {
      sheet = { header: texts.map(() => ''), rows: [] };
      sheets.push(sheet);
    }
    const row = cells.map((cell) => [cell]);
    sheet.rows.push(row);
    torn = block.text.endsWith('|') && cells.length >= sheet.header.length ? null : row;
  }
  return sheets;
}

const isRule = (text: string): boolean => /^\|[\s|:-]{2,2000}$/.test(text) && text.includes('-');

function goOn(row: TableRow, block: Block, width: number): TableRow | null {
  const [first, ...rest] = cellsOf(block);
  if (first !== undefined) row.at(-1)?.push(first);
  for (const cell of rest) row.push([cell]);
  return row.length >= width && block.text.endsWith('|') ? null : row;
}

function cellsOf(block: Block): Cell[] {
  const cells: Cell[] = [];
  const { text } = block;
  let start = text.startsWith('|') ? 1 : 0;
  for (let i = start; i <= text.length; i += 1) {
    if (i < text.length && !(text[i] === '|' && text[i - 1] !== '\\')) continue;
    if (i === text.length && start >= text.length) break;
    let [from, to] = [start, i];
    while (from < to && /\s/.test(text[from]!)) from += 1;
    while (to > from && /\s/.test(text[to - 1]!)) to -= 1;
    cells.push({
      passage: block.passage,
      start: block.start + from,
      end: block.start + to,
      text: text.slice(from, to).replaceAll('\\|', '|'),
    });
    start = i + 1;
  }
  return cells;
}

const joined = (parts: readonly Cell[] | undefined): string =>
  (parts ?? [])
    .map(({ text }) => text)
    .join(' ')
    .trim();

export interface ReadSheet {
  roles: Role[];
  units: Unit[];
  /** ISO, of all rows. */
  days: string[];
}

/** @param latest ISO: no date is expected after it */
export function readSheet({ header, rows }: Sheet, latest: string): ReadSheet {
  const texts = rows.map((row) => header.map((_, at) => joined(row[at])));
  const roles = rolesOf(header, texts);
  const dated = roles.indexOf('date');
  const days =
    dated < 0
      ? texts.map(() => null)
      : columnDays(
          texts.map((row) => row[dated] ?? ''),
          latest,
        );
  const value = (row: readonly string[], role: Role): string | null => {
    const at = roles.indexOf(role);
    return at < 0 || row[at] === undefined || row[at] === '' ? null : row[at];
  };
  const scored = roles.indexOf('score');
  const ratings = scored < 0 ? null : ratingsOf(texts.map((row) => row[scored] ?? ''));
  const units: Unit[] = [];
  for (const [r, row] of rows.entries()) {
    const cells = texts[r]!;
    const about: Row = {
      id: value(cells, 'id'),
      customer: value(cells, 'customer'),
      ...writerOf(value(cells, 'author'), value(cells, 'email')),
      subject: value(cells, 'subject'),
      status: value(cells, 'status'),
      score: value(cells, 'score'),
      rating: ratings?.[r] ?? null,
    };
    const bodies = roles.flatMap((role, at) => (role === 'body' && cells[at] !== '' ? [at] : []));
    const whole = bodies.map((at) => cells[at]).join(' ');
    for (const [at, role] of roles.entries()) {
      if (role !== 'body' && role !== 'subject' && role !== 'reply') continue;
      const omitted: Omission | null =
        role === 'reply'
          ? 'vendor'
          : role === 'subject' && bodies.length > 0
            ? 'header'
            : rowOmission(about.subject, role === 'body' ? cells[at]! : whole);
      const parts = row[at] ?? [];
      const name = role === 'body' && omitted === null ? signatureOf(parts.at(-1)?.text ?? '') : null;
      for (const [p, { passage, start, end }] of parts.entries()) {
        const signed = name !== null && p === parts.length - 1;
        const unit = { passage, kind: 'cell' as const, speaker: about.author ?? name, day: days[r]!, section: null, row: about };
        const stop = signed ? end - name.length : end;
        if (start < stop) units.push({ ...unit, start, end: stop, omitted });
        if (signed) units.push({ ...unit, start: stop, end, omitted: 'signature' });
      }
    }
  }
  return { roles, units, days: days.filter((day) => day !== null) };
}

/** Scores on their scale, which the highest tells: of 5 stars, 10 points or 100; null: no number. */
function ratingsOf(scores: readonly string[]): (number | null)[] {
  const numbers = scores.map((score) => {
    const stars = score.match(/[★⭐]/gu)?.length;
    const of = /^\s*(\d+(?:[.,]\d+)?)\s*(?:(?:\/|of|von|de|sur)\s*(\d{1,3}))?\s*%?\s*\*?$/u.exec(score);
    if (of === null) return stars === undefined ? null : { value: stars, scale: 5 };
    return { value: Number(of[1]!.replace(',', '.')), scale: of[2] === undefined ? null : Number(of[2]) };
  });
  const most = numbers.reduce((highest, each) => Math.max(highest, each?.value ?? 0), 0);
  const usual = most <= 5 ? 5 : most <= 10 ? 10 : 100;
  return numbers.map((each) => (each === null ? null : Math.max(0, Math.min(1, each.value / (each.scale || usual)))));
}

/** Name and address of who wrote a row: in two columns, or in one as "Ann Lee <ann@acme.example>". */
function writerOf(author: string | null, email: string | null): Pick<Row, 'author' | 'email'> {
  const [who, at] = [author, email].map((cell) => (cell === null ? null : mailbox(cell)));
  const bare = email !== null && !email.includes('@') ? email.toLowerCase() : null;
  return {
    author: who?.name || at?.name.replace(bare ?? '\0', '') || null,
    email: (at?.email ?? who?.email ?? bare)?.toLowerCase() ?? null,
  };
}

/** A name behind the last sentence: "Please call. T. Meyer". */
const signedBy =
  /[.!?…)](?:\s+[-–—]?\s*|\s*[-–—]\s*)((?:\p{Lu}\.\s?){0,2}\p{Lu}\p{Ll}[\p{L}'’-]{1,20}(?:\s\p{Lu}[\p{L}'’-]{1,20}){0,2})\s*$/u;

const signatureOf = (text: string): string | null => signedBy.exec(text.slice(-80))?.[1] ?? null;

const emptyAnswers = new Set(
  `n a,na,none,nothing,no,nope,nil,no comment,no comments,nothing to add,nothing to report,nothing else,nothing from me,nothing from us,nothing here,nothing really,nothing at all,nothing special,all fine,no answer,not applicable,ok,okay,x,xx,xxx,test,no feedback,no remarks,nothing comes to mind,no suggestions,
  keine,keines,kein,nichts,nein,keine angabe,keine angaben,k a,keine anmerkung,keine anmerkungen,kein kommentar,nichts hinzuzufügen,nichts weiter,entfällt,
  nada,ninguno,ninguna,ningun comentario,sin comentarios,sin comentario,nada que anadir,nada mas,no aplica,
  rien,aucun,aucune,neant,non,sans commentaire,sans objet,rien a ajouter,rien a signaler,aucun commentaire,pas de commentaire,ras,
  niente,nessuno,nessuna,nessun commento,nulla,geen,niets,nvt,inga,inget,ingen,ingenting,nej,nei,nenhum,sem comentarios`
    .split(/[,\n]/)
    .map((answer) => nameKey(answer)),
);

export const isEmptyAnswer = (text: string): boolean => text.length < 60 && (emptyAnswers.has(nameKey(text)) || nameKey(text) === '');

const automaticSubject =
  /^(?:(?:re|aw|fw|fwd|rv|tr|wg)\s*:\s*)*(?:automatic(?:ally generated)? (?:reply|response)|auto(?:matic)?[- ]?(?:reply|response|responder)|out of (?:the )?office|abwesen(?:heit|d)|automatische antwort|automatische reactie|respuesta automática|fuera de (?:la )?oficina|réponse automatique|absence du bureau|risposta automatica|resposta automática|autosvar|undeliver|delivery (?:status|failure)|mail delivery)/iu;
const automaticBody =
  /^[^.!?\n]{0,80}\b(?:(?:i am|i'm|we are|i will be) (?:currently |now )?(?:out of (?:the )?office|on (?:annual |parental |maternity )?leave|on vacation|on holiday|away from)|ich bin (?:derzeit |zurzeit |aktuell |bis )?[^.!?\n]{0,40}(?:nicht im (?:büro|haus)|abwesend|im urlaub)|estoy fuera de (?:la )?oficina|estaré (?:fuera|ausente)|je suis (?:actuellement )?(?:absente?|en congés?)|sono fuori (?:ufficio|sede)|this is an automat(?:ic|ed)|dies ist eine automatische|este es un mensaje automático|ceci est un message automatique|do not reply to this)/iu;
const acknowledgement =
  /^(?:thank you|thanks|vielen dank|danke|gracias|merci|grazie)\s+(?:for|für|por|pour|d['’]avoir|per)\s+(?:getting in touch|contacting|your (?:e-?mail|message|inquiry|enquiry|request|ticket)|reaching out|writing|ihre (?:nachricht|anfrage|e-?mail)|contactar|su (?:mensaje|consulta)|votre (?:message|demande)|nous avoir)/iu;
const testSubject =
  /^(?:test(?:ing|s)?|testeintrag|testticket|prueba|pruebas|essai|prova|teste|proef|please ignore|bitte ignorieren)(?:[ #_-]*\w{0,4})?$/iu;
/** "[created by B. Low, support, to test the form]" */
const testNote =
  /^\s*[[({<][^\])}>\n]{0,120}\b(?:test(?:s|ed|ing|en|et|zweck\w*)?|try(?:ing)?(?: out)?|ausprobier\w*|check(?:ing)? (?:the|our|this)|prueba|probar|essai|essayer|tester|prova|provare|demo|dummy|internal|intern)\b[^\])}>\n]{0,120}[\])}>]/iu;

export function rowOmission(subject: string | null, body: string): Omission | null {
  if (isEmptyAnswer(body)) return 'empty';
  if (testNote.test(body) || testNote.test(subject ?? '') || testSubject.test((subject ?? '').trim())) return 'automatic';
  return isAutomatic(subject, body) ? 'automatic' : null;
}

export const isAutomatic = (subject: string | null, body: string): boolean =>
  automaticSubject.test(subject ?? '') ||
  automaticBody.test(body.slice(0, 300)) ||
  (acknowledgement.test(body) && body.length < 400 && !/\bbut\b|\baber\b|\bpero\b|\bmais\b/iu.test(body));
