/** Words of reported speech in notes, in the languages in which notes are usually written. */

const any = (words: string): string =>
  `(?:${words
    .trim()
    .split(/\s*[,\n]\s*/)
    .join('|')})`;

/** Verbs by which a text reports what somebody says, thinks or wants. */
const says =
  any(`says?, said, tells?, told, adds?, added, thinks?, thought, finds?, found, wants?, wanted, wishes, wished, asks?, asked, reports?, reported, complains?, complained, mentions?, mentioned,
  recalls?, recalled, confirms?, confirmed, replie[sd], answers?, answered, claims?, claimed, explains?, explained, notes?, noted, feels?, felt, hopes?, hoped, expects?, expected, needs?, needed, would like, would love, calls?, called,
  praises?, praised, insists?, insisted, admits?, admitted, announces?, announced, points? out, pointed out, raises?, raised, likes?, liked, loves?, hates?, hated, prefers?, preferred, suggests?, suggested, warns?, warned, wonders?, wondered, repeats?, repeated, stresses, stressed, took back, takes back, writes?, wrote,
  sagte?n?, meinte?n?, findet, fand, möchten?, wünschte?n?, wünscht, fragte?n?, fragt, berichtete?n?, berichtet, klagte?, klagt, beklagte?, beklagt, erzählte?, erzählt, bestätigte?, bestätigt, erwähnte?, erwähnt, hofft, hoffte, braucht, will, wollte, lobte?, lobt, ergänzte?, ergänzt, erklärte?, erklärt, vermisst, bittet, bat, schrieb,
  dice, dicen, dijo, comenta, comentó, quiere, quieren, pide, piden, pidió, pregunta, preguntó, cuenta, contó, explica, explicó, se queja, se quejó, añade, añadió, confirma, confirmó, echa de menos, necesita, cree, opina, menciona, mencionó, elogia, reclama, escribe,
  dit, disent, indique, indiquait, souhaite, souhaiterait, veut, voudrait, demande, raconte, se plaint, ajoute, trouve, pense, confirme, précise, regrette, apprécie, signale, aimerait, explique, rappelle, affirme, a dit, a indiqué, a demandé, a expliqué, a confirmé, a signalé, a ajouté,
  vuole, vorrebbe, chiede, racconta, spiega, conferma, lamenta, si lamenta, aggiunge, trova, pensa, segnala, ha detto, ha chiesto, ha spiegato, zegt, zei, wil, vraagt, vroeg, vindt, meldt, vertelt, klaagt, diz, disse, quer, pede, pergunta, explica, säger, sa, vill, siger, ønsker`);
