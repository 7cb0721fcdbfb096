import { nameKey } from '../text/names.ts';
import { roleWords, stopWords } from '../extraction/words.ts';
import { labelFit } from './directory-names.ts';
import { labelKind } from './layout-labels.ts';
import type { Participant } from './types.ts';
import { personKey } from './voices-names.ts';
import { monthOf, weekdayOf } from './when-dates.ts';

/** Names in titles and head lines that may be organisations. */

/** What a document calls itself, in head lines; nouns begin with a capital in German, and all words may in titles. */
const kinds = new Set(
  `call calls transcript meeting review reviews visit site notes note minutes summary survey surveys tickets ticket export chat slack teams thread channel mail email e re fw fwd aw wg rv tr rif
  catch up check in kick off kickoff sync weekly monthly quarterly quarter annual session interview workshop demo onboarding debrief trip report call-notes video phone telephone online remote zoom webinar recording
  feedback results answers responses overview product page field customer customers client clients account q1 q2 q3 q4 h1 h2 part version draft final copy new old brief briefly glance nutshell primer blick kürze nps csat reseller resellers starters   others rivals competitors competition log logs forum post posts rating ratings app txt md csv vtt signal whatsapp telegram discord messenger intercom zendesk jira hubspot salesforce reddit trustpilot capterra webex skype recorded recording transcription auto export extract dump helpdesk ext external internal
  gespräch gesprächsnotiz telefonat telefonnotiz anruf besuch besuchsbericht besuchsnotiz kundenbesuch kundentermin kundengespräch termin besprechung protokoll notiz notizen mitschrift quartalsgespräch jahresgespräch jour fixe umfrage auswertung rückmeldungen überblick bericht kunde kunden vor ort
  llamada reunión visita notas acta entrevista resumen encuesta cliente clientes informe videollamada seguimiento appel réunion visite compte rendu entretien enquête synthèse client clients suivi rapport
  chiamata riunione verbale intervista sondaggio cliente gesprek bezoek verslag enquête klant möte samtal besök møte besøg`
    .split(/\s+/)
    .map((word) => nameKey(word)),
);
const questions = new Set(
  'what who why when where how which was wer wie wo warum welche que quien como donde qui quoi comment pourquoi cosa chi'.split(' '),
);

const run =
  /\p{Lu}[\p{L}\p{M}\p{N}'’&.-]*(?:[ \t]+(?:(?:&|de|la|del|von|van|of|the|di|du|des|der|zu|am|an|im)[ \t]+){0,2}[\p{Lu}\p{N}&][\p{L}\p{M}\p{N}'’&.-]*){0,6}/gu;

/** Runs of capitalised words without dates, people and words for the kind of document. */
export function namesInHead(line: string, people: readonly Participant[]): string[] {
  const persons = new Set(people.flatMap(({ name }) => [nameKey(name), personKey(name)]));
  return [...line.replace(/[*_#>|]+/g, ' | ').matchAll(run)]
    .flatMap(([name]) => name.split(/\.\s+/))
    .map(trimmedName)
    .filter(
      (name) =>
        nameKey(name).length >= 2 &&
        /\p{L}{2}/u.test(name) &&
        !persons.has(personKey(name)) &&
        !persons.has(nameKey(name)) &&
        ![...persons].some((person) => person.split(' ').includes(nameKey(name))),
    )
    .slice(0, 12);
}

/** Without words at its ends that name no organisation. */
function trimmedName(name: string): string {
  const words = name.split(/\s+/);
  while (words.length > 0 && isNoName(words[0]!)) words.shift();
  while (words.length > 0 && (isNoName(words.at(-1)!) || /^\d+$/.test(words.at(-1)!))) words.pop();
  return words.join(' ').replace(/[.,'’-]+$/, '');
}

function isNoName(word: string): boolean {
  const key = nameKey(word);
  return (
    key === '' ||
    kinds.has(key) ||
    questions.has(key) ||
    monthOf(word) !== undefined ||
    weekdayOf(word) !== undefined ||
    labelKind(word) !== null ||
    (stopWords.has(key) && word.length < 5) ||
    /^\d{1,2}(?::\d\d|st|nd|rd|th)?$/.test(word)
  );
}

/**
 * Of the names in a signature those that fit the sender's domain, and abbreviations; if none fits, all but job titles.
 * @param domain of the sender's address
 */
export function namesInSignature(names: readonly string[], domain: string | null): string[] {
  const fitting = domain === null ? [] : names.filter((name) => labelFit(domain, name) > 0);
  if (fitting.length > 0) return names.filter((name) => fitting.includes(name) || /^\p{Lu}{2,6}$/u.test(name));
  return names.filter(
    (name) =>
      !nameKey(name)
        .split(' ')
        .some((word) => roleWords.has(word)),
  );
}
