/**
 * Indirect signs of leaving, by what the speaker does with the sentence: doubts a renewal, has others looked at, defends
 * the price no longer, sets an ultimatum, gives up a part. Each act is a set of clues that must meet in one sentence, in
 * any order, because no single one of them means leaving. English, German, Spanish, French.
 */

const word = (...words: string[]): RegExp => new RegExp(`(?<![\\p{L}'])(?:${words.join('|')})(?![\\p{L}'])`, 'u');

/** Whoever decides at the customer. */
const deciders =
  'board|council|management|owners?|boss|head office|headquarters|procurement|purchasing|finance|it|it department|directors?|partners?|trustees|investors?|auditors?|leadership|cfo|ceo|cto|controller|colleagues?|chief|head of \\p{L}+|vorstand|geschäftsführ\\p{L}+|einkauf|chef\\p{L}*|dirección|gerencia|compras|jef[ea]|direction|achats|patron\\p{L}*|siège';
const ours = word(
  "we|we're|we'll|we've|we'd|i|i'm|i'll|i've|i'd|us|our|my|me|wir|ich|uns|unser\\p{L}*|mein\\p{L}*|nosotros|nuestr\\p{L}+|nos|mi|\\p{L}+(?:amos|emos|imos)|nous|notre|nos|je|j'\\p{L}+|on",
  deciders,
);

