import type { StatementState, Tone } from '../../contracts/signals/signals.ts';
import { conditional } from './judge-cues.ts';
import { isQuestion, lowerOf } from './statements-words.ts';

/** How things stand when a statement is made, from grammar. English, German, Spanish, French. */

const word = (words: string): RegExp => new RegExp(`(?<![\\p{L}'])(?:${words})(?![\\p{L}'])`, 'u');

/** Takes back what was said, written, planned or threatened before. */
const withdrawal = word(
  [
    String.raw`(?:take|takes|took|taken|taking) (?:it|that|this|them|everything|all of it|the \p{L}+|my \p{L}+|our \p{L}+|his \p{L}+|her \p{L}+) back|(?:take|takes|took|taken|taking) back (?:what|that|everything|my|our|his|her|their|the|it|all)|withdr(?:aw|aws|ew|awn|awing) (?:my|our|his|her|their|the|it|that|this)|(?:notice|threat|complaint|cancellation|request) (?:is|was|has been) withdrawn`,
    String.raw`(?:forget|ignore|disregard|scrap|strike|delete) (?:about )?(?:what|everything|my (?:last|earlier|previous|mail|message|note|notice)|our (?:last|earlier|previous|notice)) ?(?:\p{L}+ ){0,3}(?:wrote|said|asked|sent|told|mail|message|note|notice|threatened)?|(?:treat|consider|regard) (?:\p{L}+ ){1,3}as (?:never (?:sent|written|said)|void|withdrawn|cancel+ed|null)|as if (?:i|we) (?:had )?never (?:sent|said|written|wrote)`,
    String.raw`(?:ultimatum|threat|notice|cancellation|deadline) is off|(?:not|n't|never) (?:going|leaving|moving) anywhere|no longer (?:am|are|is|plan(?:s|ning)?|intend(?:s|ing)?|want(?:s|ing)? to leave|leaving|looking|think(?:s|ing)? of)|(?:changed|change) (?:my|our|his|her|their) minds?|(?:decided|agreed) (?:not to (?:leave|cancel|switch|change|go)|to stay)`,
    String.raw`(?:nehme|nehmen|nahm|nahmen|genommen)(?: \p{L}+){1,4} zurück|zurück(?:nehmen|genommen|ziehen|gezogen|zunehmen|zuziehen)|(?:ziehe|ziehen|zog|zogen)(?: \p{L}+){1,4} zurück|vergessen sie (?:bitte )?(?:was|meine|unsere|das)|(?:ist|hat sich) (?:damit )?hinfällig|als nie (?:geschickt|geschrieben|gesagt)|betrachten sie(?: \p{L}+){1,4} als gegenstandslos`,
    String.raw`(?:retiro|retira|retiramos|retiró|retiran|retirado|retirar) (?:lo que|lo dicho|la|el|mi|nuestra|nuestro|su)|olvid(?:e|en|a|ad) (?:lo que|mi|nuestra|nuestro)|(?:queda|quede) sin efecto|como si no (?:lo )?hubiera|me retracto|nos retractamos|doy marcha atrás`,
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
const unreal = word(
  String.raw`would|wouldn't|'d|(?:i|we|he|she|they|it|that|there)(?:'d)|might|could|ask me again|then we(?:'ll)? (?:talk|see)|would need|würde\p{L}*|hätte\p{L}*|wäre\p{L}*|könnte\p{L}*|bräuchte\p{L}*|\p{L}{3,}(?:ría|ríamos|rían|remos|ré)|\p{L}{3,}(?:rais|rait|rions|raient|riez|rons)`,
);

/** Told as over. */
const over = word(
  [
    String.raw`(?:is|are|was|were|been|got|get|it's|that's|all|now|finally) (?:now |all |finally |also |already |completely |well |indeed )?(?:fixed|solved|resolved|sorted|sorted out|cured|repaired|corrected|mended|over|history|settled|closed|done|gone|healed|cleared)|fixed (?:the|it|that|this)|(?:problem|issue|bug|error|trouble) (?:is |has )?(?:gone|disappeared|vanished)|sorted(?: it)?|no longer (?:happens?|occurs?|appears?|a problem|an issue|fails?|crash\p{L}*|lose[sd]?)|(?:not|n't|never) (?:\p{L}+ ){0,3}(?:since|any ?more|come back|happened again|seen it (?:happen )?again|recurred)|works? (?:again|now|fine now|properly now|at last)|working (?:again|now)|(?:is|are) back(?: (?:with|since|to|in|again|now))?|back to (?:normal|work)|behaves? (?:again|now)`,
    String.raw`used to (?:[^.!?]{1,120}?)(?:now|today|no longer|any ?more|these days|last (?:week|month|year))|(?:since|after|with) (?:the |your |yesterday's |last (?:week|month)'s |version |release )[^.!?]{0,80}?(?:no|not one|not a single|never|zero|again|finally|all)|(?:no|not one|not a single|zero|without a(?: single)?) [^.!?]{1,60}? (?:since|so far|any ?more|this (?:week|month|year))|(?:haven't|hasn't|have not|has not) (?:had|seen|lost|been|missed|failed|happened|come)(?: [^.!?]{1,60}?)? (?:since|once|again|back|any ?more)|stopped (?:on|since|after|with|when|happening)|can now|now (?:it |we |i |they )?(?:works?|can|does|do|match(?:es)?|agrees?)|(?:does|do|did|is) what (?:i|we) (?:asked|wanted|needed)|as (?:asked|requested|promised)|thank you,? that was (?:quick|fast)`,
    String.raw`behoben|gelöst|erledigt|repariert|korrigiert|geklärt|beseitigt|ist (?:wieder )?(?:weg|vorbei|in ordnung|gut)|nicht mehr (?:vor|auf)(?:gekommen|getreten)|(?:läuft|funktioniert|geht|klappt|stimmt|laufen|funktionieren)(?: \p{L}+){0,5}? (?:wieder|jetzt|seit|nun|endlich|inzwischen)|(?:seit|jetzt|nun|inzwischen|wieder)(?: [\p{L}\p{N}.]+){0,6}? (?:läuft|funktioniert|geht|klappt|stimmt|laufen|funktionieren|kein\p{L}*|nichts)|wird nichts mehr|(?:kein\p{L}*|nichts) [^.!?]{0,60}?mehr|wieder da`,
    String.raw`resuelt[oa]s?|solucionad[oa]s?|arreglad[oa]s?|corregid[oa]s?|ya (?:no )?(?:funciona[n]?|va[n]?|está[n]?|sale[n]?|ocurre|pasa|falla[n]?|se)|vuelve[n]? a (?:funcionar|ir|contar|estar)|desde (?:el|la|los|las|que|entonces)[^.!?]{0,60}?(?:ni un[oa]?|ningun[oa]?|no ha|sin)|ha dejado de`,
    String.raw`résolue?s?|corrigée?s?|réparée?s?|réglée?s?|ne (?:se (?:produit|reproduit)|plante|bloque) plus|(?:re)?fonctionnent? (?:de nouveau|à nouveau|maintenant|enfin|désormais|bien maintenant)|(?:de nouveau|à nouveau|désormais|enfin) [^.!?]{0,40}?fonctionnent?|plus (?:aucun|aucune|de) [^.!?]{1,60}? depuis|depuis [^.!?]{1,60}? plus (?:aucun|aucune|de|rien)|c'est (?:réglé|réparé|résolu|fini|bon)`,
  ].join('|'),
);
/** Still wrong, or wrong again. */
const remains = word(
  String.raw`still|again (?:fails?|wrong|broken|missing)|not (?:yet )?(?:fixed|solved|resolved|sorted|working)|doesn't work|does not work|is back again|same (?:as ever|problem|again)|yet again|immer noch|noch immer|weiterhin|nach wie vor|schon wieder|todavía|aún|siguen?|sigue|otra vez|toujours|encore`,
);

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
  if (tone !== 'negative' && over.test(lower) && !(remains.test(lower) && tone !== 'positive')) return 'resolved';
  return null;
}

/** Not about an ultimatum ("if it is not there by May, we go") and not about a wish for the product. */
function supposes(lower: string): boolean {
  const sentences = lower.split(/(?<=[.!?])\s+/);
  const unrealOnes = sentences.filter(
    (each) => (someday.test(each) && (conditional(each) || unreal.test(each))) || (ownCondition.test(each) && unreal.test(each)),
  );
  return unrealOnes.length > 0 && unrealOnes.length * 2 >= sentences.length && unrealOnes.includes(sentences[0]!);
}

const closed =
  /^\s*(?:resolved|solved|closed|done|fixed|completed?|merged|duplicate|cancell?ed|released|shipped|delivered|wont? ?fix|won't fix|answered|erledigt|gelöst|geschlossen|behoben|abgeschlossen|zusammengeführt|resuelt[oa]|cerrad[oa]|solucionad[oa]|completad[oa]|fusionad[oa]|résolue?|fermée?|clos(?:e|ed)?|cl[oô]turée?|terminée?|fusionnée?|chiuso|risolto|gesloten|opgelost)\b/iu;
/** The row of a ticket is settled. */
export const isSettled = (status: string | null): boolean => status !== null && closed.test(status);
