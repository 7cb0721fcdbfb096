import { nameKey } from '../text/names.ts';

/** Words at the start of a line, and headings, that tell what follows. Keys as of `nameKey`. */

const keys = (words: string): ReadonlySet<string> =>
  new Set(
    words
      .split(/[,\n]/)
      .map((word) => nameKey(word))
      .filter((word) => word !== ''),
  );

const attendance =
  keys(`attendance, attendees, attended, attending, present, who, who was there, in the room, on the line, on the call, on call, in attendance,
  participants, people, with, joined, joining, invited, guests, there, roll call, absent, apologies, regrets, excused, also present, speakers, cast, callers,
  teilnehmer, teilnehmende, teilnehmerinnen, anwesend, anwesende, dabei, mit dabei, runde, gäste, abwesend, entschuldigt, beteiligte, wer, gesprächspartner,
  asistentes, asistencia, presentes, participantes, asisten, personas, ausentes, quién, quiénes,
  présents, presents, participants, présence, étaient présents, personnes présentes, excusés, absents, qui,
  partecipanti, presenti, assenti, aanwezig, aanwezigen, deelnemers, afwezig, närvarande, deltagare, deltakere, deltagere, tilstede, til stede, osallistujat, läsnä,
  uczestnicy, obecni`);
const agenda =
  keys(`agenda, today, topics, items, points, plan, programme, program, purpose, goal, aim, objective, tagesordnung, themen, top, tops, anlass, ziel,
  orden del día, temario, temas, objetivo, puntos, ordre du jour, sujets, objet, but, ordine del giorno, punti, pauta, agendapunten, onderwerpen, dagordning, dagsorden,
  asialista, porządek`);
const steps =
  keys(`next steps, next step, next, to do, todo, to dos, todos, actions, action, action items, action points, follow up, follow ups, followup, agreed, agreements,
  decisions, decided, what we do, what we will do, we will, our homework, homework, tasks, task list, open items, commitments, promises, who does what, owner, owners, ai, aps, ap,
  nächste schritte, aufgaben, maßnahmen, vereinbart, beschlüsse, beschlossen, offene punkte, wiedervorlage, zu tun, was wir tun, erledigen, hausaufgaben,
  próximos pasos, siguientes pasos, pendientes, tareas, acuerdos, acciones, compromisos, por hacer, qué hacemos,
  prochaines étapes, à faire, suites, actions à mener, suivi, décisions, tâches, prossimi passi, da fare, azioni, próximos passos, tarefas, volgende stappen, acties,
  actiepunten, afspraken, nästa steg, åtgärder, neste steg, næste skridt, seuraavat vaiheet, następne kroki`);
const ideas =
  keys(`ideas, idea, feeling, feelings, mood, vibe, temperature, sense, aside, caveat, thoughts, my thoughts, my take, my view, my impression, impressions, impression, opinion, my opinion, guess, guesses, my guess, hunch, internal,
  internal notes, internal note, for us, for internal use, for internal use only, between us, private, confidential, do not share, not for the customer, our side, reading between the lines,
  what i think, what we think, i think, gut feeling, assessment, our assessment, speculation, assumptions, strategy, upsell, opportunity, opportunities, observations,
  ideen, idee, gedanken, eindruck, mein eindruck, eindrücke, vermutung, vermutungen, meine vermutung, intern, interne notiz, einschätzung, meine einschätzung, unter uns, was ich denke,
  nur für uns, bauchgefühl, hintergrund,
  impresiones, mi impresión, opinión, mi opinión, interno, notas internas, nota interna, lo que pienso, suposiciones, sospecha, entre nosotros, solo para nosotros,
  idées, impressions, mon avis, mon impression, interne, note interne, entre nous, ce que je pense, hypothèse, hypothèses, impressioni, idee, interno, note interne, ideias, impressões,
  indruk, mijn indruk, intern`);
const about =
  keys(`date, day, time, place, location, where, when, duration, length, format, channel, venue, medium, title, subject, re, ref, reference, account, customer, client, company,
  status, version, project, meeting, call, visit, type, tags, cc, bcc, to, from, sent, recording, recorded, transcript, transcription, source, language, weather,
  notes, notes by, note, note taker, notetaker, taken by, written by, written up by, author, by, minutes, minutes by, scribe, protocol, recorded by, host, moderator, prepared by, last edited by, edited by,
  datum, uhrzeit, zeit, ort, dauer, betreff, kunde, protokoll, protokollant, protokollführer, protokollführung, verfasser, verfasserin, autor, autorin, notiz, notizen, notiert von, aufgezeichnet, mitschrift,
  fecha, hora, lugar, duración, asunto, cliente, notas, notas de, autora, redactado por, acta, tema, heure, lieu, durée, client, objet, rédigé par, auteur, compte rendu, compte-rendu, notes de, secrétaire,
  data, ora, luogo, durata, oggetto, verbale, redatto da, autore, local, assunto, plaats, onderwerp, klant, verslag, notulist`);
const author =
  keys(`notes, notes by, note, note taker, notetaker, taken by, written by, written up by, author, by, minutes, minutes by, scribe, recorded by, prepared by, last edited by, edited by,
  protokoll, protokollant, protokollführer, protokollführung, verfasser, verfasserin, autor, autorin, notiz, notizen, notiert von, notas, notas de, autora, redactado por, acta,
  rédigé par, auteur, compte rendu, compte-rendu, notes de, secrétaire, verbale, redatto da, autore, verslag, notulist`);

export type LabelKind = 'attendance' | 'agenda' | 'steps' | 'ideas' | 'about';

const kinds: readonly (readonly [LabelKind, ReadonlySet<string>])[] = [
  ['attendance', attendance],
  ['agenda', agenda],
  ['steps', steps],
  ['ideas', ideas],
  ['about', about],
];

/** What a label or heading announces; null: a topic, or nothing known. */
export function labelKind(label: string): LabelKind | null {
  // "What I think (nobody said it)", "1. Next steps:", "To-do: Odile".
  const bare = label.replace(/\([^)]{0,80}\)/g, ' ').replace(/^[\s*_#>\d.)]+/, '');
  const key = nameKey(bare);
  return kinds.find(([, words]) => words.has(key))?.[0] ?? null;
}

export const isAuthorLabel = (label: string): boolean => author.has(nameKey(label));

export interface Labelled {
  label: string;
  /** Offset of the text behind the colon. */
  at: number;
  kind: LabelKind | null;
}

/** `Label: text` at the start of a line, also as `**Label:** text`. */
export function labelOf(line: string): Labelled | null {
  const match = /^[ \t]*[*_]{0,3}(\p{L}[^:\n*_]{0,48}?)[ \t]*(?:\([^)\n]{0,40}\))?[*_]{0,3}[ \t]*:[*_]{0,3}(?=\s|$)[ \t]*/u.exec(line);
  if (match === null || match[1]!.split(/\s+/).length > 5) return null;
  return { label: match[1]!, at: match[0].length, kind: labelKind(match[1]!) };
}
