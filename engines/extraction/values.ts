/** A value that may follow a mention. */
interface ValueRule {
  predicate: string;
  after: RegExp;
  types: ReadonlySet<string> | null;
  value: (match: RegExpExecArray) => string;
}

const set = (types: string): ReadonlySet<string> => new Set(types.split(' '));
const snake = (text: string): string =>
  text
    .toLowerCase()
    .trim()
    .replace(/[\s-]+/g, '_');

export const valueRules: readonly ValueRule[] = [
  {
    predicate: 'has_status',
    types: set('issue feature product'),
    after:
      /^ (?:is|are|has been|have been|remains|was|got) (?:still |now |currently |already |finally )?(in progress|in review|in beta|in testing|on hold|under investigation|open|closed|fixed|resolved|done|blocked|shipped|released|merged|deployed|live|planned|deprecated|completed|cancell?ed)\b(?! (?:by|on|to|in|for|issue|question|source))/i,
    value: (match) => snake(match[1]!),
  },
  {
    predicate: 'has_status',
    types: set('customer organization thing'),
    after: /^ (?:has |have |had |just |recently |finally |also ){0,2}(renewed|churned)\b/i,
    value: (match) => snake(match[1]!),
  },
  {
    predicate: 'has_version',
    types: set('product feature customer organization thing'),
    after:
      /^ (?:(?:is|has)(?: now| currently| still)? (?:at |on |running )?(?:version |release )|(?:is (?:now |currently |still )?(?:at|on|running)|runs|was (?:updated|upgraded) to|upgraded to|moved to) (?:version |release |v)?)(\d{1,4}(?:\.\d{1,5}){1,3})(?![\d%])/i,
    value: (match) => match[1]!,
  },
  {
    predicate: 'costs',
    types: set('product feature thing organization work'),
    after:
      /^ (?:now |currently )?(?:costs?|is (?:now )?priced at|starts at|sells for|is sold for) (?:about |around |only |just )?([$€£]\s?\d[\d.,]{0,12}\d?(?:\s?(?:k|m|million|billion|thousand)\b)?(?:(?: per | a |\/)(?:month|year|user|seat|license|licence|mo|yr|unit|device)(?:(?: per |\/)(?:month|year|user|mo|yr))?)?)/i,
    value: (match) => match[1]!.replace(/[.,]$/, ''),
  },
  {
    predicate: 'founded_in',
    types: set('organization customer thing product place'),
    after: /^ (?:was|were) (?:first )?(?:founded|established|formed|created) in (?:\w{3,9} )?((?:1[0-9]|20)\d\d)\b/i,
    value: (match) => match[1]!,
  },
];

/** "(born 5 May 1970)", "was born on May 5, 1970" */
export const bornOn =
  /^(?: \((?:[^()]{0,40}[,;] ?)?(?:born|b\.)| (?:was|is) born) (?:on )?((?:\d{1,2} [A-Z][a-z]{2,8}|[A-Z][a-z]{2,8} \d{1,2}),? \d{4})/;
