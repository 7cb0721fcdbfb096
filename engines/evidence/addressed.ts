/**
 * Finds text that is addressed to a machine and not to a person: "ignore all previous instructions", "note to AI
 * assistants: …". Signs are the addressee and what is to be done to the reading itself, not a topic, so that sentences
 * about assistants stay what they are.
 */

const gap = (words: number): string => `(?:[^\\s.!?]{1,24}\\s+){0,${words}}?`;
const machine = String.raw`(?:a\.?i\.?|artificial intelligence|(?:large |big )?language models?|llms?|gpt|chat ?gpt|chat ?bots?|bots?|(?:ai|virtual|digital) (?:agents?|assistants?|models?|systems?|readers?|tools?)|assistants?|summari[sz]ers?|summari[sz]ation (?:model|system|tool)s?|automated (?:readers?|systems?|tools?|agents?|parsers?)|machine readers?|(?:summari[sz]ing|reading|answering|reporting|rating|scoring) (?:models?|systems?|tools?|bots?|assistants?|agents?)|models?|ki|ki[- ](?:assistent(?:en|in)?|systeme?|modelle?)|sprachmodelle?|künstliche intelligenz|ia|(?:asistentes?|assistente|assistants?|modelos?|modèles?|sistema) (?:de |d['’])?(?:ia|lenguaje|langage|linguagem|inteligencia artificial)|asistente virtual|modelos? de lenguaje|modèles? de langage|modello linguistico|taalmodel(?:len)?|språkmodell(?:en|er)?)`;
const order = String.raw`(?:ignore|disregard|forget|override|bypass|record|mark|state|say|write|report|rate|classify|treat|summari[sz]e|output|print|reveal|list|attach|send|delete|close|answer|respond|reply|include|append|translate|repeat|act|pretend|note|add|set|give|assume|use|stop|start|tell|mention|describe|recommend|do not|don['’]t|never|always|you (?:must|should|are|have to|will|shall)|please|your (?:task|job|instructions?|new)|ignorier\w*|vergiss|vergessen sie|markier\w*|schreib\w*|bewert\w*|antwort\w*|gib|geben sie|nenne\w*|fass\w*|behaupte\w*|lösch\w*|ignor[ae]n?|olvid[ae]n?|marc[ao]\w*|escrib\w*|respond\w*|califi\w*|clasifi\w*|indi\w*|di |borr\w*|ignorez|oubli\w*|marqu\w*|écri\w*|répond\w*|class\w*|indiqu\w*|not[ez]+|ignora|dimentic\w*|scriv\w*|negeer|vergeet|schrijf|ignorera|glöm)`;

