import { actsOfLeaving, othersLeave } from './judge-acts.ts';
import { lowerOf } from './statements-words.ts';

/** Cues of leaving, of harm and of relief: verbs and nouns that mean it in any trade. English, German, Spanish, French. */

const word = (words: string): RegExp => new RegExp(`(?<![\\p{L}'])(?:${words})(?![\\p{L}'])`, 'u');

/** Ends the business relation, or threatens to. Each says it without help from the context. */
const leaving = word(
  [
    String.raw`giv(?:e|es|ing) (?:\p{L}+ )?notice|gave (?:\p{L}+ )?notice|given notice|hand(?:ed|ing)? in (?:our|my) notice|serve[sd]? notice|(?:cancel\p{L}*|terminat\p{L}+|quit|quitting) (?:the |our |my |this |their |his |her |that |your )?(?:\p{L}+ )?(?:contract|subscription|licen[cs]es?|account|agreement|renewal|membership|plan|service|deal)|(?:i|we|they)(?:'ll| will| would|'d| shall| have to| must| may| might|'re going to| are going to|'re| are)? (?:cancel|terminate|cancelling|terminating)(?= (?:by|at|if|unless|as of|with you|it|this|and|on)(?!\p{L})|[.,;!]|$)`,
    String.raw`(?:not|n't|never) (?:be )?(?:renew\p{L}*|extend\p{L}* (?:the|our)|sign(?:ing)? (?:again|the renewal|up again|another))|non-renewal|(?:leave|leaving|left) (?:you|your|for)|(?:drop|dropping|ditch|ditching|replac(?:e|ing)) you(?:rs?)?`,
    String.raw`(?:stop|stops|stopped|stopping|quit|end|ending) (?:paying|using (?:you|your|this (?:product|software|system|tool|service)|the (?:product|software|system|tool|service|platform|whole thing))|the (?:\p{L}+ )?(?:licen[cs]e|contract|subscription|payments?)|our (?:\p{L}+ )?(?:licen[cs]e|contract|subscription|payments?)|my (?:\p{L}+ )?(?:licen[cs]e|contract|subscription|payments?))`,
    String.raw`(?:go|going|move|moving|switch|switching|change|changing|migrat(?:e|ing)) (?:over )?(?:to|with) (?:another|a different|the competit\p{L}+|some(?:body|one) else|other|an alternative)|(?:go|going|look|looking|shop|shopping) (?:elsewhere|around)|switch(?:ing)? (?:vendors?|suppliers?|providers?|away)|(?:walk|walking) away`,
    String.raw`(?:look|looking|looked|search|searching) (?:at|into|for) (?:\p{L}+ )?(?:alternatives?|competitors?|other (?:vendors?|suppliers?|providers?|systems?|tools?|products?|options?)|a replacement)|(?:evaluat\p{L}+|compar\p{L}+) (?:other|alternatives?|competitors?)|(?:second|competing|rival|another) (?:offer|quote)|last (?:chance|straw)`,
    String.raw`kündig\p{L}*|gekündigt|vertrag(?:s)? (?:zu )?(?:beenden|auslaufen|lösen)|nicht (?:mehr )?(?:zu )?verlänger\p{L}*|verlänger\p{L}* (?:wir )?(?:\p{L}+ ){0,3}nicht|(?:zu|zur) (?:einem anderen|einer anderen|konkurrenz)|anbieter(?:s)? (?:zu )?wechs\p{L}+|wechseln (?:wir|zu|den anbieter)|wechs\p{L}+ (?:wir )?(?:zu|zur)|sehen uns (?:\p{L}+ ){0,3}um|nach alternativen|angebote? (?:ein)?(?:holen|eingeholt)|abspringen`,
    String.raw`cancelar\p{L}*|cancelamos|dar(?:nos|me)? de baja|damos de baja|rescindir\p{L}*|rescindimos|no (?:vamos a )?renovar\p{L}*|no renovamos|(?:nos vamos|irnos|nos iremos|me voy|cambiar(?:nos|emos)?|cambiamos|pasar(?:nos|emos)?) (?:a|con|de proveedor)|dejar(?:emos)? de (?:pagar|usar|trabajar)|otro proveedor|buscar (?:alternativas?|otr\p{L}+)`,
    String.raw`résili\p{L}*|ne (?:pas )?renouvel\p{L}*|renouvellerons pas|quitter(?:ons)?|partir(?:ons)? (?:chez|ailleurs)|(?:aller|irons|passer|passerons|passons) (?:chez|ailleurs|à la concurrence)|chang\p{L}+ de (?:fournisseur|prestataire|logiciel|solution)|arrêt\p{L}+ (?:de payer|l'abonnement|le contrat)|chercher? ailleurs|autre (?:fournisseur|prestataire)`,
  ].join('|'),
);

