import { mail, prose, sheet, talk } from './documents.fixture.ts';
import { coaches, inns } from './corpora-more.fixture.ts';
import type { EvidenceInput } from './types.ts';

/** Small corpora of invented vendors in four trades, with what a reader would note about their names. */

export interface Corpus {
  trade: string;
  documents: EvidenceInput[];
  vendor: string;
  customers: string[];
  competitors: string[];
  features: string[];
  /** Other names of features and organisations. */
  aliases: Record<string, string[]>;
  /** Last employer. */
  people: Record<string, string>;
  moves: Record<string, { organisation: string; from: string | null; until: string | null }[]>;
  renamed: Record<string, { from: string; day: string | null }>;
}

const payroll: Corpus = {
  trade: 'payroll, in German and English',
  vendor: 'Lohnwerk',
  customers: ['Stadtwerke Ellerbach', 'Bäckerei Thoma', 'Nordlicht Pflege'],
  competitors: ['Salarix', 'Paynord'],
  features: ['Lohnlauf', 'Zeitkonto', 'Belegfach', 'Schichtbrett'],
  aliases: { 'Stadtwerke Ellerbach': ['SWE', 'Stadtwerke Ellerbach GmbH'], Schichtbrett: ['Planwand'], Lohnlauf: ['Dampfer'] },
  people: {
    'Heike Brandl': 'Stadtwerke Ellerbach',
    'Moritz Thoma': 'Bäckerei Thoma',
    'Ayşe Demir': 'Nordlicht Pflege',
    'Jan Petersen': 'Lohnwerk',
    'Clara Winter': 'Lohnwerk',
  },
  moves: {},
  renamed: { Schichtbrett: { from: 'Planwand', day: '2026-03-02' } },
  documents: [
    mail(
      'lohnlauf-februar.eml',
      {
        from: 'Heike Brandl <h.brandl@sw-ellerbach.example>',
        to: 'Clara Winter <clara.winter@lohnwerk.example>',
        date: '2026-02-27T08:10:00.000Z',
        subject: 'Lohnlauf Februar',
      },
      `Guten Tag Frau Winter,

der Lohnlauf ist gestern zweimal stehen geblieben, beide Male bei den Minijobs. Intern nennen wir ihn nur den Dampfer, weil er so lange braucht.

Das Zeitkonto stimmt dagegen endlich mit der Stempeluhr überein.

Wenn das im März wieder passiert, müssen wir über einen Wechsel zu Salarix nachdenken. Ein Angebot von Salarix liegt auf meinem Tisch.

Mit freundlichen Grüßen
Heike Brandl
Leiterin Personal

--
Stadtwerke Ellerbach GmbH, Hafenstraße 9, Ellerbach`,
    ),
    talk(
      'thoma_2026-03-11.txt',
      `Bäckerei Thoma, Telefonat
11. März 2026

Clara Winter: Herr Thoma, wie läuft der Plan in den Filialen?
Moritz Thoma: Seit dem 2. März heißt die Planwand ja Schichtbrett. Die Mädels suchen noch danach.
Jan Petersen: Der Name ist neu, sonst nichts.
Moritz Thoma: Beim Schichtbrett fehlt mir die Bäckerwoche, also von Sonntag bis Samstag.
Clara Winter: Und das Belegfach?
Moritz Thoma: Das Belegfach nutzen wir nicht. Bei uns klebt alles im Ordner.
Moritz Thoma: Mein Nachbar, der Metzger, hat Paynord. Der flucht jeden Monat.
Jan Petersen: Gut zu wissen.`,
    ),
    prose(
      'notiz-nordlicht.md',
      `# Nordlicht Pflege, Besuch am 14. April 2026

Teilnehmer: Ayşe Demir (Nordlicht Pflege), Jan Petersen (Lohnwerk)

## Zeitkonto

Frau Demir sagt, dass das Zeitkonto die Nachtzuschläge seit Ostern richtig rechnet. Vorher waren es jeden Monat zwei Stunden Handarbeit.

## Lohnlauf

Der Lohnlauf läuft bei 140 Leuten in vier Minuten durch. Sie war überrascht.

## Nächste Schritte

- Jan: Muster für die Lohnscheine schicken`,
    ),
    sheet('tickets-q1.csv', [
      ['Nr', 'Datum', 'Kunde', 'Betreff', 'Text', 'Status'],
      [
        'L-201',
        '2026-01-12',
        'Stadtwerke Ellerbach',
        'Schnittstelle',
        'Die Datei für das Finanzamt wird abgelehnt, Feld 14 fehlt.',
        'erledigt',
      ],
      ['L-207', '2026-02-03', 'SWE', 'Urlaub', 'Im Zeitkonto fehlen die Resturlaubstage aus 2025.', 'offen'],
      ['L-211', '2026-02-20', 'Bäckerei Thoma', 'Lohnschein', 'Der Lohnschein druckt den Stundensatz doppelt.', 'offen'],
      [
        'L-214',
        '2026-03-05',
        'Nordlicht Pflege',
        'Wo ist die Planwand?',
        'Nicht mehr im Menü. Ach, sie heißt jetzt Schichtbrett.',
        'erledigt',
      ],
      ['L-219', '2026-03-19', 'Baeckerei Thoma', 'Belege', 'Ein Beleg im Belegfach ist leer.', 'offen'],
      ['L-220', '2026-03-20', '(Webformular)', 'test', 'test', 'erledigt'],
    ]),
    prose(
      'was-lohnwerk-kann.md',
      `# Was Lohnwerk kann

Für neue Kollegen, Stand Mai 2026, von Clara Winter.

- **Lohnlauf**: rechnet alle Abrechnungen eines Monats und schickt die Meldungen ab.
- **Zeitkonto**: sammelt Stunden, Zuschläge und Urlaub je Person.
- **Belegfach**: nimmt Quittungen und Reisekosten als Foto an.
- **Schichtbrett** (bis 1. März 2026: Planwand): verteilt Dienste auf Filialen und Wochen.

Wo wir schwach sind: Auswertungen, Baulohn.`,
    ),
    prose(
      'mitbewerber.md',
      `# Mitbewerber (Jan, Juni 2026)

## Salarix
- Schneller Einstieg, teuer ab fünfzig Leuten.
- Keine Nachtzuschläge.

## Paynord
- Günstig, aber die Hotline ist nur vormittags besetzt.

## Was wir sagen
- Wir reden nicht schlecht über andere.`,
    ),
  ],
};

