import { nameKey } from '../text/names.ts';
import { itemMark, linesOf, type Block } from './layout-blocks.ts';
import { mailbox } from './layout-people.ts';
import type { Omission } from './types.ts';

/** Which blocks of a mail are its own text, and which are greeting, signature or an older mail. */

const writes = String.raw`(?:wrote|writes|schrieb|schreibt|escribió|escribe|a écrit|écrit|ha scritto|scrisse|escreveu|schreef|skrev|kirjoitti|napisał(?:\(a\))?)`;
/** "On 3 May 2026, at 10:00, A B wrote:", "Am 3. Mai 2026 um 10:00 schrieb A B <…>:" */
const attribution = new RegExp(
  `^[>\\s]*(?:(?:on|am|el|le|il|em|op|den|dnia|em)\\s[^\\n]{4,200}|[^\\n]{2,120}<[^\\n>]{3,100}>[^\\n]{0,60}|[^\\n]{2,100})\\b${writes}\\b[^\\n]{0,120}:\\s*$`,
  'iu',
);
const original =
  /^[>\s]*(?:-{2,}\s*(?:original message|original appointment|ursprüngliche nachricht|originalnachricht|mensaje original|message d['’]origine|message original|messaggio originale|mensagem original|oorspronkelijk bericht|ursprungligt meddelande|weitergeleitete nachricht|forwarded message|mensaje reenviado|message transféré|messaggio inoltrato)\s*-{0,}|begin forwarded message:?|anfang der weitergeleiteten nachricht:?|_{10,})\s*$/iu;
const headerLine = /^[>\s*]*(?:from|von|de|da|van|från|fra)\s?:\*?\s+\S/iu;
const secondHeader =
  /^[>\s*]*(?:sent|date|to|subject|gesendet|datum|an|betreff|enviado|fecha|para|asunto|envoyé|date|à|objet|inviato|data|a|oggetto|verzonden|aan|onderwerp|skickat|till|ämne|cc)\s?:\*?\s+\S/iu;

const closings = new Set(
  `regards,kind regards,best regards,best,best wishes,warm regards,warmly,with kind regards,many regards,yours,yours sincerely,yours faithfully,yours truly,sincerely,sincerely yours,respectfully,cheers,thanks,many thanks,thank you,thanks a lot,thanks in advance,thanks and regards,thanks again,take care,all the best,cordially,with best regards,with best wishes,kindest regards,br,kr,rgds,talk soon,speak soon,until then,all best,very best,
  mit freundlichen grüßen,mit freundlichem gruß,freundliche grüße,freundlicher gruß,viele grüße,vielen grüßen,mit vielen grüßen,beste grüße,mit besten grüßen,schöne grüße,liebe grüße,herzliche grüße,mit herzlichen grüßen,grüße,gruß,hochachtungsvoll,mfg,vg,lg,danke,vielen dank,besten dank,danke und gruß,danke und viele grüße,bis bald,servus,freundliche grüsse,mit freundlichen grüssen,viele grüsse,
  un saludo,saludos,saludos cordiales,un cordial saludo,cordial saludo,cordialmente,atentamente,atte,muy atentamente,reciba un cordial saludo,un abrazo,gracias,muchas gracias,gracias y saludos,un saludo cordial,quedo a la espera,
  cordialement,bien cordialement,très cordialement,salutations,meilleures salutations,bien à vous,bien à toi,sincères salutations,veuillez agréer,amicalement,cdlt,merci,merci d avance,bonne journée,avec mes salutations distinguées,sentiments distingués,
  cordiali saluti,distinti saluti,saluti,un caro saluto,cordialmente,grazie,a presto,atenciosamente,cumprimentos,com os melhores cumprimentos,abraços,obrigado,obrigada,melhores cumprimentos,met vriendelijke groet,vriendelijke groet,vriendelijke groeten,groeten,groet,mvg,bedankt,alvast bedankt,med vänlig hälsning,med vänliga hälsningar,vänliga hälsningar,hälsningar,mvh,med venlig hilsen,venlig hilsen,hilsen,med vennlig hilsen,vennlig hilsen,ystävällisin terveisin,terveisin,z poważaniem,pozdrawiam`
    .split(/[,\n]/)
    .map((closing) => nameKey(closing)),
);
const greeting =
  /^(?:(?:dear|hi|hello|hey|good (?:morning|afternoon|evening|day)|greetings|morning|sehr geehrte\w*|liebe[rs]?|lieber|hallo|guten (?:morgen|tag|abend)|moin|servus|grüß gott|grüezi|estimad[oa]s?|querid[oa]s?|hola|buenos días|buenas(?: tardes)?|muy señor\w*|bonjour|bonsoir|cher|chère|chers|salut|madame|monsieur|gentile|egregio|caro|cara|buongiorno|ciao|salve|prezad[oa]s?|olá|car[oa]s?|bom dia|beste|geachte|goedemorgen|dag|hej|hei|kära|bästa|kære|god (?:morgen|dag|morgon)|hyvä|szanowni|dzień dobry)(?:\b|(?<=\P{L})))[^\n.?]{0,80}[,:;!.–—-]?\s*$/iu;
/** "Ruben," */
const bareGreeting = /^\p{Lu}[\p{L}'’-]{1,20}(?:[ /&]+(?:and |und |y |et |e )?\p{Lu}[\p{L}.'’-]{0,20}){0,3}\s*[,:!–—]\s*$/u;
const dashes = /^\s*(?:--|—|__+|-{3,}|\*{3,})\s*$/;
const postscript = /^\s*(?:P\.?\s?P?\.?S\.?|NB|N\.B\.|PD|P\.D\.)\s*[:.–—-]?\s+\S/u;
const disclaimer =
  /\b(?:confidential(?:ity)?|intended (?:solely|only) for|intended recipient|if you (?:have )?received this|vertraulich|irrtümlich erhalten|nicht der (?:richtige|beabsichtigte) (?:adressat|empfänger)|confidencial|no es el destinatario|destinatario|confidentiel|destinataire|riservat[oe]|sent from my|von meinem \w+ gesendet|gesendet von|enviado desde mi|envoyé de mon|get outlook for|unsubscribe|abmelden|before printing|vor dem ausdruck|antes de imprimir|avant d['’]imprimer)\b/iu;

export interface MailPart {
  block: Block;
  /** UTF-16 offsets in the block's text. */
  start: number;
  end: number;
  omitted: Omission | null;
  /** In an older mail: its sender and date as its header tells. */
  sender: string | null;
  sent: string | null;
  forwarded: boolean;
}

interface MailLine {
  block: Block;
  start: number;
  end: number;
  text: string;
}

/** Who forwards somebody else's mail says little about it. */
const shortNote = 400;

/** @param sender name in the header, to find where the signature begins */
export function mailParts(blocks: readonly Block[], sender: string | null): MailPart[] {
  const lines: MailLine[] = blocks.flatMap((block) => linesOf(block.text).map((line) => ({ ...line, block })));
  const marks: (Omission | null)[] = lines.map(() => null);
  const older = markQuoted(lines, marks);
  markOwn(lines, marks, sender);
  const note = lines.reduce((sum, { text }, i) => (marks[i] === null ? sum + text.length : sum), 0);
  if (older?.forwarded === true && note <= shortNote) markForwarded(lines, marks, older.at, sender);
  return partsOf(lines, marks, older);
}

function markOwn(lines: readonly MailLine[], marks: (Omission | null)[], sender: string | null): void {
  const own = lines.map((_, i) => i).filter((i) => marks[i] === null && lines[i]!.text.trim() !== '');
  for (const i of own.slice(0, 3)) {
    const { text } = lines[i]!;
    if (greeting.test(text.trim()) || (i === own[0] && bareGreeting.test(text.trim()))) marks[i] = 'header';
    else break;
  }
  const signature = signatureStart(lines, own, sender);
  let post = false;
  for (const i of own) {
    if (signature === null || i < signature) continue;
    post = postscript.test(lines[i]!.text) || (post && i > 0 && lines[i]!.block === lines[i - 1]!.block);
    if (!post) marks[i] = 'signature';
  }
}

/** A forwarded mail of somebody else is read like a mail; what is quoted in it stays quoted. */
function markForwarded(lines: readonly MailLine[], marks: (Omission | null)[], at: number, sender: string | null): void {
  let from = at;
  while (from < lines.length && from < at + 14 && (from === at || lines[from]!.text.trim() === '' || isHeader(lines[from]!.text)))
    from += 1;
  const about = headerOf(lines.slice(at, from).map(({ text }) => text));
  if (about.sender === null || (sender !== null && nameKey(about.sender).includes(nameKey(sender)))) return;
  const inner = lines.slice(from);
  const own: (Omission | null)[] = inner.map(() => null);
  markQuoted(inner, own);
  markOwn(inner, own, mailbox(about.sender).name);
  for (const [i, mark] of own.entries()) marks[from + i] = mark;
}

const isHeader = (line: string): boolean => headerLine.test(line) || secondHeader.test(line) || original.test(line);

/** Marks older mails. @returns the line of a forwarded mail's header, or null */
function markQuoted(lines: readonly MailLine[], marks: (Omission | null)[]): { at: number; forwarded: boolean } | null {
  let start: { at: number; forwarded: boolean } | null = null;
  for (const [i, { text }] of lines.entries()) {
    const header = headerLine.test(text) && lines.slice(i + 1, i + 4).some((line) => secondHeader.test(line.text));
    if (/^\s*>/.test(text)) marks[i] = 'quoted';
    // A long attribution may be broken into two lines.
    const line =
      text.length < 160 && !/:\s*$/.test(text) && /^[>\s]*(?:on|am|el|le|il|em|op|den)\s/iu.test(text)
        ? `${text} ${lines[i + 1]?.text ?? ''}`
        : text;
    if (!(original.test(text) || header || attribution.test(line)) || marks[i] === 'quoted') continue;
    const next = lines.slice(i + 1).find((each, at) => each.text.trim() !== '' && !(line !== text && at === 0));
    marks[i] = 'quoted';
    // With ">" before quoted lines, lines without it are answers in between.
    if (next !== undefined && /^\s*>/.test(next.text) && !original.test(text)) {
      if (line !== text) marks[i + 1] = 'quoted';
      continue;
    }
    start = { at: i, forwarded: /forward|weitergeleitet|reenviad|transféré|inoltrat/iu.test(text) };
    for (let k = i; k < lines.length; k += 1) marks[k] = 'quoted';
    break;
  }
  return start;
}

function signatureStart(lines: readonly MailLine[], own: readonly number[], sender: string | null): number | null {
  const key = nameKey(sender ?? '');
  const first = key.split(' ')[0] ?? '';
  for (const [k, i] of own.entries()) {
    const text = lines[i]!.text.trim();
    const rest = own.slice(k + 1).map((at) => lines[at]!.text.trim());
    if (dashes.test(text) && rest.length <= 20) return i;
    const short = rest.slice(0, 3).every((line) => line.length <= 80) && rest.length <= 15;
    const bare = nameKey(text.replace(/[,.!–—-]+$/, ''));
    // "Thank you" may also be a sentence of its own: then a name follows, or nothing.
    if (k > 0 && short && closings.has(bare) && (rest.length === 0 || isNameLine(rest[0]!, key))) return i;
    if (k > 0 && bare !== '' && (bare === key || (bare === first && rest.length <= 15)) && !/[?]$/.test(text)) return i;
  }
  // An unknown closing: the sender's name near the end, after a line too short to be a sentence.
  const tail = own.findLastIndex(
    (i, k) => k > 0 && k >= own.length - 8 && key.includes(' ') && nameKey(lines[i]!.text).startsWith(key) && lines[i]!.text.length <= 80,
  );
  if (tail > 0) {
    const before = lines[own[tail - 1]!]!.text.trim();
    return before.split(/\s+/).length <= 5 && !/[.?]$/.test(before) && tail > 1 ? own[tail - 1]! : own[tail]!;
  }
  const last = own.at(-1);
  if (last !== undefined && own.length > 1 && disclaimer.test(lines[last]!.text)) return last;
  return null;
}

const isNameLine = (line: string, sender: string): boolean =>
  line.length <= 60 && !/[?!]$/.test(line) && (line.split(/\s+/).length <= 5 || nameKey(line).includes(sender)) && !itemMark.test(line);

/** Joins lines of one block with the same mark. */
function partsOf(
  lines: readonly MailLine[],
  marks: readonly (Omission | null)[],
  older: { at: number; forwarded: boolean } | null,
): MailPart[] {
  const parts: MailPart[] = [];
  const about = older === null ? null : headerOf(lines.slice(older.at, older.at + 12).map(({ text }) => text));
  for (const [i, { block, start, end }] of lines.entries()) {
    const inside = older !== null && i >= older.at;
    const last = parts.at(-1);
    if (last !== undefined && last.block === block && last.omitted === marks[i] && last.forwarded === (inside && older.forwarded))
      last.end = end;
    else
      parts.push({
        block,
        start,
        end,
        omitted: marks[i]!,
        sender: inside ? (about?.sender ?? null) : null,
        sent: inside ? (about?.sent ?? null) : null,
        forwarded: inside && older.forwarded,
      });
  }
  return parts;
}

function headerOf(lines: readonly string[]): { sender: string | null; sent: string | null } {
  const value = (pattern: RegExp): string | null =>
    lines.map((line) => pattern.exec(line)?.[1]?.trim()).find((found) => found !== undefined) ?? null;
  return {
    sender: value(/^[>\s*]*(?:from|von|de|da|van|från|fra)\s?:\*?\s+(.{2,120})$/iu),
    sent: value(/^[>\s*]*(?:sent|date|gesendet|datum|enviado(?: el)?|fecha|envoyé|inviato|data|verzonden|skickat)\s?:\*?\s+(.{4,80})$/iu),
  };
}

/** Text of a signature that may name an organisation: parts between commas and bars, without its sender. */
export function signatureNames(lines: readonly string[], sender: string | null): string[] {
  const key = nameKey(sender ?? '');
  return lines
    .filter((line) => line.length <= 120 && !closings.has(nameKey(line)) && !disclaimer.test(line))
    .flatMap((line) => line.split(/[,|·•]|\s[-–—]\s|\.\s/))
    .map((part) => part.replace(/^[\s"“„-]+|[\s".”“]+$/g, ''))
    .filter(
      (part) =>
        /^\p{Lu}/u.test(part) &&
        part.length <= 60 &&
        part.split(/\s+/).length <= 6 &&
        nameKey(part) !== '' &&
        !key.includes(nameKey(part)) &&
        !nameKey(part).includes(key || '\0'),
    )
    .slice(0, 12);
}
