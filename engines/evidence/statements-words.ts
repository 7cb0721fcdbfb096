/** Small closed classes of grammar words in English, German, Spanish and French, and tests for them. */

const set = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/));

/** Lower case, with straight apostrophes. */
export const lowerOf = (text: string): string =>
  text
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[’‘`´]/g, "'");

/** Words of a text in lower case; apostrophes and hyphens stay inside. */
export const wordsIn = (lower: string): string[] => lower.match(/[\p{L}\p{M}]+(?:['-][\p{L}\p{M}]+)*|\p{N}+(?:[.,:]\p{N}+)*/gu) ?? [];

/** Words that carry no content: articles, pronouns, prepositions, auxiliaries, conjunctions. */
const empties = set(`
a an the this that these those it its it's he she they them him her his their theirs we us our ours i me my mine you your yours one ones who
which what when where why how and or but so if then than as at by for from in into of off on onto out over to up with about after before again
is are was were be been being am do does did done have has had having will would can could should may might must shall not no nor n't don't
doesn't didn't isn't aren't wasn't weren't haven't hasn't hadn't won't wouldn't can't cannot couldn't shouldn't i'm i've i'd i'll we're we've
we'd we'll you're you've you'd you'll they're they've they'd they'll he's she's that's there's what's there here just very too also only even
some any all both each every own same such more most much many other another well get got let
der die das den dem des ein eine einen einem einer eines kein keine ich du er sie es wir ihr ihnen ihn ihm uns euch mich mir dich dir sich mein
meine meinen unser unsere unseren sein seine ihre ihren und oder aber denn weil dass ob wenn als wie so an am auf aus bei beim bis durch für
gegen in im ins mit nach ohne seit um unter von vom vor zu zum zur über ist sind war waren bin bist sei wird werden wurde wurden hat haben hatte
hatten habe kann können konnte muss müssen soll sollen will wollen darf nicht nur noch schon auch sehr mehr man was wer wo da hier dort ja nein
el la los las un una unos unas lo le les se me te nos os mi mis tu tus su sus nuestro nuestra yo tú él ella ellos ellas nosotros usted ustedes y
e o u pero ni que si como cuando donde de del a al en con por para sin sobre entre desde hasta es son era eran fue fueron ser está están estaba
estar ha han he hemos había hay no ya muy más también solo sólo esto esta este eso esa ese aquí allí
le la les l' un une des du de d' au aux et ou mais ni que qui quoi si comme quand où je tu il elle on nous vous ils elles me te se moi toi lui leur
leurs mon ma mes ton ta tes son sa ses notre nos votre vos ce cet cette ces ça cela est sont était étaient suis sommes êtes être a ont avait ai
avons avez ne pas plus très aussi y en dans par pour sans sur avec chez c'est n'est qu' s' j' n'
`);

/** Words of a reply that say only that it was heard, or that greet, thank or part. */
const fillers = set(`
yes yeah yep yup no nope nah ok okay kay right sure fine good great perfect nice lovely brilliant cool cheers thanks thank thx ty ta you well so ah
oh do ha haha hah hm hmm hmmm mm mhm uh um er erm aye alright understood noted agreed exactly indeed absolutely definitely certainly true correct
gotcha true fair enough hello hi hey dear morning afternoon evening bye goodbye sorry please then now and but all both everyone everybody team
there very much so too it's that's i see know mean course of the a let's go on one moment second
ja nein doch danke dankeschön bitte gut sehr gerne gern genau stimmt klar richtig alles einverstanden verstanden hallo guten morgen tag abend
tschüss servus moin na also nun tja ach aha so und schön prima super vielen dank
sí si no gracias muchas vale claro bueno bien muy perfecto entendido exacto hola buenos buenas días tardes noches adiós por favor pues eso y ya de
acuerdo nada
oui non merci beaucoup d'accord bon bien très parfait entendu exactement bonjour bonsoir salut au revoir ah eh voilà et alors ça va pas de problème
lol haha hehe xd
`);

/** Above a name at the end of a letter. */
const closing =
  /^\s*(?:(?:(?:with )?(?:best|kind|warm)(?:est)? )?(?:regards|wishes)|(?:yours )?sincerely|yours (?:truly|faithfully)|mit (?:freundlichen|besten) grüßen|(?:viele|beste|liebe) grüße|(?:un )?(?:cordial(?:es)? )?saludos?|(?:bien )?cordialement)[\s,.!–-]*(?:\p{Lu}[\p{L}'’.-]*\s*){0,3}$/iu;

const names = /^\p{Lu}[\p{L}'’-]+$/u;

/** What minutes say of a point on which nobody spoke. */
const silence =
  /^\s*(?:(?:nobody|no one|none of (?:them|us)) (?:had|has|asked) (?:any )?(?:further |more |other )?(?:questions?|remarks?|comments?|objections?)|(?:there were )?no (?:further |more |other )?(?:questions|comments|objections)(?: (?:were )?(?:asked|raised)| from \p{L}+)?|(?:niemand hatte|es gab) (?:keine )?(?:weiteren? )?(?:fragen|einwände)|keine (?:weiteren )?(?:fragen|einwände)|(?:nadie (?:tenía|tuvo|hizo)|no hubo) (?:más )?(?:preguntas|objeciones)|(?:personne n'avait|pas) (?:de|d'autres?) (?:questions?|remarques?|objections?))[.!]?\s*$/iu;

/** "Right, thanks.", "Okay, Maria.", "Danke!": no content. */
export function isFiller(text: string): boolean {
  const plain = text.replaceAll(/:[a-z0-9_+-]+:|(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\u200d|\ufe0f)/gu, ' ');
  const words = plain.match(/[\p{L}\p{M}]+(?:['’-][\p{L}\p{M}]+)*|\p{N}+/gu) ?? [];
  if (words.length === 0) return true;
  if (words.length > 8) return false;
  if (closing.test(plain) || silence.test(plain)) return true;
  // A name is an address; two in a row are a name in full.
  return words.every(
    (word, i) =>
      fillers.has(lowerOf(word)) ||
      (i > 0 && names.test(word) && /[,\s]/.test(plain) && words.length <= 4 && fillers.has(lowerOf(words[0]!))),
  );
}

/** Words with content, in lower case. */
export const contentOf = (lower: string): string[] => wordsIn(lower).filter((word) => !empties.has(word) && !fillers.has(word));

const begins = (words: string): RegExp => new RegExp(`^["'„“«(¿¡\\s-]*(?:${words})(?![\\p{L}'])`, 'u');

/** The sentence turns against what was said before it. */
const contrast = begins(
  "but|however|though|although|yet|still,|on the other hand|on the good side|on the bad side|on the plus side|otherwise|apart from that|that said|having said that|even so|less good|aber|allerdings|jedoch|dagegen|andererseits|trotzdem|dennoch|sonst|leider|nur|pero|sin embargo|en cambio|por otro lado|por otra parte|aunque|lo que sí|aun así|mais|cependant|toutefois|par contre|en revanche|sinon|néanmoins|d'un autre côté",
);
export const contrasts = (lower: string): boolean => contrast.test(lower);

/** The sentence opens the next point of a list. */
const point = begins(
  "first|firstly|second|secondly|third|thirdly|fourth|fifth|next|lastly|last|finally|another thing|one more thing|one thing|also|besides|in addition|then there's|then there is|the other thing|separately|by the way|btw|while (?:i|we)(?:'m| am| are|'re) (?:at it|here)|(?:one|two|three|four|five|six)(?=\\s*[:.,)–—-])|on \\p{L}+:|about the|as for|regarding|zuerst|erstens|zweitens|drittens|außerdem|zudem|ferner|übrigens|noch etwas|schließlich|zu guter letzt|was .{2,40} betrifft|primero|segundo|tercero|además|por último|otra cosa|por cierto|en cuanto a|respecto a|d'abord|premièrement|deuxièmement|ensuite|enfin|de plus|par ailleurs|autre chose|au fait|quant à|concernant",
);
export const opensPoint = (lower: string): boolean => point.test(lower);

/** The sentence needs the one before it: its subject is a pronoun, or it draws a consequence. */
const reference = begins(
  "it|its|it's|they|they're|them|that|that's|this|these|those|he|she|he's|she's|which|so|because|and|or|therefore|thus|hence|then|there|since then|same|both|neither|not one|none|nobody|no one|each|in between|until then|meanwhile|as a result|er|sie|es|das|dies|diese|dieser|dann|deshalb|deswegen|daher|darum|dadurch|damit|seitdem|und|oder|so|also|weil|denn|niemand|solange|inzwischen|dafür|dabei|ello|esto|eso|esa|ese|así|por eso|por lo que|entonces|y|o|nadie|mientras tanto|desde entonces|una de|uno de|lo|la|los|las|ça|cela|c'est|ce|il|elle|ils|elles|donc|alors|du coup|et|ou|personne|depuis|en attendant",
);
export const refers = (lower: string): boolean => reference.test(lower) || wordsIn(lower).length <= 4;

const negation =
  /(?<![\p{L}'])(?:not|no|never|none|nobody|nothing|nowhere|neither|nor|without|cannot|dont|cant|doesnt|didnt|isnt|wasnt|wont|couldnt|havent|hasnt|\p{L}+n't|nicht|nichts|nie|niemals|niemand|kein|keine|keinen|keinem|keiner|keines|ohne|weder|nada|nunca|jamás|nadie|ningún|ninguna|ninguno|sin|ni|tampoco|ne|n'\p{L}+|pas|rien|jamais|personne|aucun|aucune|sans)(?![\p{L}'])/u;
export const negated = (lower: string): boolean => negation.test(lower);

const number =
  /\p{N}|(?<!\p{L})(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\p{L}+teen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|hundreds|thousand|thousands|million|dozen|dozens|half|twice|third|quarter|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|\p{L}*zehn|\p{L}*zig|\p{L}*hundert|\p{L}*tausend|dutzend|halb|halbe|zweimal|dreimal|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|veinte|treinta|cuarenta|cincuenta|cien|ciento|cientos|mil|docena|mitad|medio|media|deux|trois|quatre|cinq|sept|huit|neuf|dix|onze|douze|quinze|vingt|trente|quarante|cinquante|soixante|cent|cents|mille|moitié|demi|demie|douzaine)(?!\p{L})/u;
export const counts = (lower: string): boolean => number.test(lower);

/** Change, repetition and duration: how something has been going. */
const course =
  /(?<!\p{L})(?:since|still|again|used to|no longer|any ?more|every|each|always|never|often|sometimes|twice|once|yet|already|lately|nowadays|per (?:day|week|month|year)|a (?:day|week|month|year)|until|so far|now|seit|seitdem|immer|wieder|noch|nie|jede[nmrs]?|schon|jetzt|inzwischen|mittlerweile|bisher|nicht mehr|desde|todavía|aún|siempre|otra vez|de nuevo|cada|nunca|ya|siguen?|sigue|vuelve|depuis|encore|toujours|de nouveau|chaque|jamais|déjà|maintenant|désormais|jusqu'à|jusqu'ici)(?!\p{L})/u;
export const tellsCourse = (lower: string): boolean => course.test(lower);

const ours =
  /(?<![\p{L}'])(?:we|we're|we've|we'd|we'll|us|our|ours|my|mine|wir|uns|unser\p{L}{0,2}|mein\p{L}{0,2}|nos|nuestr[oa]s?|nosotros|mi|mis|\p{L}{2,}(?:amos|emos|imos)|nous|notre|mon|ma|mes)(?![\p{L}'])/u;
export const tellsOurs = (lower: string): boolean => ours.test(lower);

const self = /(?<![\p{L}'])(?:i|i'm|im|i've|ive|i'd|i'll|me|ich|mir|mich|yo|me|je|j'\p{L}+|moi)(?![\p{L}'])/u;
export const tellsSelf = (lower: string): boolean => self.test(lower);

const you =
  /(?<![\p{L}'])(?:you|you're|you've|you'd|you'll|your|yours|sie|ihnen|ihr|ihre[nmrs]?|usted|ustedes|vosotros|os|vous|votre|vos)(?![\p{L}'])/u;
export const addresses = (lower: string): boolean => you.test(lower);

/** A wish or request, in any form that is not a plain question. */
const wish =
  /(?<![\p{L}'])(?:wish|wishes|want|wants|wanted|need|needs|needed|missing|lacks?|(?:i|we|he|she|they|you)(?:'d| would) (?:still |really |also |rather )?(?:like|love|want|need|prefer|ask)|would (?:still |really |also )?(?:like|love|help|be (?:nice|good|great|grand|useful|helpful|handy|lovely))|'d (?:like|love|be (?:nice|good|great))|id (?:like|love|pay)|please|pls|plz|(?:could|can|would|will) (?:you|we|i|it|they|the)|(?:asks?|asked|asking) (?:for|whether|if|that)|(?:frag(?:t|en|te|ten)|gefragt),? ob|(?:pregunt(?:a|an|ó|aron|aba)) si|(?:demand(?:e|ent|ait|aient)|demandé) si|should|ought to|how about|what about a|consider|instead of|bitte|bitten|bittet|wünsch\p{L}*|möchten?|hätten? gern\p{L}*|brauch\p{L}*|fehl(?:t|en)|bräucht\p{L}*|könnt\p{L}*|sollt\p{L}*|por favor|quisier\p{L}*|querr\p{L}*|quer(?:emos|ía)|quier[oe]n?|necesit\p{L}*|podr[íi]a\p{L}*|puede[ns]?|pueden|falta[n]?|nos gustaría|me gustaría|s'il (?:vous|te) pla[iî]t|voudr\p{L}*|souhait\p{L}*|aimer(?:ais|ions|ait)|besoin|il (?:nous |me )?(?:faut|faudrait|manque)|manque|pourr(?:iez|ait|ait-on|ions|ez)|pouvez)(?![\p{L}'])/u;
export const wishes = (lower: string): boolean => wish.test(lower);

/** A wish in so many words. */
const outright = word(
  "(?:asked|asks|asking) for|(?:he|she|they|\\p{L}+)(?:'d| would) (?:still |really |also |very much )?like (?:a|an|the|to|it|that|one|more)|wants (?:a|an|the|to|it|more)|(?:would|'d) be (?:good|great|nice|useful|helpful)|wünsch(?:t|en) sich|hätten? gern\\p{L}*|bitte[nt] um|(?:pide|piden|pedimos)(?! disculpas)|quisiera\\p{L}*|querría\\p{L}*|(?:le|nos|me) gustaría|aimer(?:ait|ions|ais)|voudr(?:ait|ions|ais)|souhait(?:e|ons|ent)",
);
export const wishesOutright = (lower: string): boolean => outright.test(lower);

export const isQuestion = (text: string): boolean => /\?["'”»)\s!]*$/.test(text) || text.trimStart().startsWith('¿');

/** "I must run", "Enjoy the weekend!", "Schönen Feierabend": the end of a conversation. */
const farewell =
  /(?<![\p{L}'])(?:bye|goodbye|see you|talk (?:soon|to you)|speak soon|take care|good luck|(?:i|we) (?:must|have to|need to|gotta|should|better|got to|'ve got to|'d better) (?:run|go|dash|leave|hop|jump|drop)|(?:must|gotta) (?:run|dash|go)|have (?:a|an|some) (?:\p{L}+ )?(?:nice|good|great|lovely|wonderful|pleasant|safe|fun|weekend|day|evening|afternoon|trip|holiday)|enjoy (?:the|your|it)|safe travels|tschüss|auf wiedersehen|bis (?:bald|dann|nächste|morgen|später)|schöne[nrs]? (?:feierabend|tag|abend|woche|wochenende|urlaub|grüße)|ich muss (?:los|weg|jetzt)|adiós|hasta (?:luego|pronto|la próxima|mañana)|buen (?:día|fin de semana|viaje)|que teng(?:a|as|áis|an)|tengo que irme|au revoir|à bientôt|à plus|bon(?:ne)? (?:journée|soirée|week-end|weekend|semaine|vacances|route|continuation)|je dois (?:y aller|filer|partir))(?![\p{L}'])/u;
export const parts = (lower: string): boolean => farewell.test(lower);

/** "Thanks for making time.", "Welcome, everyone.": to those who came. */
const welcome =
  /(?<![\p{L}'])(?:(?:thanks?|thank you|danke|vielen dank|gracias|merci)(?: (?:again|all|everyone|everybody|both|so much|very much|a lot|euch|ihnen|a todos|à tous))?,? (?:for|to (?:all|everyone|everybody)|that you|für|dass|por|de|d'|pour) ?(?:\p{L}+ ){0,3}(?:time|joining|coming|attending|being here|having (?:me|us)|zeit|kommen|dabei|gekommen|tiempo|venir|asistir|temps|être (?:là|venus?))|welcome(?: back| to|,? (?:everyone|everybody|all))|(?:herzlich )?willkommen|bienvenid[oa]s?|bienvenue)(?![\p{L}'])/u;
/** What the meeting is, and what it is to be about. */
const agenda =
  /(?<![\p{L}'])(?:this is (?:the|our|a) (?:\p{L}+[ -]){0,3}(?:review|sync|meeting|call|check-in|catch-up|stand-?up|retro\p{L}*|session|kick-?off)|(?:two|three|four|five|six|a few|a couple of|several|some) (?:short |quick |main )?(?:points|topics|items|things|questions) (?:for )?(?:today|on (?:the|my|our) (?:agenda|list)|to (?:cover|discuss|go through|get through))|(?:on|of) (?:the|today's|our) agenda|(?:the|our|today's|my) agenda|(?:let's|let us|shall we|we can) (?:get started|get going|kick off|begin|dive in|start with|go through)|(?:zwei|drei|vier|fünf|ein paar|einige) (?:kurze )?(?:punkte|themen)(?: (?:für )?heute)?|tagesordnung|auf der agenda|fangen wir an|legen wir los|(?:dos|tres|cuatro|unos|varios) (?:puntos|temas) (?:para )?hoy|orden del día|empe(?:cemos|zamos)|(?:deux|trois|quatre|quelques) (?:points|sujets) (?:pour )?aujourd'hui|ordre du jour|commençons)(?![\p{L}'])/u;
const longestWelcome = 12;
/** The first words of a meeting: a greeting that says no more, or what it is to be about. Not one with a complaint or wish in it. */
export const opensMeeting = (lower: string): boolean =>
  !negated(lower) && !wishes(lower) && (agenda.test(lower) || (welcome.test(lower) && wordsIn(lower).length <= longestWelcome));

/** Weather, holidays and the way here, which open and close every conversation. */
const talkOfTown =
  /(?<!\p{L})(?:weather|rain(?:s|y|ing|ed)?|snow(?:s|y|ing|ed)?|sunny|heat ?wave|boiling hot|freezing cold|degrees|fog(?:gy)?|mud|icy?|traffic|train was|flight was|wetter|regen|regnet|schneit|schnee|heiß|hitze|grad|nebel|lluvia|llueve|nieva|calor|grados|bochorno|playa|atasco|pluie|pleut|neige|chaleur|canicule|degrés|brouillard|zug war|vacances|urlaub|vacaciones)(?!\p{L})/u;
export const isTownTalk = (lower: string): boolean => talkOfTown.test(lower);

/** A human third person as the subject: about a colleague, unless it reports what he or she says. */
const human = /^["'\s]*(?:he|she|he's|she's|he'd|she'd|he'll|she'll|er|ihm|él|ella)(?![\p{L}])/u;
export const aboutSomebody = (lower: string): boolean => human.test(lower);

/** "n/a", "nothing to add", "-": an answer that says that there is none. */
const emptyAnswer =
  /^[\s\p{P}]*(?:n\s*\/?\s*a|none|nil|no|nope|nothing|nothing (?:to (?:add|say|report|mention)|else|more|special|in particular)(?: (?:really|at the moment|thanks?|thank you))?|no (?:comments?|answer|further comments?|idea)|not applicable|see above|as above|test|x+|keine?(?: (?:angaben?|anmerkungen?|kommentare?))?|nichts(?: (?:hinzuzufügen|weiter))?|k\.? ?a\.?|entfällt|nada(?: (?:que añadir|más))?|ningun[oa]|sin comentarios?|rien(?: (?:à (?:ajouter|signaler|dire)))?|aucune?(?: (?:remarque|commentaire))?|néant|ras)?[\s\p{P}]*$/u;
export const isEmptyAnswer = (text: string): boolean => text.length < 60 && emptyAnswer.test(lowerOf(text));

/** Sent to the wrong address. */
const elsewhere =
  /(?<!\p{L})(?:wrong (?:survey|form|form|person|address|company|recipient|number|window|chat|channel)|(?:meant|intended) for (?:somebody|someone|another|a different)|i (?:meant|mean) (?:the )?(?:other|another)|falsche[nrs]? (?:umfrage|formular|adresse|empfänger|fenster)|encuesta equivocada|me he equivocado de|mauvais(?:e)? (?:sondage|formulaire|adresse|destinataire)|trompé d[e'])(?!\p{L})/u;
export const isElsewhere = (text: string): boolean => elsewhere.test(lowerOf(text));

const how = begins(
  '(?:and |so |but |also |und |y |et )?(?:how|where|who|which|what|when|wie|wo|wer|welche[rsnm]?|was|wann|wohin|cómo|dónde|quién|cuál|qué|cuándo|comment|où|qui|quel(?:le)?s?|quand|que)',
);
/** Asks for an explanation; "how about" proposes something. */
export const asksHow = (lower: string): boolean =>
  lower.split(/(?<=[.!?;:,])\s+/).some((clause) => how.test(clause) && !/^(?:how|what) about/.test(clause));

const why = word('why|how come|warum|wieso|weshalb|por qué|pourquoi');
export const asksWhy = (lower: string): boolean => why.test(lower);

function word(words: string): RegExp {
  return new RegExp(`(?<![\\p{L}'])(?:${words})(?![\\p{L}'])`, 'u');
}
