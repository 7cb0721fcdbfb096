import type { Corpus } from './corpora.fixture.ts';
import { mail, prose, sheet, talk } from './documents.fixture.ts';

export const coaches: Corpus = {
  trade: 'coach companies, without an overview',
  vendor: 'Linewise',
  customers: ['Overdale Coaches', 'Autocars Morel', 'Hansen Turbusser'],
  competitors: ['BusPilot'],
  features: ['Route Desk', 'Driver Pocket', 'Fare Box'],
  aliases: { 'Hansen Turbusser': ['Hansen Turbusser AS', 'Hansen'], 'Overdale Coaches': ['Overdale'], 'Driver Pocket': ['handbook'] },
  people: {
    'Rhona Pike': 'Overdale Coaches',
    'Didier Morel': 'Autocars Morel',
    'Sigrid Aas': 'Overdale Coaches',
    'Tobias Renn': 'Linewise',
    'Mei Castell': 'Linewise',
  },
  moves: {
    'Sigrid Aas': [
      { organisation: 'Hansen Turbusser', from: null, until: '2026-02-27' },
      { organisation: 'Overdale Coaches', from: '2026-03-02', until: null },
    ],
  },
  renamed: {},
  documents: [
    talk(
      'call hansen jan.txt',
      `Linewise and Hansen Turbusser, 20 January 2026
On the call: Sigrid Aas (Hansen Turbusser); Mei Castell, Tobias Renn (Linewise)

Mei Castell: How did Route Desk do over the holidays?
Sigrid Aas: Route Desk planned the ski weekend without one empty seat back. I was impressed.
Sigrid Aas: The Driver Pocket is another story: it forgets the login in every tunnel.
Tobias Renn: Which phones are they?
Sigrid Aas: The old ones. The drivers call it the handbook, by the way.
Mei Castell: And Fare Box?
Sigrid Aas: We use Fare Box on two lines only.
Sigrid Aas: I should say that my last day at Hansen is 27 February.`,
    ),
    mail(
      'fahrerapp.eml',
      {
        from: 'Rhona Pike <rhona@overdalecoaches.example>',
        to: 'Tobias Renn <tobias.renn@linewise.example>',
        date: '2026-02-10T10:00:00.000Z',
        subject: 'Phones on the night run',
      },
      `Tobias,

Three drivers on the night run lost their route because Driver Pocket went blank at the border.

BusPilot rang me on Friday. They quoted us half of what you charge. I am not going to BusPilot over a blank screen, but fix it.

Could Route Desk learn about ferry times?

Rhona

Rhona Pike
Operations, Overdale Coaches
"We get you there"`,
    ),
    talk(
      'overdale-may.txt',
      `Overdale Coaches check-in
12 May 2026

Tobias Renn: We have a familiar face here.
Sigrid Aas: Since the second of March, yes. I run the office now.
Rhona Pike: She tidied Route Desk in a week.
Sigrid Aas: At Hansen we had it the other way round, all tours in one list.
Rhona Pike: Driver Pocket holds at the border since April. Thank you.
Mei Castell: And Fare Box, would you try it?
Rhona Pike: Not before the summer.`,
    ),
    prose(
      'notes-overdale.md',
      `# Overdale, short visit on 9 March 2026

Who: Rhona Pike, Sigrid Aas (office manager there since 2 March, before that at Hansen). Notes: Mei Castell.

Rhona wants Route Desk to print on one page.

Sigrid says that Fare Box counts children twice.`,
    ),
    mail(
      'billetterie.eml',
      {
        from: 'Didier Morel <d.morel@autocars-morel.example>',
        to: 'Mei Castell <mei.castell@linewise.example>',
        date: '2026-04-22T07:30:00.000Z',
        subject: 'Billetterie',
      },
      `Bonjour Mei,

Avec Fare Box, nous avons vendu 400 billets à la foire sans une seule erreur.

Route Desk reste trop lent le lundi matin.

Didier Morel
Autocars Morel`,
    ),
    sheet('nps.csv', [
      ['when', 'account', 'nps', 'comment'],
      ['2026-05-02', 'Overdale Coaches', '8', 'Route Desk is the first thing I open.'],
      ['2026-05-02', 'Hansen Turbusser AS', '6', 'Since Sigrid left nobody knows the settings.'],
      ['2026-05-03', '', '9', 'n/a'],
      ['2026-05-03', 'Autocars Morel', '7', 'Un peu cher.'],
      ['2026-05-04', 'Overdale', '4', 'Driver Pocket still eats the battery.'],
    ]),
  ],
};

