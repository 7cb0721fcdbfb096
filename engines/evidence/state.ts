import type { StatementState, Tone } from '../../contracts/signals/signals.ts';
import { conditional } from './judge-cues.ts';
import { isQuestion, lowerOf } from './statements-words.ts';

/** How things stand when a statement is made, from grammar. English, German, Spanish, French. */

const word = (words: string): RegExp => new RegExp(`(?<![\\p{L}'])(?:${words})(?![\\p{L}'])`, 'u');

/** Takes back what was said, written, planned or threatened before. */
const withdrawal = word(
  [
    String.raw`(?:take|takes|took|taken|taking) (?:it|that|this|them|everything|all of it|the \p{L}+|my \p{L}+|our \p{L}+|his \p{L}+|her \p{L}+) back|(?:take|takes|took|taken|taking) back (?:what|that|everything|my|our|his|her|their|the|it|all)|withdr(?:aw|aws|ew|awn|awing) (?:my|our|his|her|their|the|it|that|this)|(?:notice|threat|complaint|cancellation|request) (?:is|was|has been) withdrawn`,
    String.raw`(?:forget|ignore|disregard|scrap|strike|delete) (?:about )?(?:what|everything|my (?:last|earlier|previous|mail|message|note|notice)|our (?:last|earlier|previous|notice)) ?(?:\p{L}+ ){0,3}(?:wrote|said|asked|sent|told|mail|message|note|notice|threatened)?|(?:cross|score|scratch|rub|strike|struck)(?:es|ed|ing)? (?:out|off) what (?:i|we|he|she|they) (?:said|wrote|put|sent)|(?:treat|consider|regard) (?:\p{L}+ ){1,3}as (?:never (?:sent|written|said)|void|withdrawn|cancel+ed|null)|as if (?:i|we) (?:had )?never (?:sent|said|written|wrote)`,
    String.raw`(?:tear|tore|rip|ripped) up (?:what|my|our|the|his|her)|(?:is|are) off the table|(?:won't|will not|not going to|don't|'ll not) [^.!?]{1,60} after all|(?:we|i)(?:'re|'ll| are| will|'m| am)? stay(?:ing)? put|what (?:i|we|he|she) (?:said|wrote|put|sent) [^.!?]{0,40}was (?:temper|anger|the heat|a bad day|said in)|(?:'ll not|won't|will not) be needing|(?:ultimatum|threat|notice|cancellation|deadline) is off|(?:not|n't|never) (?:going|leaving|moving) anywhere|no longer (?:am|are|is|plan(?:s|ning)?|intend(?:s|ing)?|want(?:s|ing)? to leave|leaving|looking|think(?:s|ing)? of)|(?:changed|change) (?:my|our|his|her|their) minds?|(?:decided|agreed) (?:not to (?:leave|cancel|switch|change|go)|to stay)`,
    String.raw`(?:nehme|nehmen|nahm|nahmen|genommen)(?: \p{L}+){1,4} zurück|zurück(?:nehmen|genommen|ziehen|gezogen|zunehmen|zuziehen)|(?:ziehe|ziehen|zog|zogen)(?: \p{L}+){1,4} zurück|vergessen sie (?:bitte )?(?:was|meine|unsere|das)|(?:ist|hat sich) (?:damit )?hinfällig|als nie (?:geschickt|geschrieben|gesagt)|betrachten sie(?: \p{L}+){1,4} als gegenstandslos|was (?:ich|wir) [^.!?]{0,60}?(?:schrieb(?:en)?|sagten?|geschrieben|gesagt)[^.!?]{0,20}? (?:hat sich erledigt|ist vom tisch)`,
    String.raw`(?:retiro|retira|retiramos|retiró|retiran|retirado|retirar) (?:lo que|lo dicho|lo del?|la|el|mi|nuestra|nuestro|su)|olvid(?:e|en|a|ad) (?:lo que|mi|nuestra|nuestro)|olvíd(?:alo|elo|enlo|adlo)|(?:queda|quede) sin efecto|como si no (?:lo )?hubiera|me retracto|nos retractamos|doy marcha atrás`,
    // "No refund any more."
    String.raw`(?:no|not) (?:\p{L}+ )?(?:refunds?|notice|cancell?ations?|talk of (?:leaving|going)) (?:any ?more|now|after all)|no longer (?:\p{L}+ ){0,2}(?:refund|money back)|kein(?:e|en)? (?:\p{L}+ )?(?:kündigung|rückerstattung|wechsel) mehr|ya no [^.!?]{0,30}?(?:devolución|baja|rescisión)|plus de (?:remboursement|résiliation)`,
    // What is no trouble after all: "Found it. Never mind."
    String.raw`never mind (?:that|this|it|then|about|the|my)|never mind(?=[.!,]|$)|scratch that|disregard (?:that|this|it)|(?:hat|haben) sich (?:\p{L}+ )?erledigt|laiss(?:e|ez) tomber`,
    // A sentence, a letter or a threat that is to be forgotten.
    String.raw`(?:forget|ignore|disregard|scrap|strike|delete) (?:about )?(?:the|that|this|my|our) (?:\p{L}+ )?(?:line|sentence|bit|part|remark|paragraph|comment|threat|ultimatum|notice|letter)|(?:satz|absatz|zeile|bemerkung|mail|schreiben|brief|nachricht|drohung|ankündigung|ultimatum)(?: \p{L}+){0,5} (?:vergessen|streichen|ignorieren|löschen) sie(?= (?:bitte|einfach|ruhig|gern\p{L}*|wieder)|[.!,]|$)|(?:vergessen|streichen|ignorieren|löschen) sie (?:bitte |einfach |ruhig )?(?:den|die|das|mein\p{L}*|unser\p{L}*|diesen?|dieses) (?:\p{L}+ )?(?:satz|absatz|zeile|bemerkung|mail|schreiben|brief|nachricht|drohung|ankündigung|ultimatum)|(?:olvid|ignor)(?:e|en|a|ad) (?:la frase|la carta|el párrafo|el correo|el mensaje|lo de(?:l)?)|oubli(?:e|ez|ons) (?:la phrase|la lettre|le passage|le paragraphe|le mail|le message|cette (?:phrase|histoire|lettre))`,
    String.raw`(?:je |nous )?retir(?:e|ons|é|er) (?:ce que|ma|mon|notre|la|le|cette)|oubli(?:e|ez|ons) (?:ce que|ma|mon|notre)|(?:considérez|tenez)(?: \p{L}+){1,4} (?:comme )?(?:nul|nulle|non avenue?)|reven(?:u|ue|us|ons|ir) sur (?:ma|notre|sa|la) décision|je me rétracte|est annulée? de notre part`,
  ].join('|'),
);