export const saysNext = new RegExp(
  `^(?:\\s*\\([^)]{0,60}\\))?,?\\s+(?:(?:also|then|again|still|even|just|clearly|has|had|have|hat|haben|ha|also|auch|dann|también|aussi|anche|later|now|twice|did)\\s+){0,2}${says}(?![\\p{L}])`,
  'iu',
);
/** "says Urs", "sagt Frau Kern" */
export const saysBefore = new RegExp(`(?<![\\p{L}])${says}\\s+(?:(?:mr|mrs|ms|dr|herr|frau|sr|sra|señor|señora|mme|m)\\.?\\s+)?$`, 'iu');
export const accordingTo =
  /(?:according to|as per|in the words of|laut|nach (?:aussage|angaben|auskunft|meinung) von|zufolge|según|de acuerdo con|en palabras de|d['’]après|selon|aux dires de|secondo|a detta di|volgens|segundo|enligt|ifølge)\s+(?:the\s+|der\s+|la\s+|el\s+|le\s+)?(?:(?:mr|mrs|ms|dr|herr|frau|sr|sra|mme|m)\.?\s+)?$/iu;

/** The author as subject. */
export const firstPerson =
  /(?<![\p{L}'’])(?:I|I['’](?:m|d|ve|ll)|we|we['’](?:re|d|ve|ll)|my|our|ich|wir|mein|meine|unser|unsere|yo|nosotr[oa]s|mi|nuestr[oa]s?|je|j['’]|nous|mon|ma|notre|nos|io|noi|ik|wij|jag|vi|jeg|eu|nós)(?![\p{L}])/iu;
/** What the author heard is the other side's. */
export const heard =
  /(?<![\p{L}])(?:(?:I|we) (?:was|were|am|are|have been|had been) (?:told|asked|informed|shown|reminded|warned)|(?:I|we)(?:['’]ve| have| had)? (?:heard|learn(?:ed|t)|understand|understood|gathered?) (?:from|that)|(?:ich|wir) (?:habe[n]?|hörten?) [^.]{0,40}(?:gehört|erfahren)|(?:uns|mir) wurde (?:gesagt|berichtet|erzählt)|(?:me|nos) (?:dij(?:o|eron)|cont(?:ó|aron)|pid(?:ió|ieron)|comentaron|han dicho|ha dicho)|(?:on )?(?:m['’]a|nous a|m['’]ont|nous ont) (?:dit|demandé|signalé|expliqué|raconté)|mi ha(?:nno)? detto|ci ha(?:nno)? detto)(?![\p{L}])/iu;
/** The author asks, shows or sets the scene: what follows is the answer. */
export const asks =
  /(?<![\p{L}])(?:ask(?:ed)?|show(?:ed|n)?|met|meet|visited|called|rang|sat|spoke|talked|went|walked|saw|looked|arrived|raised|demoed|presented|gefragt|fragte|zeigte|gezeigt|traf|getroffen|besucht|gesprochen|telefoniert|pregunté|preguntamos|mostré|visité|visitamos|hablé|hablamos|demandé|montré|visité|rencontré|parlé|chiesto|mostrato|visitato|incontrato)(?![\p{L}])/iu;
export const guess =
  /(?<![\p{L}])(?:(?:my|our) (?:guess|impression|hunch|feeling|sense|read|reading|take|view|idea|assumption|suspicion)|i (?:guess|suspect|assume|bet|reckon|believe|think|presume|wonder)|we (?:suspect|assume|reckon|think)|(?:had|have|got|get) the (?:impression|feeling)|gut feeling|reading between the lines|(?:ideas?|thoughts?) (?:on|from) (?:our|my) side|not (?:discussed|mentioned|raised|shared|told|said)|(?:did not|didn['’]t|never) (?:say|mention|raise|ask)(?:ed)? (?:so|this|that|it|for it)|nobody (?:said|asked|mentioned)|between (?:us|ourselves)|ours, not|meine? (?:vermutung|eindruck|gefühl|einschätzung|idee)|(?:ich|wir) (?:vermute|vermuten|glaube|glauben|denke|denken|schätze|nehme an)|(?:hatte|habe) den eindruck|nicht (?:besprochen|erwähnt|angesprochen)|hat niemand gesagt|unter uns|idee von uns|mi (?:impresión|sospecha|opinión|sensación|idea)|(?:sospecho|supongo|creo|imagino|intuyo) que|tuve la impresión|me dio la impresión|no (?:se habló|lo dijo|lo mencionó|se comentó)|entre nosotros|mon (?:impression|avis|sentiment|intuition)|(?:je|nous) (?:soupçonne|suppose|pense|crois|pensons|supposons)|j['’]ai eu l['’]impression|pas (?:évoqué|mentionné|discuté)|entre nous|la mia (?:impressione|sensazione)|(?:suppongo|penso|credo|sospetto) che|ho avuto l['’]impressione|mijn (?:indruk|gevoel)|ik (?:vermoed|denk|gok))(?![\p{L}])/iu;

const male = 'he|er|él|il|lui|egli|hij|ele|han|him|his|ihn|ihm';
const female = 'she|ella|elle|lei|zij|ela|hon|hun|her|hers';
/** German "sie" is both. */
export const pronoun = new RegExp(
  `(?<![\\p{L}'’])(?:(?<male>${male})|(?<female>${female})|(?<both>they|sie|ellos|ellas|ils|elles|loro|ze|eles|elas|de)|(?:in (?<hers>her) words)|(?:in (?<his>his) words)|their)(?![\\p{L}])`,
  'iu',
);
export const heOrHis = new RegExp(`(?<![\\p{L}'’])(?:${male.replace('|il|', '|')})(?![\\p{L}])`, 'iu');
export const sheOrHer = new RegExp(`(?<![\\p{L}'’])(?:${female})(?![\\p{L}])`, 'iu');
/** With a form of "be", a person is what is talked about: "Ruben was kind". */
export const isOrWas =
  /^\s+(?:is|was|were|are|has been|had been|ist|war|waren|sei|es|era|fue|está|estuvo|est|était|a été|è|stato|stata|foi|was|waren|är|var|er)(?![\p{L}])/iu;
export const subordinates =
  /^\W*(?:when|while|as|after|before|since|because|if|once|until|although|though|als|wenn|weil|nachdem|bevor|während|da|seit|cuando|mientras|como|si|desde que|porque|aunque|quand|lorsque|pendant que|comme|depuis que|parce que|bien que|quando|mentre|perché|toen|omdat)(?![\p{L}])/iu;