/** Movement to a competitor, told by a verb beside its name. */
const towards = word(
  String.raw`go|goes|going|went|move|moving|moved|switch|switching|switched|change|changing|leave|leaving|sign(?:ing|ed)? (?:with|up)|recommend\p{L}*|prefer|replace|instead|quot(?:e|es|ed|ing)|offer(?:s|ed)?|asks? (?=[£$€\d])|price[sd]?|wechs\p{L}+|gehen|angebot|empfehl\p{L}*|ir|irnos|vamos|cambi\p{L}+|oferta|recomend\p{L}*|aller|passer|partir|offre|recommand\p{L}*`,
);

/** What an ultimatum announces: a part given up, the former way taken up again, a competitor asked in. */
const givingUp = word(
  [
    String.raw`(?:ask|asks|asking|want|wants|claim|claims|demand|demands|have|get)(?: you)?(?: for)? (?:the |our |my |all (?:the |our |my )?)?(?:money back|refund|refunded)|(?:a|full|our|the|my) refund|(?:unser|das|mein) geld zurück|(?:el|nuestro|mi) dinero de vuelta|devol(?:ución|vedme|vednos|ver)\p{L}* (?:el|del|nuestro) dinero|(?:remboursés?|remboursement)`,
    String.raw`stop(?:s|ping)? (?:to pay|paying|using|(?:\p{L}+ )?(?:payments?|renting))|(?:switch(?:es|ing)?|turn(?:s|ing)?|tak(?:e|es|ing)|pull(?:s|ing)?) (?:\p{L}+ ){1,4}(?:off|out|away|back)(?! (?:of )?(?:my|the) (?:mind|head|box|list))|(?:go|goes|going) back to|(?:drop(?:s|ping)?|ditch(?:es|ing)?|giv(?:e|es|ing) up) (?:the|your|this|it)|(?:return(?:s|ing)?|replac(?:e|es|ing)) (?:your?|it|this)`,
    String.raw`(?:schalte[nt]?|stelle[nt]?|nehme[nt]?|werfe[nt]?) [^.!?]{1,60}? (?:ab|ein|raus|heraus|zurück)|(?:gehe[nt]?|kehre[nt]?) [^.!?]{0,40}?zurück|(?:quitamos|quito|apagamos|apago|volvemos|vuelvo|dejamos|dejo) |(?:arrête|arrêtons|coupe|coupons|revenons|reviens|retirons|retire) `,
  ].join('|'),
);
/** "we go to Packwell": a name is enough, known as a competitor or not. */
const departing =
  /(?<!\p{L})(?:[Ww]e|I)(?:'ll| will| shall| must|'re|'m| are| am)? (?:go|going|move|moving|switch|switching|change|changing) (?:over |back )?to \p{Lu}\p{L}+/u;
/** Contact with a competitor. */
const asked = word(
  String.raw`(?:call|ring|phon|invit|visit|test|try|ask)(?:ing|ed)?|rang|tried|came|come in|demo|trial|anrufen|angerufen|rufe[nt]?|llamar\p{L}*|llamado|appel(?:er|ons|é)`,
);

/** The same, in verbs that tell who does it. */
const contacts = word(
  String.raw`rufe ich|rufen wir|hole ich|holen wir|teste ich|testen wir|llam(?:o|amos|aré|aremos)|habl(?:o|aré|amos|aremos) con|prueb(?:o)|prob(?:amos|aré|aremos)|contrat(?:o|amos|aré|aremos)|j'appelle(?:rai)?|nous appel(?:ons|lerons)|on appelle(?:ra)?|chiam(?:o|iamo|erò|eremo)`,
);

/** The speaker's side. People of the other side leave their jobs, too. */
const subject =
  /(?<![\p{L}'])(?:we|we're|we'll|we've|we'd|i|i'm|i'll|i've|i'd|us|our|my|me|board|council|management|owner|boss|head office|wir|ich|uns|unser\p{L}*|mein\p{L}*|vorstand|geschäftsführung|nosotros|yo|nuestr\p{L}+|mi|nos|\p{L}+(?:amos|emos|imos)|dirección|nous|je|j'\p{L}+|notre|mon|direction|she|he|they|er|sie|él|ella|ellos|ellas|il|elle|ils|elles)(?![\p{L}'])/u;

/** Says that nobody leaves: no sign of leaving unless it takes one back. */
const staying =
  /(?<![\p{L}'])(?:(?:not|n't|never) (?:\p{L}+ ){0,2}(?:leaving|going anywhere|going to (?:leave|change|switch)|moving|cancell?ing|switching|looking (?:around|elsewhere))|(?:do not|don't|did not|didn't|no) (?:\p{L}+ ){0,3}(?:that (?:i|we)(?:'m|'re| am| are)? leav\p{L}+)|(?:we|i|they|all \p{L}+)(?:'ll| will| shall)? stay|staying (?:with|put)|(?:we|i|they)(?:'re|'m| are| am) (?:\p{L}+ )?(?:happy|content) (?:with (?:you|yours|what (?:we|i) have)|where (?:we|i) (?:are|am)|as (?:we|i) (?:are|am))|(?:told|tell) (?:them|him|her) (?:that )?(?:we|i)(?:'re|'m| are| am| were| was) (?:\p{L}+ )?(?:happy|content|fine|not interested|staying)|(?:gesagt|geantwortet),? (?:dass )?wir (?:\p{L}+ ){0,3}zufrieden|zufrieden mit ihnen|(?:content|satisfech)[oa]s con (?:ustedes|vosotros)|(?:contents|satisfaits) (?:de|avec) vous|(?:wir|ich|sie) (?:wechseln|gehen|kündigen)(?: \p{L}+){0,3} nicht(?! weiter| mehr ans)|(?:no|ni) (?:nos (?:vamos|cambiamos)|cambiamos de (?:proveedor|sistema))|(?:on|nous|je|ils|elles) ne (?:change|changeons|changent|part|partons|partent|quitte|quittons|bouge|bougeons)\p{L}* pas|bleiben (?:wir|bei|dabei)|wir bleiben|nos quedamos|seguimos con|nous restons|on reste)(?![\p{L}'])/u;

/** An announcement with a condition: "if it is not there by May, …". */
const condition = word(
  String.raw`if|unless|otherwise|provided|or else|wenn|falls|sofern|sonst|andernfalls|solange|si|salvo que|a menos que|de lo contrario|mientras no|sinon|à moins que|faute de|tant que`,
);
export const conditional = (text: string): boolean => condition.test(lowerOf(text));

/** "In June she had announced that she would stop paying": how it was before something else. */
const wasSaid = word(
  String.raw`had (?:\p{L}+ )?(?:announced|threatened|said|written|wanted|planned|intended|thought)|hatte\p{L}* (?:[^.!?]{1,60} )?(?:angekündigt|gedroht|gesagt|geschrieben)|había\p{L}* (?:anunciado|amenazado|dicho|escrito)|avai(?:t|ent|s|ons) (?:annoncé|menacé|dit|écrit)`,
);

/** "We withdraw the notice": what is taken back has the name of a leaving. */
const nameOfLeaving = word(
  String.raw`notice|cancell?ations?|terminations?|threats?|ultimatum|leaving|resignation|refunds?|money back|rückerstattung|devolución|remboursement|kündigung|drohung|ultimatum|rescisión|baja|ultimátum|amenaza|résiliation|préavis|menace`,
);
export const namesLeaving = (text: string): boolean => nameOfLeaving.test(lowerOf(text));

export interface LeavingCues {
  /** 0 none, 1 weak, 2 plain. */
  strength: 0 | 1 | 2;
  stays: boolean;
  /** Somebody else leaves something else. */
  others: boolean;
}

/** @param rivals whether the statement names a competitor */
export function leavingCues(text: string, rivals: boolean): LeavingCues {
  const lower = lowerOf(text);
  const stays = staying.test(lower);
  const own = subject.test(lower);
  const others = othersLeave(text);
  const threatens = conditional(text);
  const plain =
    (own && leaving.test(lower)) ||
    actsOfLeaving(lower, rivals) ||
    (threatens && departing.test(text)) ||
    (rivals && threatens && contacts.test(lower)) ||
    (own && threatens && (givingUp.test(lower) || (rivals && (asked.test(lower) || towards.test(lower)))));
  if (plain && !others && !wasSaid.test(lower)) return { strength: 2, stays, others };
  const weak = plain || leaving.test(lower) || (own && rivals && towards.test(lower));
  return { strength: weak && !others ? 1 : 0, stays, others };
}

const graveHarm = word(
  String.raw`danger\p{L}*|safety|unsafe|injur\p{L}+|hurt|harm\p{L}*|death|dead|die[sd]?|hospital|poison\p{L}*|fire|fined?|penalt\p{L}+|illegal|unlawful|lawsuit|breach\p{L}*|leak\p{L}*|fraud|audit\p{L}*|regulator\p{L}*|police|outage|data loss|gefähr\p{L}*|sicherheit\p{L}*|verletz\p{L}*|strafe|bußgeld|gesetz\p{L}*|datenverlust|behörde\p{L}*|ausfall|peligr\p{L}*|seguridad|multa\p{L}*|sanci\p{L}+|denuncia\p{L}*|queja oficial|ilegal|legal|mandatory|compulsory|(?:required|demanded) by law|legally required|gesetzlich|vorgeschrieben|pflicht|obligatori[oa]s?|obligatoires?|danger\p{L}*|sécurité|blessé\p{L}*|amende|plainte|illégal\p{L}*|perte de données`,
);
const money = /(?:[£$€]\s?\p{N}|\p{N}[\p{N}.,]*\s?(?:€|\$|£|eur|euros?|dollars?|pounds?|usd|gbp|chf|francs?|franken|kronor|kr)(?!\p{L}))/u;
const blocked = word(
  String.raw`cannot|can't|can not|cant|unable|impossible|nobody can|no one can|stuck|blocked|down|lost|loses|gone|missing|deleted|unbilled|not billed|by hand|manually|switched (?:it )?off|turned (?:it )?off|unmöglich|geht nicht|können nicht|kann nicht|verloren|gelöscht|fehlt|fehlen|von hand|manuell|abgeschaltet|no (?:se )?puede[ns]?|no podemos|imposible|perdid[oa]s?|bloquead\p{L}+|a mano|apagado|impossible de|ne (?:peut|peux|pouvons|peuvent) (?:pas|plus)|perdu\p{L}*|bloqué\p{L}*|à la main|coupé`,
);
const often = word(
  String.raw`every (?:time|day|night|week|morning|month)|each (?:time|day|night|week|morning)|all the time|always|constantly|daily|weekly|third time|again and again|times (?:a|this|since)|immer|jedes mal|jede[nrs]? (?:tag|nacht|woche|monat)|ständig|täglich|dauernd|cada (?:vez|día|noche|semana|mes)|siempre|todos los días|tercera vez|chaque (?:fois|jour|nuit|semaine|mois)|toujours|tous les jours|sans cesse`,
);
const slight = word(
  String.raw`not urgent|no (?:hurry|rush)|minor|small thing|nice to have|cosmetic|only a little|a (?:bit|little)|slightly|silly|tiny|nitpick|never mind|no big deal|nicht (?:dringend|eilig|schlimm)|kleinigkeit|halb so wild|eilt nicht|etwas|no es urgente|sin prisa|poca cosa|detalle|un poco|pas urgent|rien de grave|petit(?:e)? (?:chose|détail)|un peu`,
);

export interface HarmCues {
  grave: boolean;
  money: boolean;
  blocked: boolean;
  often: boolean;
  slight: boolean;
}

export function harmCues(text: string): HarmCues {
  const lower = lowerOf(text);
  return {
    grave: graveHarm.test(lower),
    money: money.test(lower),
    blocked: blocked.test(lower),
    often: often.test(lower),
    slight: slight.test(lower),
  };
}

/** A part of the product that the speaker has no use for: a fact, unless it is told why not. */
const notUsed = word(
  [
    String.raw`(?:do|does|did)(?:n't| not) (?:really |actually |even )?use|(?:is|are|was|were)(?:n't| not) (?:in use|used)|not (?:in use|used)|(?:have|has|'ve|'s|had)(?: never|n't|n't ever| not) (?:used|opened|touched|(?:switched|turned) (?:\p{L}+ ){0,3}on)|never (?:use[ds]?|opened|touched|(?:switched|turned) (?:\p{L}+ ){0,3}on)|(?:have|has|had) no use for`,
    String.raw`(?:nutz|benutz|verwend|brauch)(?:en?|t) (?:wir|sie|ich|er|man) (?:\p{L}+ ){0,3}nicht|(?:wird|werden|ist|sind) (?:bei uns )?nicht (?:genutzt|benutzt|verwendet|im einsatz)`,
    String.raw`no (?:l[oae]s? )?(?:usamos|uso|usan|utilizamos|utilizan)|ne (?:nous |me |leur )?sert (?:pas|à rien)|n'(?:utilisons|utilise|utilisent|employons) pas|non (?:l[oaie] )?(?:usiamo|uso|usano|utilizziamo)`,
  ].join('|'),
);
export const unused = (text: string): boolean => notUsed.test(lowerOf(text));

const works =
  /(?:^|[.;:!]\s+|\p{L}, )(?:what (?:does|do|did|really does|really do) (?:work|help)\b|was (?:sehr wohl|dagegen|hingegen|wirklich|immerhin|aber) (?:gut )?(?:funktioniert|klappt|läuft|hilft)|(?:lo|los|las|la) que sí (?:funciona|va|ayuda|sirve)n?\b|ce qui (?:marche|fonctionne|aide) (?:bien|vraiment|par contre|en revanche|,)|quello che (?:invece )?(?:funziona|va bene|aiuta)|wat (?:wel|echt) (?:werkt|helpt)|o que (?:sim |realmente )?funciona)/iu;

/** "What does work is the calendar": praise, in whatever trouble it stands. */
export const setsApart = (text: string): boolean => !/\?\s*$/.test(text) && works.test(text);

/** Says outright that somebody is pleased with something; a denial, a condition or a question says nothing of it. */
const pleased =
  /(?<![\p{L}'])(?:(?:is|are|am|was|'re|'m|'s) (?:very |really |so |more than |quite |extremely )?(?:happy|pleased|delighted|thrilled|impressed) (?:with|by|about)|(?:ist|sind|bin) (?:sehr |äußerst |richtig |wirklich |mehr als )?(?:zufrieden|glücklich|begeistert) (?:mit|von|über)|(?:sehr|äußerst|richtig) (?:zufrieden|begeistert)|(?:est|sont|suis|sommes) (?:très |vraiment |plus que )?(?:contente?s?|satisfaite?s?|ravie?s?|enchantée?s?) (?:de|du|des|avec)|(?:está|están|estoy|estamos) (?:muy |realmente |más que )?(?:content[oa]s?|satisfech[oa]s?|encantad[oa]s?) con)(?![\p{L}'])/u;
const denies =
  /(?<![\p{L}'])(?:not|n't|never|no longer|nobody|no one|hardly|niemand|kaum|nadie|personne|nicht|kein\p{L}*|nie|no|nunca|pas|plus|jamais|would|würde\p{L}*|serait|estaría)(?![\p{L}'])|\p{L}n't(?!\p{L})/u;
export const delights = (text: string): boolean => {
  const lower = lowerOf(text);
  return !/\?\s*$/.test(text) && pleased.test(lower) && !denies.test(lower) && !conditional(text);
};
