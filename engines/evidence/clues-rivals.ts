import { places, plainWords, stopWords } from '../extraction/words.ts';
import { entriesOf } from './clues-heads.ts';
import { namePattern, trimmedName, writtenNames, type Segment } from './clues-text.ts';
import type { Clue, EvidenceInput, Layout } from './types.ts';

/** Clues about competitors: what people do with somebody else's product, in several languages. */

const rival = `(?<rival>${namePattern})`;
const up = String.raw`(?:\p{L}{1,12} ){0,3}?`;
const patterns: readonly { pattern: RegExp; weight: number }[] = [
  [
    String.raw`\b(?:switch|switched|switching|migrate|migrated|migrating|defect|defected|change|changed|changing|convert|converted) ${up}(?:to|over to) ${rival}`,
    0.6,
  ],
  [
    String.raw`\b(?:leave|leaves|leaving|left|drop|dropped|ditch|ditched|replace|replaced|replacing) (?:\p{L}{1,12} ){1,4}?(?:for|with|by) ${rival}`,
    0.6,
  ],
  [String.raw`\b(?:go|going|goes|went|move|moved|moving) ${up}(?:to|over to|with|for) ${rival}`, 0.35],
  [
    String.raw`\b${rival}(?: has| have| had|['’]ve|['’]s)?(?: now| just| already| also)? (?:quoted|offered|undercut|undercuts|rang|called|phoned|contacted|approached|pitched|emailed|wooed|visited|courted|came by|came round|stopped by|knocked)\b`,
    0.35,
  ],
  [
    String.raw`\b(?:quotes?|offers?|proposals?|bids?|demos?|trials?|pilots?|price lists?|salesman|saleswoman|salespeople|sales rep|rep|sales team|cold calls?|somebody|someone|a man|a woman) (?:from|by|of|with|at) ${rival}`,
    0.45,
  ],
  [
    String.raw`\b(?:tried|trialled|trialed|tested|evaluated|evaluating|trialling|piloted|piloting|demoed|shortlisted|considering|considered|looked at|looking at|talked to|talking to|spoke to|speaking to|rang|quoted by) ${rival}`,
    0.35,
  ],
  [String.raw`\b(?:compared?|comparison) (?:\p{L}{1,12} ){0,4}?(?:with|to|against) ${rival}`, 0.4],
  [
    String.raw`\b(?:better|cheaper|prettier|nicer|faster|worse|dearer|slower|easier|simpler|smoother) (?:\p{L}{1,12} )?(?:than|with|at|in|on) ${rival}`,
    0.45,
  ],
  [
    String.raw`\b${rival} (?:is|are|was|seems|looks|would be) (?:\p{L}{1,12} )?(?:better|cheaper|prettier|nicer|faster|worse|dearer|slower|easier|simpler|half the price)`,
    0.5,
  ],
  [
    String.raw`\b${rival},? (?:asks?|charges?|costs?|quotes?|wants?|offers?|bills?|from|ab|verlangt|kostet|cuesta|cobra|coûte|demande) (?:about |only |around |us |etwa |nur |unos |environ )?(?:[£$€]|\d|eur)`,
    0.5,
  ],
  [
    String.raw`\b${rival}, [^.\n]{0,30}\b(?:euros?|pounds?|dollars?|francs?|kronor|kroner|a year|a month|per month|per year|im Jahr|im Monat|al mes|al año|par mois|par an)\b`,
    0.4,
  ],
  [
    String.raw`\b(?:neighbours?|neighbors?|colleagues?|friends?|sister (?:site|company)|next town|next door|competitor|cousin|brother|rival|other (?:\p{L}{3,15}))\b[^.!?\n]{0,40}\b(?:uses?|using|has|have|runs?|bought|got|took|is on|are on|works? with) ${rival}`,
    0.5,
  ],
  [
    String.raw`\b(?:competitors?|rivals?|alternatives?|other vendors?|other suppliers?)(?: like| such as|,|:| is| are| called| named)? ${rival}`,
    0.6,
  ],
  [String.raw`\b(?:say|saying|said|told|tell) (?:no|yes) to ${rival}`, 0.4],
  // "The other system we looked at, X, does it": another one, named beside.
  [
    String.raw`\b(?:other|another|second|former|old|previous) (?:system|tool|program|programme|product|software|app|vendor|supplier|provider|offer|quote)(?: (?:that |which )?(?:we|they|he|she|i) (?:\p{L}{1,12} ){1,4}?(?:\p{L}{1,12}))?, ${rival},`,
    0.6,
  ],
  [String.raw`\b(?:andere|zweite|frühere|vorige)[nrs]? (?:System|Programm|Software|Anbieter|Angebot|Lösung), ${rival},`, 0.6],
  [String.raw`\b(?:otro|otra) (?:sistema|programa|herramienta|proveedor|oferta), ${rival},`, 0.6],
  [String.raw`\b(?:autre|deuxième) (?:système|logiciel|outil|fournisseur|offre), ${rival},`, 0.6],
  [String.raw`\b(?:zu|zur|nach) ${rival} (?:\p{L}{1,12} )?(?:wechseln|gewechselt|gehen|gegangen|umsteigen|umgestiegen|wandern)`, 0.6],
  [
    String.raw`\b(?:Wechsel|Umstieg|wechseln|wechselt|wechselten|wechseln wir|gehen wir|steigen wir um) (?:\p{L}{1,12} )?(?:zu|auf) ${rival}`,
    0.6,
  ],
  [
    String.raw`\b(?:Angebot|Vorführung|Preis|Vertreter|Konkurrent|Wettbewerber|Mitbewerber|Kollege|Nachbar\p{L}{0,12}) (?:von |bei |der |des )?${rival}`,
    0.45,
  ],
  [String.raw`\b(?:Nachbar|Kolleg)\p{L}{0,14} [^.!?\n]{0,60}\b(?:über|mit|bei|nutzt|benutzt|verwendet|hat|setzt auf) ${rival}`, 0.5],
  [
    String.raw`\b(?:pasar(?:nos|se|me)?|cambiar(?:nos|se|me)?|irnos|irse|irme|vamos|nos vamos|pasamos|cambiamos|marcharnos|mudarnos) (?:\p{L}{1,12} )?(?:a|con) ${rival}`,
    0.55,
  ],
  [
    String.raw`\b(?:oferta|presupuesto|propuesta|demo|prueba|comercial|competidor|vecino|vecina) (?:de |con |usa |tiene |del? )?${rival}`,
    0.45,
  ],
  [
    String.raw`\b(?:passer|passons|passé|basculer|aller|allons|partir|partons|migrer|changer) (?:\p{L}{1,12} )?(?:chez|à|vers|sur|pour) ${rival}`,
    0.55,
  ],
  [
    String.raw`\b(?:devis|offre|proposition|démo|essai|commercial|concurrent|voisin|voisine|confrère|collègue) (?:de |chez |avec |utilise |a )?${rival}`,
    0.45,
  ],
  [String.raw`\b(?:passare|passiamo|cambiare) (?:\p{L}{1,12} )?(?:a|con) ${rival}`, 0.5],
  [String.raw`\b(?:overstappen|stappen over|gaan) (?:\p{L}{1,12} )?(?:naar|op) ${rival}`, 0.5],
  // What was used before: "we used X before you", "came from X", "get X back in", "go back to X".
  [
    String.raw`\b(?:used|had|ran|were on|were with|paid for|came from|come from|came over from) ${rival} (?:\p{L}{1,12} ){0,2}?(?:before|until|till|for years|previously)\b`,
    0.6,
  ],
  [String.raw`\b(?:before you|before that|before this),? (?:we|it|they) (?:\p{L}{1,10} ){1,2}?${rival}`, 0.5],
  [String.raw`\b(?:back (?:to|on|with)|get|take|want) ${rival}(?: back)? (?:in|back|again)\b`, 0.45],
  [String.raw`\b(?:go|going|went|gone|be|goes) back (?:to|with) ${rival}`, 0.4],
  // Who rings whom: "not ringing X", "X is off the table", "need X", "bump into X".
  [
    String.raw`\b(?:ring|ringing|rung|call|calling|phone|phoning|phoned|need|needing|bump into|bumped into|ask|asking) ${rival}(?: yet| tomorrow| on| in|[.,!?]|$)`,
    0.3,
  ],
  [
    String.raw`\b${rival} (?:is|are|was|were) (?:\p{L}{1,10} )?(?:off the table|out of the (?:picture|race|question)|still (?:sniffing|calling|ringing|circling|after)|sniffing|circling|at the (?:show|fair|stand|door|gate)|knocking|for free)\b`,
    0.5,
  ],
  [String.raw`\b(?:is|are|was|were) ${rival} (?:still )?(?:sniffing|calling|ringing|circling|after you|in touch|knocking)\b`, 0.5],
  [String.raw`\b${rival} (?:left|sent|gave|showed|handed|dropped off) (?:us|me|a|an|his|her|their|the)\b`, 0.35],
  [
    String.raw`\b${rival} (?:would be|is|are|was|comes|works out|does it) (?:\p{L}{1,12} ){0,2}?(?:free|cheap|cheaper|half|included|a third|less|expensive)\b`,
    0.45,
  ],
  [String.raw`\b(?:on|with|using|use) ${rival} (?:and|but|now|instead|because)\b`, 0.2],
  [String.raw`\b(?:we|they|he|she)(?:['’]re| are| were) (?:all )?on ${rival}`, 0.3],
  [String.raw`\b(?:versus|vs\.?|against|instead of|rather than|alternative to|compared? to) ${rival}`, 0.35],
  [
    String.raw`\b(?:colleagues?|friends?|neighbours?|neighbors?|cousin|brother|sister|somebody|someone)\b[^.!?\n]{0,40} (?:that|about|of) ${rival}`,
    0.35,
  ],
  [
    String.raw`\b(?:heard|told me|says?|said|mentioned|recommends?|recommended|swears by|raves about|reckons|read) (?:of |about |that )?${rival} (?:is|was|can|does|has|would|do|had)\b`,
    0.35,
  ],
  [
    String.raw`\b(?:recommends?|recommended|swears by|raves about|signed (?:up )?with|signed for|stay with|stuck with|sold on) ${rival}`,
    0.3,
  ],
  [
    String.raw`${rival} (?:cuesta|vale|sale|kostet|verlangt|coûte|demande|costa|costs?|charges?|wants?) (?:\p{L}{1,12} ){0,2}?(?:mitad|hälfte|moitié|metà|half|menos|weniger|moins|meno|less|nada|nichts|rien|nothing)`,
    0.5,
  ],
  [
    String.raw`\b(?:sich|uns|mir|mal) ${rival} (?:\p{L}{1,12} )?(?:angesehen|angeschaut|anschauen|ansehen|zeigen|vorführen|vorgestellt)`,
    0.5,
  ],
  [String.raw`\b(?:mirando|mirado|miramos|probado|probando|probamos|evaluando|visto) (?:a )?${rival}`, 0.35],
  [String.raw`\b(?:regardé|essayé|testé|étudié|regarde|teste|essaie) ${rival}`, 0.35],
  [String.raw`${rival} (?:hat|haben) (?:uns|mir|sich|angerufen|angefragt)`, 0.5],
  [
    String.raw`\b[Vv]on ${rival} (?:liegt|liegen|habe|haben|gibt es|kam|kommt|bekamen|wurde)(?: [^.!?\n]{0,40})?(?:Angebot|Preis|Vertreter|Vorführung|Anruf|Besuch)`,
    0.6,
  ],
  [String.raw`\b(?:vorher|früher|zuvor|davor) (?:bei|mit|auf) ${rival}`, 0.5],
  [String.raw`\b[Bb]ei ${rival} (?:kostet|zahlen|zahlt|bekommt|gibt es|ist es|geht das|wäre)`, 0.5],
  [
    String.raw`${rival} (?:ya )?(?:nos|me) (?:ha|han|hizo|hicieron|ofrece|ofrecen|ofreció|llama|llamó|escribe|escribió|visitó|mandó|sale|cobra)`,
    0.5,
  ],
  [String.raw`\b(?:antes|hasta ahora) (?:usábamos|teníamos|estábamos con|trabajábamos con) ${rival}`, 0.6],
  [String.raw`\b(?:pregunt\p{L}{1,6}|sab\p{L}{1,5}|oíd?o?|oferta|gente|comercial|hablar) (?:por|de|con|sobre) ${rival}`, 0.3],
  [String.raw`${rival} (?:nous|m['’])\s?(?:a|ont|propose|proposent|écrit|écrivent|appelle|relance|démarche|offre|fait)`, 0.5],
  [String.raw`\b(?:chez|avec|sur) ${rival} (?:avant|auparavant|c['’]est|on paie|ça coûte|pour la moitié)`, 0.5],
  [String.raw`\b(?:quitter|quitté|laisser) (?:pour|au profit de) ${rival}`, 0.5],
  [String.raw`${rival} (?:ci|mi) (?:ha|hanno|offre|offrono|propone|chiama|scrive)`, 0.5],
].map(([source, weight]) => ({ pattern: new RegExp(sensible(source as string), 'gu'), weight: weight as number }));