/** Someday: the trouble does not exist yet. */
const someday = word(
  String.raw`(?:if|should|were|when|in case) (?:[\p{L}']+ ){1,4}ever|ever (?:\p{L}+ ){0,3}(?:if|should)|one day|some ?day|eines tages|irgendwann(?: einmal)?|sollte(?:n|st)? (?:\p{L}+ ){1,5}(?:einmal|jemals|je)|algún día|si alguna vez|un jour|si jamais|if it were up to (?:me|us)|if (?:i|we) had (?:a|the) (?:choice|say|wish)|wenn es nach (?:mir|uns) ginge|si (?:de mí|de nosotros) dependiera|si cela ne tenait qu'à (?:moi|nous)`,
);
/** A condition on the speaker's own circumstances. */
const ownCondition = word(
  String.raw`if (?:only )?(?:i|we|he|she|they|it were|my|our|his|her|their)|were (?:i|we|he|she|they)|should (?:i|we|he|she|they|the|my|our)|suppos(?:e|ing) (?:i|we|that)|imagine (?:i|we|that)|wenn (?:ich|wir|er|man|unser\p{L}*|mein\p{L}*)|falls (?:ich|wir|er|man|unser\p{L}*|mein\p{L}*)|hätten wir|wären wir|si (?:nosotros |yo |algún |un )?(?:\p{L}+(?:ramos|ra|semos|iese|ase|mos))|si (?:nous|j'|on|un jour)`,
);
/** "I would only look elsewhere if the price doubled." */
const onlyIf = word(
  String.raw`(?:i|we|they|he|she)(?:'d| would) only [^.!?]{1,60}? if|(?:ich|wir) würden? [^.!?]{0,40}?nur [^.!?]{1,60}?wenn`,
);
const unreal = word(
  String.raw`would|wouldn't|'d|(?:i|we|he|she|they|it|that|there)(?:'d)|might|could|ask me again|then we(?:'ll)? (?:talk|see)|would need|würde\p{L}*|hätte\p{L}*|wäre\p{L}*|könnte\p{L}*|bräuchte\p{L}*|\p{L}{3,}(?:ría|ríamos|rían|remos|ré)|\p{L}{3,}(?:rais|rait|rions|raient|riez|rons)`,
);

