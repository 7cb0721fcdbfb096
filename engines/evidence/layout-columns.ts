import { nameKey } from '../text/names.ts';
import { datesIn } from './when-dates.ts';

/** What the columns of a table of tickets, answers or reviews hold, by their headers and else by their cells. */

export type Role = 'id' | 'date' | 'customer' | 'author' | 'subject' | 'body' | 'status' | 'score' | 'reply' | 'other';

const keys = (words: string): string[] =>
  words
    .split(/[,\n]/)
    .map((word) => nameKey(word))
    .filter((word) => word !== '');

const headers: Record<Exclude<Role, 'other'>, string[]> = {
  id: keys(`id, nr, no, number, ticket, ticket id, ticket number, key, case, ref, reference, response id, row, index, #, case id, issue id, nummer, vorgang, fall, aktenzeichen, lfd nr, belegnr,
    referencia, número, núm, n, caso, folio, expediente, numéro, dossier, réf, numero, riferimento, ärende, sak, zaak, sag`),
  date: keys(`date, day, created, created at, created on, creation date, opened, opened at, opened on, submitted, submitted at, received, received at, when, timestamp, time, date created, reported, raised, posted, logged, date submitted, response date, review date,
    datum, erstellt, erstellt am, angelegt, angelegt am, eingegangen, eingang, eröffnet, gemeldet am, tag, zeitstempel, abgegeben am,
    fecha, creado, creada, abierto, abierta, recibido, día, fecha de creación, alta, date de création, créé, créé le, ouvert, ouvert le, reçu, reçu le, data, creato, aperto, data apertura, criado, aberto, aangemaakt, skapad, oprettet, opprettet, luotu`),
  customer:
    keys(`customer, customer name, client, client name, account, account name, company, company name, organisation, organization, organisation name, organization name, org, business, firm, site, tenant, buyer, subscriber, member, school, store, plant, clinic, practice, hospital, house, venue, theatre, theater, hotel, restaurant, farm, shop, branch, location, property, facility, factory, mill, bakery, garage, studio, library, museum, campus, port, marina, office, werk, praxis, klinik, haus, filiale, standort, planta, clínica, tienda, sede, sucursal, usine, clinique, magasin, agence,
    kunde, kundin, kundenname, firma, unternehmen, mandant, betrieb, organisation, auftraggeber, cliente, empresa, compañía, organización, nombre del cliente, cuenta, entidad, centro,
    client, société, entreprise, compte, organisme, établissement, azienda, società, ditta, ente, klant, bedrijf, organisatie, kund, företag, virksomhed, bedrift, asiakas, yritys, klient`),
  author:
    keys(`author, name, contact, contact name, contact person, reporter, requester, requestor, requested by, from, sender, submitted by, user, respondent, person, reviewer, raised by, reported by, opened by, caller, written by, full name,
    ansprechpartner, ansprechpartnerin, melder, absender, verfasser, gemeldet von, kontakt, von, teilnehmer, vorname, einsender, contacto, autor, remitente, solicitante, nombre, persona, de, usuario,
    auteur, demandeur, nom, expéditeur, utilisateur, interlocuteur, autore, nome, mittente, richiedente, utente, melder, naam, avsändare, navn`),
  subject: keys(
    `subject, title, summary, headline, topic, about, thema, short description, issue, betreff, titel, thema, kurzbeschreibung, stichwort, überschrift, asunto, título, resumen, tema, objet, sujet, titre, résumé, oggetto, titolo, onderwerp, ämne, emne, aihe`,
  ),
  body: keys(`body, description, comment, comments, text, message, feedback, answer, details, review, verbatim, content, remark, remarks, note, request, question, free text, suggestion, suggestions, opinion, what happened, initial message, long description, customer comment, problem,
    beschreibung, kommentar, kommentare, nachricht, anmerkung, anmerkungen, freitext, bemerkung, bemerkungen, antwort, rückmeldung, inhalt, meinung, anliegen, meldung, verbesserungsvorschlag,
    comentario, comentarios, descripción, mensaje, texto, detalle, detalles, respuesta, observaciones, sugerencia, opinión, commentaire, commentaires, message, texte, avis, détail, détails, réponse, remarque, remarques,
    commento, descrizione, messaggio, testo, comentário, descrição, mensagem, omschrijving, opmerking, opmerkingen, bericht, beskrivning, beskrivelse, kommentti`),
  status: keys(
    `status, state, stage, resolution, outcome, ticket status, open, zustand, stand, bearbeitungsstand, estado, situación, état, statut, stato, situação, tila`,
  ),
  score: keys(
    `score, nps, nps score, rating, stars, csat, points, grade, mark, satisfaction, recommend, likelihood, ces, bewertung, sterne, punkte, note, zufriedenheit, weiterempfehlung, puntuación, valoración, nota, estrellas, puntos, satisfacción, calificación, étoiles, évaluation, voto, stelle, punteggio, avaliação, cijfer, score nps, betyg, karakter`,
  ),
  reply:
    keys(`reply, us, we, our side, vendor, our comment, developer reply, vendor reply, staff reply, our notes, wir, nosotros, nous, our reply, our answer, agent reply, support reply, response text, company response, vendor response, resolution note, resolution notes, internal note, internal notes, internal comment, agent comment, agent notes, solution, last reply, developer response,
    unsere antwort, antwort support, lösung, interne notiz, nuestra respuesta, solución, nota interna, notre réponse, solution, note interne, risposta, nostra risposta, soluzione`),
};
/** Columns that neither say who nor what: staff and dates of later steps. */
const others = new Set(
  keys(`assignee, assigned to, agent, owner, handled by, assigned, team, group, queue, priority, severity, impact, urgency, channel, source, type, category, product, component, feature, module, area, version, tags, tag, labels, language, locale, country, region, city, plan, segment, tier, email, phone,
    updated, updated at, last updated, closed, closed at, closed on, resolved at, resolved on, due, due date, first response, sla, url, link, device, platform, role,
    bearbeiter, zuständig, priorität, kategorie, typ, produkt, modul, aktualisiert, geschlossen, geschlossen am, kanal, sprache, land, rolle, asignado a, agente, prioridad, categoría, producto, actualizado, cerrado, idioma, canal, país, puesto, rol,
    assigné à, responsable, priorité, catégorie, produit, mis à jour, fermé, clos le, langue, pays, assegnato a, priorità, categoria, prodotto, chiuso`),
);
const statusWords = new Set(
  keys(`open, opened, new, closed, resolved, solved, done, pending, waiting, on hold, hold, in progress, active, merged, duplicate, reopened, wontfix, won't fix, fixed, rejected, cancelled, canceled, declined, completed, escalated, answered,
    offen, neu, geschlossen, gelöst, erledigt, in bearbeitung, wartend, zusammengeführt, abgelehnt, abgeschlossen, abierto, abierta, nuevo, cerrado, cerrada, resuelto, resuelta, pendiente, en curso, fusionado, hecho, rechazado,
    ouvert, nouveau, fermé, clos, résolu, en cours, en attente, fusionné, aperto, chiuso, risolto, in corso, in attesa, aberto, fechado, resolvido, gesloten, opgelost, open, stängd, löst, lukket, løst`),
);