/** `\b` knows only ASCII letters, and the first letter of a pattern may begin a sentence. */
function sensible(source: string): string {
  return source.startsWith(String.raw`\b`) ? String.raw`(?<![\p{L}\p{N}])${source.slice(2)}` : source;
}

export function rivalClues(input: EvidenceInput, layout: Layout, segments: readonly Segment[], isTaken: (name: string) => boolean): Clue[] {
  const weights = new Map<string, number>();
  const add = (written: string, weight: number): void => {
    const name = trimmedName(written);
    if (name === '' || isTaken(name) || places.has(name.toLowerCase()) || plainWords.has(name.toLowerCase()) || name.length < 3) return;
    weights.set(name, Math.min(0.9, (weights.get(name) ?? 0) + weight));
  };
  for (const segment of segments) {
    // A single capitalised word at the start of a sentence may be any word.
    const openers = new Set(
      writtenNames(segment).flatMap(({ text, weak, words }) => (weak && words === 1 && !/\p{Ll}\p{Lu}/u.test(text) ? [text] : [])),
    );
    for (const { pattern, weight } of patterns) {
      for (const match of segment.text.matchAll(pattern)) {
        const name = trimmedName(match.groups!.rival!);
        add(name, openers.has(name) ? weight / 2 : weight);
      }
    }
  }
  if (layout.kind === 'rivals') for (const name of headings(input)) add(name, 0.9);
  // Everybody's tools are sold beside the product, not against it.
  for (const [name, weight] of weights) if (tools.has(name.toLowerCase()) && weight < 0.9) weights.delete(name);
  return [...weights].map(([subject, weight]) => ({ kind: 'competitor', subject, object: null, day: null, weight }));
}