/** Told as over, whatever tone the sentence has. */
const ended = word(
  [
    String.raw`(?:is|are|was|were|been|be|got|get|it's|that's|now|finally) (?:\p{L}+ly |now |all |also |well |indeed )?(?:fixed|solved|resolved|sorted(?: out)?|cured|repaired|corrected|mended|healed|history)|(?:it|that|this|you|they|somebody|someone|update|patch|release|version|build) (?:has |have |had )?(?:\p{L}+ly )?(?:fixed|solved|cured|mended|repaired|corrected) (?:the|it|that|this|our|my)|(?:problem|issue|bug|error|trouble|affair|matter|story) (?:is |are |was |has |have )?(?:been )?(?:now |finally )?(?:over|gone|closed|done with|disappeared|vanished|dealt with)`,
    String.raw`no longer (?:happens?|occurs?|appears?|a problem|an issue|fails?|crash\p{L}*|loses?|freez\p{L}*|drops?|breaks?|stalls?)|(?:works?|working|runs?|running|behaves?|loads?|prints?|syncs?) (?:fine |well |properly |smoothly |perfectly )?(?:again|now|at last)|back to normal|(?:you|that one you|this one you) (?:can|may|could) close(?: it| this| that| the ticket)?$|(?:can|may) be closed|all (?:good|fine|well) (?:now|again)|^(?:\p{N}+ \p{L}+[.,] )?all good$|(?:it|that|this|everything|all) works?,? (?:thank|thx|ty|cheers|great|perfectly|lovely)\p{L}*|(?:thank you|thanks),? that was (?:quick|fast)|now,? (?:thank|thanks|cheers|thx|bravo)|now it(?:'s| is) (?:right|fine|correct|good|fast|quick)|(?:it's|it is|they're) (?:right|fine|correct|good|fast|quick) now|for the first (?:time|day|week|month|year) (?:ever|since|in)|right first time`,
    String.raw`behoben|gelöst|erledigt|repariert|korrigiert|beseitigt|ist (?:wieder )?(?:weg|vorbei|in ordnung)|nicht mehr (?:vor|auf)(?:gekommen|getreten)|(?:läuft|funktioniert|geht|klappt|stimmt|laufen|funktionieren|druckt|lädt)(?: \p{L}+){0,4}? (?:wieder|jetzt|nun|endlich)(?! nicht)|(?:läuft|laufen|funktioniert|funktionieren|klappt|geht) seit (?:dem |der )?(?:\p{L}+ )?(?:update|version|patch|umstellung|korrektur)|wird nichts mehr`,
    String.raw`resuelt[oa]s?|solucionad[oa]s?|arreglad[oa]s?|corregid[oa]s?|ya (?:funciona[n]?|va[n]? bien|está[n]? (?:bien|arreglad\p{L}*)|no (?:ocurre|pasa|falla[n]?|se (?:cae|cuelga|pierde)[n]?))|vuelve[n]? a (?:funcionar|ir bien)|ha dejado de (?:fallar|ocurrir|pasar)`,
    String.raw`résolue?s?|corrigée?s?|réparée?s?|réglée?s?|ne (?:se (?:produit|reproduit)|plante|bloque) plus|(?:re)?fonctionnent? (?:de nouveau|à nouveau|maintenant|enfin|désormais|bien)|(?:de nouveau|à nouveau|désormais|enfin) [^.!?]{0,40}?fonctionnent?|c'est (?:réglé|réparé|résolu)`,
  ].join('|'),
);
/** The end of a trouble, by its absence: "not one … since". */
const absent =
  /(?<![\p{L}'])(?:(?:not (?:one|a single|once|any)|not a|none|no|zero|without an?|without (?:one|a single)|(?:have|has|had)(?:n't| not)|(?:nobody|no one)(?:'s)?|(?:i|we|they)'ve not|nothing|never) [^.!?]{0,60}?(?:since|so far|any ?more|come back|happened again|again|(?:this|in a) (?:week|month|quarter|year|season))|(?:have|has|had|'ve)(?:n't| not) [^.!?]{1,60}? once(?=[.!,]|$)|(?:have|has)(?:n't| not) \p{L}+ (?:a single|one) \p{L}+|first (?:day|week|month|night|morning) (?:ever )?without|(?:days?|nights?|weeks?|months?|hours?) (?:on|with|in|into|after|later)(?! top)[^!?]{0,40}? (?:and|with) (?:not (?:one|a single|an?)|no|zero|none)|^(?:not one|not a single|zero)|(?:kein\p{L}*|nichts|nicht) [^.!?]{0,60}?(?:mehr|seitdem|seit (?:dem|der|dieser))|(?:seit(?:dem)?) [^.!?]{0,60}? (?:kein\p{L}*|nichts|nie) ?|(?:desde) [^.!?]{0,60}?(?:ni un[oa]?|ningun[oa]?|no ha)|(?:depuis) [^.!?]{1,60}? plus (?:aucun|aucune|de|rien)|plus (?:aucun|aucune) [^.!?]{1,60}? depuis)(?![\p{L}'])/u;
