import type { Block } from './layout-blocks.ts';
import { linesOf } from './layout-blocks.ts';
import { trimmed } from './layout-spans.ts';
import type { Omission, Unit } from './types.ts';
import { datesIn, dayOf, orderOf } from './when-dates.ts';

/** Turns of calls and chats as units. */

/** "--- Wed 19 Aug 2026 ---", "Thursday, September 3rd", "Today". */
const separator = /^[\s\-–—=_*~•·<>|#[\]()]*(?:\p{L}{2,12}\.?,?\s+)?[^\n]{3,40}?[\s\-–—=_*~•·<>|[\]()]*$/u;
const relative = /^[\s\-–—=_*~]*(?:today|yesterday|heute|gestern|hoy|ayer|aujourd['’]hui|hier|oggi|ieri)[\s\-–—=_*~]*$/iu;
/** What chat programs say in the name of a group or of a member. */
const notices =
  /^[\u200e\s]*(?:messages and calls are end-to-end encrypted|(?:nachrichten und anrufe|los mensajes y las llamadas|les messages et les appels|i messaggi e le chiamate)[^\n]{0,60}(?:verschlüsselt|cifrad|chiffr|crittograf)|(?:this message was|you) deleted(?: this message)?|diese nachricht wurde gelöscht|se eliminó este mensaje|ce message a été supprimé|missed (?:voice|video) call|(?:image|video|audio|sticker|gif|document|voice message|bild|imagen|vidéo)s? (?:omitted|weggelassen|omitid[oa]|absente?)|[^\n]{1,60} (?:created (?:the |this )?(?:group|channel)|(?:added|removed|invited) [^\n]{1,60}|changed (?:the|this) (?:subject|group|topic|channel|description)[^\n]{0,120}|(?:hat|haben) [^\n]{1,60} (?:hinzugefügt|erstellt|entfernt)|(?:creó el grupo|añadió a|a créé le groupe|a ajouté)[^\n]{0,60}))[.!]?/iu;
/** Lines that a chat program writes: reactions, joins, edits, attachments. */
const program =
  /^(?:(?::[\w+-]{2,40}:|\p{Extended_Pictographic}[\uFE0F\u200D]?)\s*\d*\s*)+$|^\(?(?:edited|bearbeitet|editado|modifié)\)?$|^\d+\s+(?:repl(?:y|ies)|antworten?|respuestas?|réponses?)\b[^\n]{0,40}$|^(?:\S+ ){1,4}(?:joined|left|has joined|has left|set the (?:channel )?topic|was added to|pinned a message|ist beigetreten|se unió|a rejoint)\b[^\n]{0,80}$|^[^\n]{0,60}end-to-end encrypted[^\n]{0,120}$|^(?:this message was deleted|you deleted this message|missed (?:voice|video) call)\.?$|^<(?:media omitted|medien ausgeschlossen|multimedia omitido|médias omis)>$|^\[?(?:image|file|attachment|datei|archivo|fichier|photo|screenshot)s?:? [^\n]{0,80}\]?$/iu;

export function isSeparator(line: string): boolean {
  const text = line.trim();
  if (relative.test(text)) return true;
  if (text.length > 50 || !separator.test(text)) return false;
  const [date] = datesIn(text.replace(/\s+/g, ' '));
  if (date?.day == null) return false;
  // Nothing but the date, its weekday, a time and marks.
  const rest = `${text.replace(/\s+/g, ' ').slice(0, date.start)} ${text.replace(/\s+/g, ' ').slice(date.end)}`;
  return (
    rest
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim()
      .split(' ')
      .filter((word) => /\p{L}{2}/u.test(word)).length <= 1
  );
}

/** @param latest ISO: no date is expected after it */
export function turnUnits(blocks: readonly Block[], section: string | null, latest: string): Unit[] {
  const units: Unit[] = [];
  let day: string | null = null;
  for (const block of blocks) {
    const unit = (start: number, end: number, omitted: Omission | null): void => {
      const span = trimmed(block.text, { start, end });
      if (span.start >= span.end) return;
      units.push({
        passage: block.passage,
        start: block.start + span.start,
        end: block.start + span.end,
        kind: 'turn',
        speaker: block.speaker,
        day,
        section,
        row: null,
        omitted,
      });
    };
    // The day and time of a post.
    if (block.kind === 'heading') {
      unit(0, block.text.length, 'header');
      day = dayIn(block.text, latest) ?? day;
      continue;
    }
    let open: number | null = null;
    let openEnd = 0;
    const close = (): void => {
      if (open !== null) unit(open, openEnd, null);
      open = null;
    };
    for (const line of linesOf(block.text)) {
      const special: Omission | null = isSeparator(line.text)
        ? 'header'
        : program.test(line.text.trim()) || (line.text.length < 300 && notices.test(line.text))
          ? 'automatic'
          : /^\s*>/.test(line.text)
            ? 'quoted'
            : null;
      if (special === null) {
        open ??= line.start;
        openEnd = line.end;
        continue;
      }
      close();
      unit(line.start, line.end, special);
      if (special === 'header') day = dayIn(line.text, latest) ?? day;
    }
    close();
  }
  return units;
}

export function dayIn(line: string, latest: string): string | null {
  const text = line.replace(/\s+/g, ' ');
  const dates = datesIn(text);
  return dates[0]?.day == null ? null : dayOf(dates[0], orderOf(dates, [text], latest), latest);
}
