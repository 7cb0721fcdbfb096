import { nameKey } from '../text/names.ts';
import type { Role } from './layout-columns.ts';

/** What the headers of columns and the cells of a status column are called. Keys as of `nameKey`. */

const keys = (words: string): string[] =>
  words
    .split(/[,\n]/)
    .map((word) => nameKey(word))
    .filter((word) => word !== '');

export const headers: Record<Exclude<Role, 'other'>, readonly string[]> = {
  id: keys(`id, nr, no, number, ticket, ticket id, ticket number, key, case, ref, reference, response id, row, index, #, case id, issue id, nummer, vorgang, fall, aktenzeichen, lfd nr, belegnr,
    referencia, número, núm, n, caso, folio, expediente, numéro, dossier, réf, numero, riferimento, ärende, sak, zaak, sag`),
  date: keys(`date, day, created, created at, created on, creation date, opened, opened at, opened on, submitted, submitted at, received, received at, when, timestamp, time, date created, reported, raised, posted, logged, date opened, opened date, date reported, reported on, date posted, posted on, posted at, review date, date of review, submission date, submit date, start date, completed, completed at, end time, survey date, call date, visit date, log date, entered, entered on, ticket created, ticket date, first seen, sent, sent at, date submitted, response date, review date,
    datum, erstellt, erstellt am, erstelldatum, eröffnet am, gemeldet, geöffnet am, eingangsdatum, meldedatum, erfasst, erfasst am, abgeschickt, abgeschickt am, ausgefüllt am, angelegt, angelegt am, eingegangen, eingang, eröffnet, gemeldet am, tag, zeitstempel, abgegeben am,
    fecha, fecha y hora, fecha de alta, fecha de apertura, creado el, abierto el, enviado, enviado el, marca temporal, creado, creada, abierto, abierta, recibido, día, fecha de creación, alta, date de création, date d'ouverture, date de réception, envoyé le, horodatage, déposé le, créé, créé le, ouvert, ouvert le, reçu, reçu le, data, creato, aperto, data apertura, criado, aberto, aangemaakt, skapad, oprettet, opprettet, luotu`),
  customer:
    keys(`customer, customer name, client, client name, account, account name, company, company name, organisation, organization, organisation name, organization name, org, business, firm, site, tenant, buyer, subscriber, member, school, plant, clinic, practice, hospital, house, venue, theatre, theater, hotel, restaurant, farm, shop, branch, location, property, facility, factory, mill, bakery, garage, studio, library, museum, campus, port, marina, office, werk, praxis, klinik, haus, filiale, standort, planta, clínica, tienda, sede, sucursal, usine, clinique, magasin, agence,
    kunde, kundin, kundenname, firma, unternehmen, mandant, betrieb, organisation, auftraggeber, cliente, empresa, compañía, organización, nombre del cliente, cuenta, entidad, centro,
    client, société, entreprise, compte, organisme, établissement, azienda, società, ditta, ente, klant, bedrijf, organisatie, kund, företag, virksomhed, bedrift, asiakas, yritys, klient`),
  author:
    keys(`author, name, nickname, nick, username, user name, handle, screen name, reviewer name, by, contact, contact name, contact person, reporter, requester, requestor, requested by, from, sender, submitted by, user, respondent, person, reviewer, raised by, reported by, opened by, caller, written by, full name,
    ansprechpartner, ansprechpartnerin, melder, absender, verfasser, gemeldet von, kontakt, von, teilnehmer, vorname, einsender, contacto, autor, remitente, solicitante, nombre, persona, de, usuario,
    auteur, demandeur, nom, expéditeur, utilisateur, interlocuteur, autore, nome, mittente, richiedente, utente, melder, naam, avsändare, navn`),
  subject: keys(
    `subject, title, summary, headline, heading, review title, ticket title, caption, topic, about, thema, short description, issue, betreff, titel, thema, kurzbeschreibung, stichwort, überschrift, asunto, título, resumen, tema, objet, sujet, titre, résumé, oggetto, titolo, onderwerp, ämne, emne, aihe`,
  ),
  body: keys(`body, description, comment, comments, text, message, feedback, answer, details, review, verbatim, content, remark, remarks, note, request, question, free text, suggestion, suggestions, opinion, what happened, initial message, long description, customer comment, problem, details of issue, symptom, symptoms, incident, report, issue description, feedback text, review text, user comment, what they said, their words, voice of customer, open answer, additional comments, other comments, anything else, pros, cons, likes, dislikes, what i like, what i dislike, likes best, dislikes most, what do you like best, what do you dislike, advantages, disadvantages, positives, negatives, good, bad, vorteile, nachteile, lob, kritik, ventajas, desventajas, avantages, inconvénients, points forts, points faibles,
    beschreibung, kommentar, kommentare, nachricht, anmerkung, anmerkungen, freitext, bemerkung, bemerkungen, antwort, rückmeldung, inhalt, meinung, anliegen, meldung, verbesserungsvorschlag,
    comentario, comentarios, descripción, mensaje, texto, detalle, detalles, respuesta, observaciones, sugerencia, opinión, commentaire, commentaires, message, texte, avis, détail, détails, réponse, remarque, remarques,
    commento, descrizione, messaggio, testo, comentário, descrição, mensagem, omschrijving, opmerking, opmerkingen, bericht, beskrivning, beskrivelse, kommentti`),
  status: keys(
    `status, state, stage, progress, resolution, result, disposition, current state, where it stands, outcome, ticket status, open, zustand, stand, bearbeitungsstand, estado, situación, état, statut, stato, situação, tila`,
  ),
  score: keys(
    `score, overall, overall rating, nps, nps score, rating, star rating, 0-10, 0 10, 1-5, 1 5, stars, csat, points, grade, mark, satisfaction, recommend, likelihood, ces, bewertung, sterne, punkte, note, zufriedenheit, weiterempfehlung, puntuación, valoración, nota, estrellas, puntos, satisfacción, calificación, étoiles, évaluation, voto, stelle, punteggio, avaliação, cijfer, score nps, betyg, karakter`,
  ),
  email: keys(
    `email, e-mail, mail, email address, e-mail address, contact email, customer email, requester email, reporter email, user email, work email, respondent email, from email, sender email, domain, mail adresse, e-mail-adresse, correo, correo electrónico, courriel, adresse e-mail, adresse mail, indirizzo email, e-mailadres, e-post`,
  ),
  reply:
    keys(`reply, us, we, our side, vendor, our comment, developer reply, vendor reply, staff reply, our notes, wir, nosotros, nous, our reply, our answer, agent reply, support reply, response text, company response, vendor response, resolution note, resolution notes, internal note, internal notes, internal comment, agent comment, agent notes, solution, last reply, developer response,
    unsere antwort, antwort support, lösung, interne notiz, nuestra respuesta, solución, nota interna, notre réponse, solution, note interne, risposta, nostra risposta, soluzione`),
};
/** As the last word of a header these say that the cells are organisations. */
export const companies = new Set(keys('org, organisation, organization, company, firm, business, firma, unternehmen, bedrijf, företag'));
/** Columns that neither say who nor what: staff and dates of later steps. */
export const others = new Set(
  keys(`assignee, assigned to, agent, owner, handled by, assigned, team, group, queue, priority, severity, impact, urgency, channel, source, type, category, product, component, feature, module, area, version, tags, tag, labels, language, locale, country, region, city, plan, segment, tier, phone, account manager, account owner, customer success manager, csm, customer type, customer since, app version, os, browser, build, release, store, marketplace, platform version,
    updated, updated at, last updated, closed, closed at, closed on, resolved at, resolved on, due, due date, first response, sla, url, link, device, platform, role,
    bearbeiter, zuständig, priorität, kategorie, typ, produkt, modul, aktualisiert, geschlossen, geschlossen am, kanal, sprache, land, rolle, asignado a, agente, prioridad, categoría, producto, actualizado, cerrado, idioma, canal, país, puesto, rol,
    assigné à, responsable, priorité, catégorie, produit, mis à jour, fermé, clos le, langue, pays, assegnato a, priorità, categoria, prodotto, chiuso`),
);
export const statusWords = new Set(
  keys(`open, opened, new, closed, resolved, solved, done, pending, waiting, on hold, hold, in progress, active, merged, duplicate, reopened, wontfix, won't fix, fixed, rejected, cancelled, canceled, declined, completed, escalated, answered,
    offen, neu, geschlossen, gelöst, erledigt, in bearbeitung, wartend, zusammengeführt, abgelehnt, abgeschlossen, abierto, abierta, nuevo, cerrado, cerrada, resuelto, resuelta, pendiente, en curso, fusionado, hecho, rechazado,
    ouvert, nouveau, fermé, clos, résolu, en cours, en attente, fusionné, aperto, chiuso, risolto, in corso, in attesa, aberto, fechado, resolvido, gesloten, opgelost, open, stängd, löst, lukket, løst`),
);

/** With such a word, a header does not say who or when, whatever else it says: "Customer type", "Account manager". */
export const detail = new Set(
  keys(`id, ids, no, nr, number, code, type, since, tier, plan, segment, size, phone, country, region, city, manager, owner, rep, executive, url, link, version, count, total, language, priority, category,
    closed, updated, resolved, due, modified, changed, last, deadline, answered, solved, fixed, typ, nummer, seit, geschlossen, aktualisiert, gelöst, fällig, tipo, desde, cerrado, cerrada, actualizado, gestor, fermé, fermée, modifié, résolu, chiuso, aggiornato`),
);