const brewing: Corpus = {
  trade: 'brewing, with French and Spanish, competitors only in speech',
  vendor: 'Hopstack',
  customers: ['Three Wells Brewing', 'Cervezas Altamira', 'Brasserie du Pont Neuf'],
  competitors: ['Kegwise', 'Malzmeister'],
  features: ['Batch Log', 'Cellar Watch', 'Keg Return', 'Label Desk'],
  aliases: { 'Three Wells Brewing': ['TWB', 'Three Well Brewing'], 'Cellar Watch': ['Tank Watch', 'night nurse'], 'Batch Log': ['diary'] },
  people: {
    'Nell Abernathy': 'Three Wells Brewing',
    'Corin Vale': 'Cervezas Altamira',
    'Pilar Otero': 'Cervezas Altamira',
    'Luc Ferrand': 'Brasserie du Pont Neuf',
    'Imke Sauer': 'Hopstack',
    'Dov Lerner': 'Hopstack',
  },
  moves: {
    'Corin Vale': [
      { organisation: 'Three Wells Brewing', from: null, until: '2026-04-30' },
      { organisation: 'Cervezas Altamira', from: '2026-05-04', until: null },
    ],
  },
  renamed: { 'Cellar Watch': { from: 'Tank Watch', day: '2026-04-01' } },
  documents: [
    talk(
      'three-wells-march.txt',
      `Three Wells Brewing x Hopstack
5 March 2026
Attending: Nell Abernathy and Corin Vale (Three Wells Brewing), Imke Sauer (Hopstack)

Imke Sauer: Shall we start with the tanks?
Corin Vale: The night nurse, as Nell calls Tank Watch, woke me twice for nothing.
Nell Abernathy: It was the hatch sensor. Still, I sleep better with it than without.
Imke Sauer: And the Batch Log?
Nell Abernathy: We call it the diary. I write everything into it, even the weather.
Corin Vale: What I miss is a photo per entry.
Imke Sauer: Keg Return?
Nell Abernathy: We never turned Keg Return on. Our pubs are all within a mile.
Corin Vale: A man from Kegwise came by, by the way. He wants £60 a month.
Nell Abernathy: I told him no.`,
    ),
    mail(
      'alarme-cuve.eml',
      {
        from: 'Luc Ferrand <luc@brasserie-pontneuf.example>',
        to: 'Dov Lerner <dov@hopstack.example>',
        date: '2026-04-09T15:00:00.000Z',
        subject: 'Alarme de cuve',
      },
      `Bonjour Dov,

Tank Watch s'appelle désormais Cellar Watch, c'est noté. Mais depuis le 1er avril, il n'envoie plus rien la nuit.

Les étiquettes de Label Desk sortent toujours de travers, trois millimètres vers la gauche.

Si rien ne change avant l'été, nous allons passer chez Malzmeister. Le devis de Malzmeister est arrivé lundi.

Cordialement,
Luc Ferrand
Brasserie du Pont Neuf`,
    ),
    mail(
      'nuevo-puesto.eml',
      {
        from: 'Corin Vale <corin.vale@altamira.example>',
        to: 'Imke Sauer <imke@hopstack.example>',
        cc: 'Pilar Otero <pilar.otero@altamira.example>',
        date: '2026-05-06T09:00:00.000Z',
        subject: 'New desk, same me',
      },
      `Hi Imke,

I joined Cervezas Altamira on 4 May, so you get me again. Pilar runs the cellar here.

Cellar Watch is set up for six tanks and behaves. The Batch Log has no litres, only barrels: can that be switched?

Corin Vale
Head Brewer
Cervezas Altamira`,
    ),
    prose(
      'altamira visit.md',
      `# Visit to Cervezas Altamira

21 May 2026, written up by Imke Sauer
Present: Pilar Otero, Corin Vale (head brewer since 4 May, before that at Three Wells)

## Kegs

Pilar says Keg Return loses one keg in twenty when two vans come back at once.

## Labels

They love Label Desk. It saves an hour for each bottling.

## Others

She tried Kegwise two years ago and went back to paper within a month.

## To do

- Imke: litres in the Batch Log`,
    ),
    sheet('requests.csv', [
      ['id', 'day', 'brewery', 'text', 'state'],
      ['1', '2026-03-20', 'Three Wells Brewing', 'Corin leaves at the end of April. Please make Nell the admin.', 'done'],
      ['2', '2026-04-02', 'TWB', 'Where did Tank Watch go? Found it, it is now called Cellar Watch.', 'done'],
      ['3', '2026-04-15', 'Cervezas Altamira', 'Cellar Watch shows Fahrenheit since yesterday.', 'open'],
      ['4', '2026-05-02', 'Three Well Brewing', 'The Batch Log forgets the last line when the tablet sleeps.', 'open'],
      ['5', '2026-05-20', 'Brasserie du Pont Neuf', 'Label Desk est parfait depuis la mise à jour.', 'done'],
      ['6', '2026-05-22', 'Three Wells Brewing', 'Please send the invoice to Nell.', 'done'],
      ['7', '2026-05-23', 'Cervezas Altamira', 'Two kegs were counted twice at the gate.', 'open'],
      ['8', '2026-05-28', 'Brasserie du Pont Neuf', 'La balance ne répond plus.', 'open'],
    ]),
    prose(
      'modules.txt',
      `Hopstack modules (internal, Dov Lerner, May 2026)

Batch Log - every brew from mash to bottle, with temperatures and tastings
Cellar Watch - sensors in tanks, alarms by message; known as Tank Watch until 31 March 2026
Keg Return - deposits and empties, scanned at the gate
Label Desk - labels with batch, date and duty

Customers often ask for litres and hectolitres.`,
    ),
  ],
};

export const corpora: readonly Corpus[] = [payroll, brewing, coaches, inns];