/** "Not one error", whatever the time. */
const noTrouble =
  /(?<![\p{L}'])(?:not (?:one|a single)|zero|without (?:one|any|a single)) (?:\p{L}+ )?(?:problems?|issues?|errors?|bugs?|crash\p{L}*|duplicates?|double \p{L}+|mistakes?|complaints?|(?:false )?alarms?|delays?|outages?|incidents?|failures?)(?!\p{L})/u;
/** "At last we sleep": the trouble before it is over. */
const atLast =
  /^["'“„¡\s-]*(?:por fin|endlich|at (?:long )?last)(?! (?:year|week|month|count|night|minute))(?:,? (?!kann|können|sollt|könnt|müss|muss|bitte|mal bitte)\p{L})/u;
/** What nobody would give up is no trouble that has ended. */
const treasured =
  /(?<![\p{L}'])(?:nicht mehr [^.!?]{0,40}?(?:hergeben|missen|tauschen|eintauschen|wegdenken|verzichten|zurück|vorstellen)|nicht mehr ohne|(?:would|could|can|will|'d)(?:n't| not|not| never) (?:\p{L}+ ){0,3}(?:be without|live without|work without|do without|go back|give (?:it|them|this|that) (?:up|back)|part with)|(?:ne|n')[^.!?]{1,30} plus (?:\p{L}+ ){0,3}(?:s'en passer|nous en passer|m'en passer|sans|revenir en arrière)|ya no [^.!?]{0,40}?(?:sin (?:él|ella|ellos|ellas|esto|eso)|prescindir|volver atrás))(?![\p{L}'])/u;
/** What nobody misses. */
const trouble =
  /(?<![\p{L}'])(?:problems?|issues?|errors?|bugs?|crash\p{L}*|duplicat\p{L}*|doubl\p{L}+|twice|wrong|lost|losing|fail\p{L}*|complain\p{L}*|mistakes?|(?:false )?alarms?|delays?|outages?|incidents?|missing|missed|split|late|queues?|waiting|slow|stuck|broken|freez\p{L}*|timeouts?|mix-?ups?|mismatch\p{L}*|gaps?|it happen|happened|come back|fehler\p{L}*|problem\p{L}*|absturz|abstürz\p{L}*|doppelt\p{L}*|verloren|falsch\p{L}*|ausf[aä]ll\p{L}*|beschwerde\p{L}*|abgeschnitten|fall[oa]s?|error\p{L}*|duplicad\p{L}*|perdid\p{L}*|quejas?|problemas?|erreurs?|problèmes?|pannes?|plaintes?|doublons?|retards?|perdu\p{L}*)(?![\p{L}'])/u;
/** Told as over, unless the sentence complains. */
const over = word(
  [
    String.raw`(?:is|are|was|were|been|got|all|now|finally) (?:now |all |finally |also |already |completely )?(?:over|closed|done|gone|cleared|sorted|(?:in|on|there|live|out)(?= and| now| at last|[.,!?]|$))|(?:is|are) back(?: (?:with|since|to|in|again|now|on)|[.,!]|$)|(?:turned|switched|went|is|are|it) (?:\p{L}+ ){0,4}back on|on again|(?!(?:it|this|that|them|him|her|me|you|us|once|yet|never|back|over|and|ever|wrong|\p{L}+ing) again)\p{L}+ again(?: since| now| today| this|[.,!]|$)`,
    String.raw`used to (?:[^.!?]{1,120}?)(?:now|today|no longer|any ?more|these days|last (?:week|month|year)|there(?:'s| is| are) no)|(?:since|after|with) (?:the |your |yesterday's |last (?:week|month)'s |version |release |new )[^.!?]{0,80}?(?:no|not one|not a single|never|zero|again|finally|all|done by|only)|since then (?:it|they|we|i|all|everything|there)|stopped (?:on|since|after|with|when|happening)|can now|i can \p{L}+ (?:it|them) (?:\p{L}+ ){0,3}now|now (?:it |we |i |they )?(?:works?|can|do|match(?:es)?|agrees?|fits?)|(?:match(?:es)?|agrees?|counts?|works?|arrives?) (?:now|again|as well|too)|(?:does|do|did|is) what (?:i|we) (?:asked|wanted|needed)|as (?:asked|requested|promised)|arrived (?:today|yesterday|this)|(?:it's|it is) \p{L}+ now|by (?:january|february|march|april|may|june|july|august|september|october|november|december) it was|the last (?:two|three|four|few|\p{N}+) times`,
    String.raw`geklärt|läuft jetzt|(?:seit|jetzt|nun|inzwischen|wieder)(?: [\p{L}\p{N}.]+){0,6}? (?:läuft|funktioniert|geht|klappt|stimmt|laufen|funktionieren)|wieder da|wieder gut`,
    String.raw`ya (?:está[n]?|sale[n]?|llega[n]?|podemos|puedo|se puede)|vuelve[n]? a (?:contar|estar|salir)`,
    String.raw`c'est (?:fini|bon)|est revenue?|sont revenue?s|on peut (?:enfin|désormais|maintenant)`,
  ].join('|'),
);
/** Still wrong. */
const still = word(
  String.raw`still|not (?:yet )?(?:been )?(?:fixed|solved|resolved|sorted|working|corrected|repaired)|doesn't work|does not work|same (?:as ever|problem|again)|yet again|(?:until|unless|if|when|once|before|whether) (?:it|this|that|they|everything|the \p{L}+)(?:'s| is| are| has been| was)|immer noch|noch immer|weiterhin|nach wie vor|noch nicht|todavía|aún|siguen?|sigue|toujours|pas encore`,
);
/** Wrong again. */
const anew = word(
  String.raw`again (?:fails?|wrong|broken|missing)|(?:fail(?:s|ed)?|crash(?:es|ed)?|broken?|br(?:ea|o)ke?s?|wrong|missing|lost|down|ask(?:s|ed)?|late|stuck|happen(?:s|ed)?|stopp(?:s|ed)|went up|up) again|(?:is|are|'s) back again|schon wieder|otra vez`,
);
/** A wish, not a report: "please get this fixed", "should be fixed". */
const wished = word(
  String.raw`please|should|must|would|could|needs? to|want(?:s|ed)?|hope|expect|promised|when will|bitte|soll\p{L}*|muss|müssen|por favor|debe\p{L}*|s'il (?:vous|te) pla[iî]t|doit|devrait`,
);

/** About what somebody will or would not do: no report. */
const meant = /(?<![\p{L}'])(?:'ll|will|wish|if|don't|do not|never|gather)(?![\p{L}'])|\p{L}'ll(?!\p{L})/u;

/** The sentence tells the end of a trouble: for certain, or if nothing else in it complains. */
export function reliefIn(text: string): 'sure' | 'likely' | null {
  const sentences = lowerOf(text)
    .split(/(?<=[.!?])\s+/)
    .filter((each) => !isQuestion(each) && !still.test(each) && !treasured.test(each));
  if (
    sentences.some(
      (each) =>
        noTrouble.test(each) ||
        (atLast.test(each) && !wished.test(each)) ||
        (absent.test(each) && trouble.test(each)) ||
        (ended.test(each) && !wished.test(each) && !anew.test(each)),
    )
  )
    return 'sure';
  return sentences.some((each) => absent.test(each) || (over.test(each) && !wished.test(each) && !anew.test(each) && !meant.test(each)))
    ? 'likely'
    : null;
}

/** The sentence says that a trouble is still there. */
export const isStill = (text: string): boolean => still.test(lowerOf(text));

/** Takes something back. */
export const takesBack = (text: string): boolean => !isQuestion(text) && withdrawal.test(lowerOf(text));

export interface StateInput {
  text: string;
  context: string;
  tone: Tone;
  /** `status` of a table's row, as written. */
  status: string | null;
  /** A sign of leaving, or one in the context. */
  leaving: boolean;
}

/** States that the grammar gives away; null: nothing does. */
export function stateCue({ text, context, tone, leaving }: StateInput): StatementState | null {
  const lower = lowerOf(text);
  if (
    !isQuestion(text) &&
    withdrawal.test(lower) &&
    (leaving ||
      /(?:said|wrote|written|sent|told|asked|gesagt|geschrieben|dicho|escrito|dit|écrit|mind|took|taken|take|no longer|zurück|retir)/.test(
        lower,
      ) ||
      context !== '')
  )
    return 'withdrawn';
  if (supposes(lower)) return 'hypothetical';
  const relief = reliefIn(text);
  if (relief === 'sure' || (relief === 'likely' && tone !== 'negative')) return 'resolved';
  return null;
}

/** Not about an ultimatum ("if it is not there by May, we go") and not about a wish for the product. */
function supposes(lower: string): boolean {
  const sentences = lower.split(/(?<=[.!?])\s+/);
  const unrealOnes = sentences.filter(
    (each) =>
      onlyIf.test(each) ||
      (someday.test(each) && (conditional(each) || unreal.test(each))) ||
      (ownCondition.test(each) && unreal.test(each)),
  );
  return unrealOnes.length > 0 && unrealOnes.length * 2 >= sentences.length && unrealOnes.includes(sentences[0]!);
}

const closed =
  /^\s*(?:resolved|solved|closed|done|fixed|completed?|merged|duplicate|cancell?ed|released|shipped|delivered|wont? ?fix|won't fix|answered|erledigt|gelöst|geschlossen|behoben|abgeschlossen|zusammengeführt|resuelt[oa]|cerrad[oa]|solucionad[oa]|completad[oa]|fusionad[oa]|résolue?|fermée?|clos(?:e|ed)?|cl[oô]turée?|terminée?|fusionnée?|chiuso|risolto|gesloten|opgelost)\b/iu;
/** The row of a ticket is settled. */
export const isSettled = (status: string | null): boolean => status !== null && closed.test(status);