/** Not now: how it was before, or what never was. */
const past = word(
  'ago|in (?:19|20)\\p{N}\\p{N}|before (?:we|i) (?:chose|came|had|signed|joined|bought|took|switched)|back then|(?:came|moved|switched|changed|migrated|coming|moving) (?:over )?(?:from|to you|to yours)|where (?:i|we) (?:worked|were)|years back|used to|vor (?:\\p{L}+ )?jahren?|zu (?:ihnen|euch) gewechselt|hace (?:\\p{L}+ )?años?|il y a (?:\\p{L}+ )?ans?|avant,?|chez vous',
);
/** Nobody does it. */
const denied =
  /(?<![\p{L}'])(?:(?:not|n't|never|nobody|no one|no longer|kein\p{L}*|niemand|nicht|nadie|nunca|personne|pas) (?:[\p{L}']+ ){0,4}(?:look\p{L}*|evaluat\p{L}+|think\p{L}*|consider\p{L}*|search\p{L}*|compar\p{L}+|interested|planning|shopping|tempted|sucht|suchen|denkt|busca\p{L}*|pensa\p{L}*|cherch\p{L}+)|(?:no|without|any|kein|ohne|sin|sans) (?:a |the )?(?:\p{L}+ )?(?:doubts?|reasons?|questions?|plans?|intention|need|zweifel|duda|doute)|happy (?:where|with)|zufrieden|content\p{L}*|of course|luckily|gladly|gerne?)(?![\p{L}'])/u;

/** Another product in the same place. */
const others = word(
  "alternatives?|competitors?|(?:your|the) (?:rivals?|competition)|rivals|(?:somebody|someone|something|anything|anybody|anyone) else|(?:what|who) else (?:is|there|exists|could)|what(?:'s| is) (?:out there|on the market|available)|the market|something new",
  '(?:an?other|other|different|new|rival|competing|outside) (?:\\p{L}+ ){0,2}(?:systems?|providers?|vendors?|suppliers?|tools?|apps?|products?|software|solutions?|platforms?|programs?|offers?|quotes?|quotations?|bids|names)',
  'alternativ\\p{L}+|vergleichsangebot\\p{L}*|ander\\p{L}+ (?:anbieter\\p{L}*|system\\p{L}*|lösung\\p{L}*|software|programm\\p{L}*)|mitbewerber\\p{L}*|konkurren\\p{L}+',
  'otr[oa]s? (?:opcion(?:es)?|proveedor(?:es)?|sistemas?|programas?|soluci\\p{L}+|ofertas?|empresas?)|la competencia|competidores',
  "(?:d'autres|une autre|un autre|plusieurs) (?:\\p{L}+ )?(?:éditeurs?|fournisseurs?|prestataires?|solutions?|logiciels?|outils?|offres?|devis)|concurren\\p{L}+",
);
const looking = word(
  'evaluat\\p{L}+|assess\\p{L}+|look(?:s|ing|ed)? (?:\\p{L}+ ){0,2}(?:at|into|for|around)|consider(?:s|ing|ed)?|trial(?:s|ling|led|ing)?|pilot(?:s|ing)?|try(?:ing)? out|trying|tried|test(?:s|ing|ed)?|compar(?:e|es|ing|ed)|short-?list\\p{L}*|demos?|ask(?:s|ed|ing)?|collect(?:s|ing|ed)?|gather(?:s|ing|ed)?|invit(?:e|es|ing|ed)|request(?:s|ed|ing)?|obtain\\p{L}*|get(?:ting)?|got|see|seen|saw|find|wants?|benchmark\\p{L}*|feelers|explor(?:e|es|ing|ed)|talk(?:s|ing|ed)? to|met|meet(?:s|ing)?|push(?:es|ing)|insist\\p{L}*|side by side|in parallel',
  'prüf\\p{L}+|test\\p{L}+|schau\\p{L}*|sehen|seh\\p{L}+|vergleich\\p{L}+|angeforder\\p{L}*|einhol\\p{L}*|eingeholt|angesehen|angeschaut|probier\\p{L}+|will|möchte',
  'evalua\\p{L}+|proba\\p{L}+|mir(?:ar|emos|amos|ando|e)|compara\\p{L}+|ped(?:ir|ido|imos)|pid\\p{L}+|estudia\\p{L}+|quiere\\p{L}*',
  'évalu\\p{L}+|test(?:er|ons|é|ent)|essa[iy]\\p{L}+|regard\\p{L}+|compar(?:er|ons|é|ent)|demand\\p{L}+|étudi\\p{L}+|veut|consult\\p{L}+',
);
/** Looks at a product that is named: plainer verbs than for products in general. */
const trying = word(
  "evaluating|assessing|(?:are|is|been|'re|'s|'m|am|started|begun|began|starts?) (?:\\p{L}+ )?(?:look(?:ing)? at|looking into|trying(?: out)?|testing|trialling|trialing|piloting|considering|comparing)|(?:a|free) (?:trial|demo|pilot|test|quote|quotation|offer) (?:of|with|from|by)|side by side|in parallel|short-?list\\p{L}*|(?:want|wants|would like|prefers?|pushing|pushes|insists?)|keeps? asking|has been (?:in|here|round)|framework",
  '(?:schauen|sehen) (?:wir )?uns|testen|prüfen|evaluieren|vergleichen|angebot von|will|wollen',
  '(?:estamos|están|está|empezado a) (?:\\p{L}+ )?(?:prob\\p{L}+|evalu\\p{L}+|mir\\p{L}+|compar\\p{L}+|estudi\\p{L}+)|quiere\\p{L}*',
  "en train d'\\p{L}+|en train de \\p{L}+|testons|évaluons|essayons|regardons|comparons|veut",
);

/** The contract goes on, or does not. */
const renewal = word(
  '(?:our|my|your|the|a|this|any|another|automatic|under) (?:\\p{L}+ )?renewal|up for renewal|renewal is|renew (?:us|with you|it|the (?:contract|licen[cs]es?|subscription)|our (?:contract|licen[cs]es?|subscription))|(?:our|the) (?:\\p{L}+ )?(?:contract|agreement|subscription|licen[cs]es?) (?:with you )?(?:runs? out|expires?|ends?|is up|are up|comes? up|finish(?:es)?|lapses?)|(?:sign|signing|commit|committing) (?:\\p{L}+ )?(?:again|for another|to another|up again|on again)|another (?:\\p{L}+ )?(?:year|years|term|season)(?: with you)?|(?:still )?(?:be |are )?(?:with you|customers|a customer|your customers?|on board|here) (?:after|next|in|by|at|come)|get out of (?:the|our|this) (?:contract|agreement)|(?:until|when|where) (?:the|our) contract|prolong(?:ing)?',
  'vertrag (?:läuft|endet)|(?:vertrags)?verlängerung|verlänger\\p{L}+|noch (?:kunde\\p{L}*|dabei|bei ihnen)',
  '(?:el|nuestro) contrato (?:vence|termina|acaba|caduca)|renova\\p{L}+|seguir otro año|seguir con (?:vosotros|ustedes)',
  'contrat (?:arrive|se termine|expire|prend fin)|reconduire|reconduction|renouvel\\p{L}+|rester client\\p{L}*',
);
const doubt = word(
  "not sure|unsure|(?:don't|do not|can't|cannot) (?:yet )?(?:know|say|tell|see (?:us|why|how))|no idea|let's see|see (?:if|whether)|remains to be seen|not (?:a )?(?:given|foregone|certain|guaranteed|automatic\\p{L}*)|(?:couldn't|could not|can't|cannot|wouldn't|would not|won't|will not|don't|not) (?:\\p{L}+ ){0,3}(?:recommend|sign|put (?:my|our) name|approve|support|automatically|see (?:us|ourselves)|commit)|convinced?|persuaded?|hesita\\p{L}+|undecided|second thoughts|reconsider\\p{L}*|think (?:twice|again|hard)|rather (?:go|not|stay|have)|reluctant|nobody (?:\\p{L}+ ){0,2}(?:told|asked|wants)|when we could|how we (?:could|would|can) get|in question|open question|up in the air|at risk|in danger|shaky|whether (?:we|i)|wants? to decide|want to (?:talk|think|decide)|question mark|has asked (?:me|us)",
  'nicht sicher|ob wir|wenig (?:dafür|für)|spricht (?:wenig|nichts|viel)|überleg\\p{L}+|zweifel\\p{L}*|fraglich|offen|stellen .{0,20}infrage|in frage',
  'no (?:sé|sabemos)|dud[oa]\\p{L}*|no est(?:oy|amos) segur\\p{L}+|justificar|pensar(?:lo|nos)|replante\\p{L}+',
  'hésit\\p{L}+|pas (?:sûrs?|certains?|sûre)|doute\\p{L}*|réfléchi\\p{L}+|remet\\p{L}+ en (?:cause|question)|ne sa(?:is|vons) pas',
);

/** What the product costs can no longer be defended. */
const indefensible = word(
  "(?:hard|harder|difficult|tough|impossible|struggling|struggle) (?:for (?:me|us) )?to (?:justify|defend|argue for|explain)|(?:can't|cannot|can not|couldn't|could not|no longer|unable to|won't be able to|not) (?:\\p{L}+ ){0,2}(?:justify|defend|keep paying|go on paying|argue for)|why (?:we|i) (?:still )?(?:pay|are paying|need)|(?:what|why) we(?:'re| are) paying|list of (?:\\p{L}+ )?(?:subscriptions|tools|licen[cs]es|costs|systems|contracts) to (?:cut|drop|cancel|end|review)|(?:on|for) the (?:block|chopping block)|(?:is|are|been) (?:first|next) to go|too (?:expensive|dear) to (?:keep|go on)",
  '(?:kann|können|könnte\\p{L}*) (?:\\p{L}+ ){0,8}(?:nicht (?:mehr )?|kaum (?:noch )?)(?:vertreten|rechtfertigen|begründen)|schwer zu (?:vertreten|rechtfertigen)',
  '(?:no (?:podemos|puedo|se puede)|difícil(?:mente)?) (?:\\p{L}+ ){0,2}(?:justificar|defender|asumir)',
  '(?:difficile|impossible|dur) (?:à|de) (?:justifier|défendre)|ne (?:peux|pouvons|pourrons) (?:plus |pas )?(?:justifier|défendre)',
);
/** This product, and not a purchase of the customer. */
const product = word(
  "you|your|yours|it|this|keeping|the (?:price|cost|fee|increase|subscription|licen[cs]es?|renewal|spend|system|software|tool|app)|next year|another year|what (?:we|i)(?:'re| are| 'm)? pay\\p{L}*|paying|preis|das|sie|seguir|otro año|subida|precio|abonnement|prix|tarif|vous",
);
const ofOthers = word(
  'a (?:second|third|further|bigger|new|spare) \\p{L}+|another \\p{L}+ for|members?|tenants?|students?|guests?|patients?',
);

/** The last chance: what has to happen, or how long it may take. */
const limit = word(
  'if|unless|until|should|either|otherwise|or|by (?:the|january|february|march|april|may|june|july|august|september|october|november|december|easter|christmas|summer|autumn|spring|winter|friday|monday)|(?:one|once|1) more|another|next time|last (?:chance|warning|time|attempt)|final (?:chance|warning|attempt)|after that|or else',
  "wenn|falls|sofern|sonst|bis|noch (?:ein|einmal|eine)|si|hasta|de lo contrario|una vez más|sinon|encore une|à moins|faute de|d'ici",
);
const consequence = word(
  "(?:we|i)(?:'re| are|'m| am|'ll be| will be) (?:out|off|gone|done|finished|through)(?! of| with (?:it|that|this|the))|that(?:'s| is|'ll be| will be)(?: really)? (?:it|that)(?: for (?:us|me))?|(?:part|go our separate) ways|draw (?:our|the|my) (?:own )?conclusions?|(?:consequences|conclusions) (?:from|of) (?:it|that|this)|(?:ends?|is over|finish(?:es)?|stops?) (?:there|then|here)|end of (?:the road|the line|our (?:\\p{L}+ )?(?:relationship|cooperation|partnership|contract))|(?:start|begin|plan|prepare|look into) (?:the|a|our|to) (?:migration|migrate|move|switch|exit|transition|search)|different (?:conversation|discussion|talk)|pulls? the plug|(?:go|goes|going) back to (?:the |our |using )?(?:spreadsheets?|paper|excel|pen|whiteboard|old|former|phone|fax)|call(?:ing)? (?:your|the) competit\\p{L}+|look(?:ing)? (?:elsewhere|around)|(?:we|i)(?:'ll| will) (?:be )?(?:leav(?:e|ing)|quit|walk|have to (?:leave|go|move on|rethink|reconsider))|(?:want|need) (?:our|my|the) (?:money|deposit|fees?) back|rethink|reconsider",
  '(?:ist|wäre) (?:für uns |bei uns |dann |damit )?(?:schluss|ende|feierabend)|konsequenzen|sind wir (?:weg|raus)|steigen wir aus',
  'se acab\\p{L}+|hasta aquí|sacaremos (?:nuestras )?conclusiones|nos (?:vamos|iremos)|consecuencias',
  "tirer (?:\\p{L}+ )?(?:conséquences|conclusions)|(?:c'est|ce sera) (?:terminé|fini)|on arrête|nous (?:partirons|partons|arrêterons)",
);

/** A part is given up, or the whole is prepared for it. */
const partly = word(
  "(?:moved?|moving|taken?|taking|migrated?|migrating|pulled|pulling) (?:\\p{L}+ ){1,4}(?:off|away from|out of) (?:you|yours?|your \\p{L}+|it|the (?:system|platform|tool|app|software))(?! in)|(?:let|letting) (?:\\p{L}+ ){1,6}(?:lapse|expire|run out)|(?:frozen|stopped|halted|paused|suspended|freezing|stopping|pausing|halting) (?:the|our|any) (?:\\p{L}+ )?(?:roll-?out|introduction|deployment|expansion|project with you)|(?:not|won't|n't) (?:be )?(?:roll(?:ing)? (?:it|you|this) out|tak(?:e|ing) (?:it|this|that|the pilot) (?:any )?further|continu(?:e|ing) (?:the|our|with (?:the|you|your))|go(?:ing)? ahead with (?:you|the|your)|extend(?:ing)? (?:it|the (?:pilot|trial)))|(?:reduc|cutt?|downgrad|shrink|scal)(?:e|es|ing|ed|ing down|ing back|e down|e back)? (?:down |back )?(?:\\p{L}+ ){0,2}from \\p{L}+ (?:seats?|licen[cs]es?|users?|accounts?)|(?:pull|pulling|pulled) the plug|(?:possible|planned|coming|likely|a) change of (?:systems?|providers?|vendors?|suppliers?)|lost (?:faith|confidence|trust) in (?:it|you|your|the)|wants? something (?:else|new|different)|(?:gone|going|went) (?:out )?to tender|out to tender|onto one (?:system|platform|tool)|(?:difficult|hard|harder) to defend you|find something (?:new|else)|replaced? (?:it|you|the (?:system|tool|software|app)) yet|(?:have|get|want) (?:our|my) (?:deposit|money|fees?) back|(?:gone|going|went) back to (?:paper|spreadsheets?|excel|pen|the (?:old|former) (?:system|tool|way))",
  'stell\\p{L}* (?:das|die|den) (?:einführung|ausrollen|rollout)|nicht (?:mehr )?weiter ?(?:ausrollen|führen)',
  'no (?:vamos a )?seguir (?:con|adelante)|parado la implantación',
  '(?:arrêté|suspendu|gelé) (?:le|la) déploiement|ne pas poursuivre|ne poursuivrons pas',
);
/** What notice is for, asked of the vendor. */
const exit = word(
  '(?:notice period|way out|termination (?:clause|terms)|exit clause)',
  'how (?:do|would|can|could) (?:we|i) (?:\\p{L}+ )?(?:leave|cancel|get (?:all )?(?:of )?our (?:data|records) out)',
);

/** "What I said about the first of March stands." */
const threatened = word(
  '(?:what|everything|all) (?:i|we) (?:said|wrote|told you)(?: \\p{L}+){0,3}? (?:about|for|regarding) .{1,40}? (?:still )?(?:stands|holds)',
);
const deadline =
  /(?<!\p{L})(?:january|february|march|april|may|june|july|august|september|october|november|december|easter|christmas|year end|leaving|going|notice)(?!\p{L})|\p{N}(?:st|nd|rd|th)(?!\p{L})/u;
/** "We would only look around if the price doubled." */
const onlyLooks = word(
  "(?:i|we|they|he|she)(?:'d| would) only (?:ever )?(?:look|leave|change|switch|move|go|consider (?:it|leaving)|think (?:of|about))(?: [^.!?]{1,40})? (?:if|when)",
);

interface Act {
  all: readonly RegExp[];
  none?: readonly RegExp[];
  /** Needs the name of a competitor. */
  rival?: true;
}

const acts: readonly Act[] = [
  { all: [renewal, doubt], none: [denied] },
  { all: [renewal, others], none: [denied, past] },
  { all: [ours, looking, others], none: [denied, past] },
  { all: [ours, trying], none: [denied, past], rival: true },
  { all: [indefensible, product], none: [denied, ofOthers] },
  { all: [limit, consequence], none: [denied] },
  { all: [limit, indefensible], none: [ofOthers] },
  { all: [threatened, deadline] },
  { all: [onlyLooks] },
  { all: [partly], none: [denied] },
  { all: [exit, word('we', 'our', 'us', 'out')], none: [word('tenants?', 'members?', 'staff', 'students?', 'employees?', 'system')] },
];

/** Whether a sentence of the statement does one of these. @param lower in lower case */
export const actsOfLeaving = (lower: string, rivals: boolean): boolean =>
  lower
    .split(/(?<=[.!?])\s+/)
    .some((sentence) =>
      acts.some(
        ({ all, none = [], rival }) =>
          (!rival || rivals) && all.every((each) => each.test(sentence)) && !none.some((each) => each.test(sentence)),
      ),
    );

/** Somebody leaves a job, or the customer's own customers leave the customer. */
export const othersLeave = (text: string): boolean => colleague.test(text) || theirs.test(text);
const colleague =
  /(?<!\p{L})\p{Lu}\p{L}+(?:['’]s| is| will be| has)? (?:leaves|left|leaving|off|moving|moved|retires|retiring|gone) (?:us|to \p{Lu}|(?:the )?(?:company|firm|team|house|harbour|office)|at the end|(?:in|on|at|by|next) \p{L}+)/u;
const theirs =
  /(?<!\p{L})(?:[Tt]enants?|[Cc]lients?|[Cc]ustomers?|[Gg]uests?|[Mm]embers?|[Ss]tudents?|[Pp]upils?|[Pp]atients?|[Vv]isitors?|[Dd]rivers?|[Ee]mployees?|[Ss]taff|[Pp]arents|[Ss]uppliers?|[Rr]eaders?|[Pp]assengers?|[Dd]onors?|[Ll]odgers?)(?: who)?(?: \p{L}+){0,2} (?:giv(?:e|es|ing|en) (?:\p{L}+ )?notice|gave (?:\p{L}+ )?notice|handed in|cancel\p{L}*|terminat\p{L}+|leav(?:e|es|ing)|left|quit|go(?:es)? elsewhere|switch(?:ed|es)?|stop(?:ped|s)? paying|threaten\p{L}*|look(?:s|ing)? elsewhere)/u;