/** @param rows cells by column; header not included */
export function rolesOf(header: readonly string[], rows: readonly (readonly string[])[]): Role[] {
  const columns = header.map((name, at) => ({ at, key: nameKey(name), ...measure(rows.map((row) => row[at] ?? '')) }));
  const roles: Role[] = header.map(() => 'other');
  const taken = new Set<number>();
  const take = (at: number | undefined, role: Role): void => {
    if (at === undefined) return;
    roles[at] = role;
    taken.add(at);
  };
  const free = (): typeof columns => columns.filter(({ at }) => !taken.has(at));
  for (const { at, key, words } of columns) if (others.has(key) && words < 6) taken.add(at);
  // A header may lie ("response" with numbers): what its cells are must not speak against it.
  const fits: Record<Exclude<Role, 'other'>, (column: (typeof columns)[number]) => boolean> = {
    id: ({ words, dates, distinct }) => words <= 2 && dates < 0.8 && distinct > 0.9,
    date: ({ dates }) => dates > 0.6,
    customer: ({ words, numbers, dates, markets }) => words <= 6 && numbers < 0.5 && dates < 0.5 && markets < 0.3,
    author: ({ words, numbers, dates }) => words <= 4 && numbers < 0.5 && dates < 0.5,
    subject: ({ words, numbers }) => words <= 12 && numbers < 0.5,
    body: ({ numbers, dates, filled }) => filled > 0 && numbers < 0.5 && dates < 0.5,
    status: ({ words, statuses, kinds, count }) => words <= 3 && (statuses > 0.3 || kinds <= Math.max(6, count / 4)),
    score: ({ numbers }) => numbers > 0.6,
    reply: ({ words }) => words >= 2,
  };
  const order = ['reply', 'date', 'status', 'score', 'customer', 'id', 'author', 'subject', 'body'] as const;
  for (const role of order) {
    for (const name of headers[role]) {
      const at = free().find((column) => column.key === name && fits[role](column))?.at;
      take(at, role);
      if (at !== undefined && role !== 'body' && role !== 'reply') break;
    }
  }
  const has = (role: Role): boolean => roles.includes(role);
  if (!has('date')) take(free().find(({ dates }) => dates > 0.7)?.at, 'date');
  if (!has('status')) take(free().find(({ statuses }) => statuses > 0.7)?.at, 'status');
  if (!has('score')) take(free().find(({ numbers, most, distinct }) => numbers > 0.8 && most <= 100 && distinct < 0.9)?.at, 'score');
  if (!has('id'))
    take(free().find(({ at, words, distinct, names }) => at === 0 && words <= 1.2 && distinct > 0.95 && names < 0.5)?.at, 'id');
  // Free text: the longest column, and further ones of a survey with several questions.
  const longest = free().reduce((most, { words }) => Math.max(most, words), 0);
  for (const { at, words } of free()) {
    if (words >= 4 && (!has('body') ? words === longest : words * 2 >= longest && words >= 6)) take(at, 'body');
  }
  const body = roles.indexOf('body');
  if (!has('subject') && body > 0)
    take(free().find(({ at, words, distinct }) => at < body && words >= 1.5 && words < 8 && distinct > 0.8)?.at, 'subject');
  if (!has('customer')) {
    // "Your plant", "Which clinic are you from?": a survey asks for the place.
    const asked = free().find(
      ({ at, names, words, dates, numbers }) => asksPlace.test(header[at]!) && names > 0.6 && words <= 6 && dates < 0.5 && numbers < 0.5,
    );
    take(asked?.at, 'customer');
  }
  if (!has('customer')) {
    const recurring = free().filter(({ names, distinct, words, kinds, markets }) => markets < 0.3 && names > 0.6 && distinct <= 0.7 && kinds >= 2 && words <= 5);
    take(recurring.toSorted((a, b) => b.words - a.words)[0]?.at, 'customer');
  }
  if (!has('author')) take(free().find(({ people }) => people > 0.6)?.at, 'author');
  return roles;
}