/** Names that head a part of notes about others: every word has a capital, and none of them is a plain word. */
function headings(input: EvidenceInput): string[] {
  return entriesOf(input)
    .flat()
    .flatMap(({ name, description }) => {
      const plain = name
        .replace(/\([^)]*\)?/gu, '')
        .replace(/[*_`"“”„«»:.]+/gu, '')
        .trim();
      const words = plain.split(/\s+/);
      const isName =
        description !== '' &&
        words.length <= 3 &&
        words.every((word) => /^[\p{Lu}\p{N}]|^\p{Ll}{1,3}\p{Lu}/u.test(word)) &&
        !words.every((word) => plainWords.has(word.toLowerCase()) || stopWords.has(word.toLowerCase()) || generic.has(word.toLowerCase()));
      return isName ? [plain] : [];
    });
}

const tools = new Set(
  `excel,word,outlook,powerpoint,access,google,google sheets,google drive,google maps,google calendar,gmail,whatsapp,teams,slack,zoom,skype,telegram,signal,facebook,instagram,linkedin,youtube,twitter,apple,android,microsoft,windows,dropbox,onedrive,sharepoint,paypal,stripe,visa,mastercard,sap,datev,sage,xero,quickbooks,lexware,jira,trello,notion,chrome,firefox,safari,edge,ipad,iphone,amazon,dhl,ups,fedex,chatgpt,siri,alexa`.split(
    ',',
  ),
);
const generic = new Set(
  'strengths weaknesses pricing summary conclusion opportunities threats rivals competitors competition positioning sources stärken schwächen preise fazit fuerzas debilidades precios conclusión forces faiblesses tarifs us wir nosotros nous'.split(
    ' ',
  ),
);