export const inns: Corpus = {
  trade: 'inns, in Spanish, Italian and English, with odd headers',
  vendor: 'Mirabel Systems',
  customers: ['Hotel Peñalba', 'Albergo Il Sole', 'Redwater Inn'],
  competitors: ['Roomlane', 'Innova Suite'],
  features: ['Front Page', 'Night Audit', 'Key Smith', 'Linen Count'],
  aliases: { 'Key Smith': ['Door Cutter'], 'Night Audit': ['auditor'] },
  people: {
    'Lucía Arranz': 'Hotel Peñalba',
    'Bruno Galli': 'Albergo Il Sole',
    'Tess Orrin': 'Redwater Inn',
    'Paul Okafor': 'Mirabel Systems',
    'Greta Lindh': 'Mirabel Systems',
  },
  moves: {},
  renamed: { 'Key Smith': { from: 'Door Cutter', day: '2026-01-15' } },
  documents: [
    prose(
      'Redwater 3 Feb.md',
      `**Redwater Inn** | 3 February 2026 | on site
Present: Tess Orrin. For Mirabel Systems: Paul Okafor, Greta Lindh (from lunch)

### Keys
Tess says Key Smith cuts a card in four seconds; Door Cutter needed twenty.

### Accounts
Night Audit stopped at 2 a.m. three times in January. The porter calls it the auditor and is afraid of it.

### Elsewhere
Her cousin's place has Roomlane. He pays half and gets a third, she says.

### Agreed
- Greta sends the log`,
    ),
    mail(
      'cierre-de-caja.eml',
      {
        from: 'Lucía Arranz <larranz@hotelpenalba.example>',
        to: 'Greta Lindh <greta.lindh@mirabel.example>',
        date: '2026-02-18T11:00:00.000Z',
        subject: 'Cierre de caja',
      },
      `Hola Greta:

Night Audit cierra la caja a las tres y no a las doce. ¿Se puede cambiar?

Door Cutter ahora se llama Key Smith, lo he visto. Funciona muy bien con las puertas nuevas.

Nos ha llegado una oferta de Innova Suite. De momento no vamos a cambiarnos a Innova Suite, pero la dirección pregunta.

Un saludo,
Lucía Arranz
Recepción, Hotel Peñalba`,
    ),
    mail(
      'biancheria.eml',
      {
        from: 'Bruno Galli <bruno.galli@ilsole.example>',
        to: 'Paul Okafor <paul.okafor@mirabel.example>',
        date: '2026-03-03T08:00:00.000Z',
        subject: 'Biancheria',
      },
      `Buongiorno Paul,

Linen Count conta due volte gli asciugamani della piscina.

Front Page invece è bellissima, i clienti prenotano da soli.

Bruno Galli
Albergo Il Sole`,
    ),
    talk(
      'redwater_call_0412.txt',
      `Redwater Inn, monthly call, 12 April 2026

Greta Lindh: Morning Tess. How is the linen?
Tess Orrin: Linen Count is spot on. I found two lost duvets with it.
Paul Okafor: And Front Page?
Tess Orrin: It shows the old prices on phones.
Greta Lindh: Night Audit?
Tess Orrin: Quiet. Ten weeks without a stop.
Tess Orrin: Roomlane asks £99 now, my cousin says. He regrets it.`,
    ),
    sheet('soporte.csv', [
      ['ref', 'fecha', 'cliente', 'asunto', 'mensaje', 'estado'],
      ['S1', '2026-01-20', 'Hotel Peñalba', 'Tarjetas', 'No encuentro Door Cutter en el menú.', 'cerrado'],
      ['S2', '2026-02-02', 'Albergo Il Sole', 'Prezzi', 'Front Page mostra il prezzo senza tassa.', 'abierto'],
      ['S3', '2026-02-09', 'Redwater Inn', 'Cards', 'Key Smith refuses the red cards.', 'cerrado'],
      ['S4', '2026-03-01', 'Hotel Penalba', 'Sábanas', 'Linen Count no guarda el lunes.', 'abierto'],
      ['S5', '2026-03-02', 'Desconocido', '', 'hola', 'cerrado'],
    ]),
    prose(
      'about-the-product.md',
      `# Mirabel Systems: the parts of the house

For newcomers. Last edited by Paul Okafor on 1 April 2026.

| Part | Purpose |
|---|---|
| Front Page | guests book and pay by themselves |
| Night Audit | closes the day and prints the list for breakfast |
| Key Smith | cuts cards for doors; called Door Cutter until 14 January 2026 |
| Linen Count | counts sheets and towels between house and laundry |

Why inns buy: fewer people behind the desk at night.`,
    ),
  ],
};