const marketplace =
  /^(?:(?:apple |mac )?app ?store|google play|play ?store|microsoft store|galaxy store|amazon|trustpilot|capterra|g2(?: crowd)?|get ?app|software advice|product ?hunt|yelp|tripadvisor|ios|android|web|website|email|e-mail|phone|chat)$/iu;

const asksPlace =
  /^(?:(?:and |so )?(?:your|which|what|where|in welche[rm]|welche[rs]?|ihre?|eure?|su|tu|cuál|qué|dónde|votre|quel(?:le)?|où)(?![\p{L}])(?! (?:name|role|job|title|age|e-?mail|position|rolle|nombre|puesto|cargo|edad|nom|poste|rôle|score|rating|opinion|meinung|avis)))/iu;

interface Measure {
  count: number;
  /** Shares of the filled cells, 0 to 1. */
  filled: number;
  dates: number;
  numbers: number;
  statuses: number;
  /** Places where reviews are written. */
  markets: number;
  /** Capitalised and short. */
  names: number;
  /** Two or three capitalised words. */
  people: number;
  distinct: number;
  /** Different values. */
  kinds: number;
  /** Mean number. */
  words: number;
  /** Largest number. */
  most: number;
}

const sample = 400;

function measure(cells: readonly string[]): Measure {
  const filled = cells.slice(0, sample).filter((cell) => cell !== '');
  const share = (test: (cell: string) => boolean): number => (filled.length === 0 ? 0 : filled.filter(test).length / filled.length);
  const wordsOf = (cell: string): number => cell.split(/\s+/).length;
  return {
    count: filled.length,
    filled: filled.length / Math.max(1, Math.min(sample, cells.length)),
    dates: share((cell) => cell.length < 40 && datesIn(cell).some(({ day }) => day !== null)),
    numbers: share((cell) => /^[\d.,]{1,8}(?:\s*(?:\/|of|von|de|sur)\s*\d{1,3}|\s*%|\s*[★*]+)?$|^[★☆⭐]{1,10}$/u.test(cell)),
    statuses: share((cell) => statusWords.has(nameKey(cell))),
    markets: share((cell) => marketplace.test(cell)),
    names: share((cell) => /^["“(]?\p{Lu}/u.test(cell) && wordsOf(cell) <= 6 && !/[.!?]$/.test(cell)),
    people: share((cell) => /^(?:\p{Lu}[\p{L}'’.-]*)(?: \p{Lu}[\p{L}'’-]*){1,2}$/u.test(cell)),
    distinct: new Set(filled.map(nameKey)).size / Math.max(1, filled.length),
    kinds: new Set(filled.map(nameKey)).size,
    words: filled.reduce((sum, cell) => sum + wordsOf(cell), 0) / Math.max(1, filled.length),
    most: filled.reduce((most, cell) => Math.max(most, Number.parseFloat(cell) || 0), 0),
  };
}