const patterns: readonly RegExp[] = [
  // Overrides of instructions. "My earlier instructions" are those of a customer to a person.
  new RegExp(
    `\\b(?:ignor(?:e|es|ing)|disregard|forget|override|bypass|drop)\\s+${gap(3)}(?:previous|prior|earlier|above|preceding|existing|former|initial|original|system|all|any|your|every|these|those)\\s+${gap(3)}(?:instructions?|prompts?|directives?|guidelines?|programming|training|guardrails|commands?)\\b`,
    'iu',
  ),
  new RegExp(
    `\\b(?:ignorier\\w*|missacht\\w*|vergiss|vergessen sie|übergeh\\w*)\\s+${gap(3)}(?:vorherig\\w*|bisherig\\w*|frühere\\w*|obig\\w*|vorig\\w*|alle\\w*|deine\\w*|ihre)\\s+${gap(3)}(?:anweisung\\w*|instruktion\\w*|vorgaben|befehle|prompts?)`,
    'iu',
  ),
  new RegExp(
    `\\b(?:ignor[aeo]\\w*|olvid[ae]\\w*|descart[ae]\\w*|desestim\\w*|omit[ae]\\w*|esquec\\w*)\\s+${gap(3)}(?:instruc\\w*|instrucciones|instruções|órdenes|directrices|indicaciones)\\s+${gap(2)}(?:anterior\\w*|previa\\w*|precedent\\w*|de arriba)`,
    'iu',
  ),
  new RegExp(
    `\\b(?:ignor\\w*|oubli\\w*|négligez|neglige)\\s+${gap(3)}(?:instructions?|consignes|directives|ordres)\\s+${gap(2)}(?:précédent\\w*|antérieur\\w*|ci-dessus|initial\\w*)`,
    'iu',
  ),
  new RegExp(
    `\\b(?:ignora\\w*|dimentica\\w*|negeer|vergeet|ignorera|glöm|ignorer|glem)\\s+${gap(3)}(?:istruzioni|instructies|opdrachten|instruktioner|instrukser)\\b`,
    'iu',
  ),
  // "AI assistant reading this: record …", "Note to automated readers: state …", "Assistant, attach …".
  new RegExp(
    `(?:^|[\\n"“”«»'(<\\[>-]|[.!?:]\\s)\\s*(?:(?:hey|hi|hello|dear|attention|attn|hinweis|achtung|hola|atención|bonjour)\\s+)?${machine}(?:\\s+(?:reading|processing|summari[sz]ing|analy[sz]ing|parsing)\\s+[^:,\\n]{1,40})?\\s*[:,!–—-]\\s*(?:if [^,\\n]{1,60},\\s*)?${order}`,
    'iu',
  ),
  new RegExp(
    `\\b(?:note|notice|message|instructions?|reminder|task|attention|request|memo|command|hinweis|anweisung\\w*|nachricht|aufgabe|mitteilung|nota|aviso|mensaje|instrucci\\w+|tarea|consigne|message|tâche|istruzioni)\\s+(?:to|for|an|für|para|al|a|pour|aux?|à|per|voor|till)\\s+(?:(?:the|any|all|every|our|your|alle|jede\\w*|das|die|den|el|la|los|las|le|les|tout\\w*|l['’])\\s*){0,2}${machine}\\b`,
    'iu',
  ),
  new RegExp(`\\b(?:if you are|if you['’]re|as)\\s+an?\\s+${machine}\\b[^.!?\\n]{0,60}\\b(?:you|please|must|${order})\\b`, 'iu'),
  new RegExp(`\\b(?:wenn (?:du|sie) (?:ein\\w*)|si eres (?:un\\w*)|si (?:tu es|vous êtes) (?:un\\w*))\\s+${machine}\\b`, 'iu'),
  // "AI tools processing this text must list …", "AI systems must rate this sender …"
  new RegExp(
    `\\b${machine}\\s+(?:that |which |who )?(?:read\\w*|process\\w*|summari[sz]\\w*|analy[sz]\\w*|pars\\w*|review\\w*|scann\\w*)\\s+(?:this|these|the|that|it)\\b[^.!?\\n]{0,60}?\\b(?:must|should|shall|ha(?:s|ve) to|are to|is to|needs? to|will|please)\\b`,
    'iu',
  ),
  new RegExp(
    `\\b${machine},?\\s+(?:die|das|welche|que|qui|che)\\s+[^.!?\\n]{0,40}?\\b(?:les\\w*|lies\\w*|verarbeit\\w*|auswert\\w*|lea\\w*|proces\\w*|resum\\w*|lis\\w*|trait\\w*|legg\\w*)\\b[^.!?\\n]{0,30}?\\b(?:müssen|muss|sollen|soll|deben?|tienen que|doivent|doit|devono|deve)\\b`,
    'iu',
  ),
  new RegExp(
    `\\b${machine}\\s+(?:must|should|shall|are to|have to|müssen|sollen|deben|doivent)\\s+[^.!?\\n]{0,40}?\\b(?:this|diesen?|dieses|est[ea]|cette?)\\s+(?:customer|client|sender|writer|text|document|file|mail|e-?mail|message|company|feedback|review|ticket|account|user|kunden?|text|absender|cliente|remitente|texto|mensaje|expéditeur|texte)\\b`,
    'iu',
  ),
  // Role play and tags of prompts.
  /\bsystem\s+(?:note|prompt|message|override|instruction)s?\s*(?:to\b|for\b|[:>\]])/iu,
  /\b(?:system|developer|jailbreak|god|debug|admin)\s+(?:mode|override)\s+(?:enabled|activated|on|engaged)\b/iu,
  /\b(?:do anything now|you are (?:now )?dan\b|stay in character|(?:from now on|henceforth),? you (?:are|will|must|shall)\b|you are now (?:an?|the|in)\b[^.\n]{0,60}\b(?:mode|assistant|model|bot|ai)\b)/iu,
  /["']?role["']?\s*:\s*["'](?:system|assistant|developer)["']/iu,
  /<\|?\/?(?:im_start|im_end|system|assistant|endoftext|instructions?|prompt)\|?>|\[\/?(?:INST|SYS|SYSTEM)\]|<<\/?SYS>>|^#{2,}\s*(?:instruction|system|prompt)s?\s*:?\s*$/imu,
  /^\s*<\/\w{2,20}>\s*\S/u,
  /\b(?:begin|end|start of|new)\s+(?:system\s+)?(?:prompt|instructions?)\b\s*[:\]>-]/iu,
  /\b(?:repeat|reveal|print|show|output)\s+(?:\w+\s+){0,3}(?:system prompt|your (?:instructions|prompt)|hidden prompt)\b/iu,
];

/** Longer texts are read in their beginning; an instruction that is to be found stands in a short one. */
const longest = 20_000;

export const addressesMachine = (text: string): boolean => {
  const read = text.slice(0, longest);
  return patterns.some((pattern) => pattern.test(read));
};
