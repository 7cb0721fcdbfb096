import { workRoles } from './words.ts';

/** The text between two mentions, and the relation that it states. */
interface Relation {
  predicate: string;
  /** Matches the text between them, without parentheses. */
  between: RegExp;
  /** Passive: the second mention is the subject. */
  swap?: boolean;
  /** Types of subject and object, after swapping. */
  subject: ReadonlySet<string>;
  object: ReadonlySet<string>;
  exclusive?: boolean;
  /** About the past: valid only if the sentence gives a time. */
  past?: boolean;
}

const set = (types: string): ReadonlySet<string> => new Set(types.split(' '));
const persons = set('person stakeholder');
const actors = set('person stakeholder customer organization thing product');
const groups = set('organization customer thing product place');
const made = set('product feature work organization thing issue');
const tools = set('product feature organization thing');
const located = set('organization customer place thing product work person stakeholder');
const sites = set('place thing organization');
const tracked = set('issue feature product thing');
const issues = set('issue');
const wanted = set('feature theme issue');

const adverb =
  '(?:(?:has|have|had|is|are|was|were|been|now|currently|also|still|recently|already|just|mainly|mostly|primarily|heavily|then|later|subsequently|again) ){0,3}';
const article = '(?:(?:the|a|an|its|their|our|his|her|that|this|that the|that their|new|old) ){0,2}';
const relative = ',? (?:which |who |that )?';
const between = (verbs: string, after = ''): RegExp => new RegExp(`^${relative}${adverb}(?:${verbs}) ${after}${article}$`, 'i');
const kind = '(?:is|was|are|were) (?:an?|the|one of the) (?:[\\w-]{1,20} ){0,6}?';

export const relations: readonly Relation[] = [
  {
    predicate: 'uses',
    subject: actors,
    object: tools,
    between: between(
      'use|uses|using|rely on|relies on|relying on|switched to|migrated to|moved over to|adopted|standardi[sz]ed on|subscribes to|runs on',
    ),
  },
  { predicate: 'uses', subject: actors, object: tools, swap: true, between: between('used by') },
  {
    predicate: 'works_at',
    subject: persons,
    object: groups,
    exclusive: true,
    between: between('works at|works for|working at|working for|work at|work for|joined|employed by|employed at|hired by'),
  },
  { predicate: 'works_at', subject: persons, object: groups, exclusive: true, past: true, between: between('worked at|worked for') },
  {
    predicate: 'owned_by',
    subject: made,
    object: actors,
    exclusive: true,
    between: /^,? (?:(?:which|that) )?(?:is|are) (?:now |currently |wholly |fully |jointly )?owned by (?:the )?$/i,
  },
  { predicate: 'owned_by', subject: made, object: actors, exclusive: true, past: true, between: /^ (?:was|were) owned by (?:the )?$/i },
  { predicate: 'owned_by', subject: made, object: actors, exclusive: true, swap: true, between: between('owns|own') },
  {
    predicate: 'assigned_to',
    subject: tracked,
    object: persons,
    exclusive: true,
    between: /^ (?:(?:is|was|has been|got) )?(?:now |currently )?(?:re)?assigned to $/i,
  },
  { predicate: 'assigned_to', subject: tracked, object: persons, exclusive: true, between: /^ to $/i },
  {
    predicate: 'assigned_to',
    subject: issues,
    object: persons,
    exclusive: true,
    swap: true,
    between: /^ (?:is|was|has been) assigned to (?:the )?$|^ (?:took over|picked up|is working on|works on) (?:the )?$/i,
  },
  {
    predicate: 'affects',
    subject: set('issue'),
    object: set('customer organization feature product thing person stakeholder'),
    between: between('affects|affected|affecting|impacts|impacted|impacting|breaks|broke'),
  },
  {
    predicate: 'affects',
    subject: set('issue'),
    object: set('customer organization feature product thing person stakeholder'),
    swap: true,
    between: /^ (?:is|are|was|were|has been|have been) (?:also |still |badly |heavily )?(?:affected|impacted|hit) by (?:the )?$/i,
  },
  {
    predicate: 'reported',
    subject: actors,
    object: issues,
    between: between(
      'report|reports|reported|reporting|raised|filed|opened|complained about|complains about|complained|complains|flagged|logged|escalated|experienced|experiencing|encountered|ran into|sees|seeing',
      '(?:that )?',
    ),
  },
  {
    predicate: 'reported',
    subject: actors,
    object: issues,
    swap: true,
    between: /^ (?:(?:is|was|has been|were) )?(?:first )?(?:reported|raised|filed|flagged|logged|escalated) by (?:the )?$/i,
  },
  {
    predicate: 'requested',
    subject: actors,
    object: wanted,
    between: between(
      'request|requests|requested|requesting|asked for|asks for|asking for|needs|wants|would like|would love|is keen on|wishes for',
      '(?:to have |to see |support for |better |more )?',
    ),
  },
  {
    predicate: 'requested',
    subject: actors,
    object: wanted,
    swap: true,
    between: /^ (?:(?:is|was|has been|were) )?(?:requested|wanted|asked for|needed) by (?:the )?$/i,
  },
  {
    predicate: 'depends_on',
    subject: tracked,
    object: tracked,
    between: between('depend on|depends on|depending on|dependent on|requires|relies on|builds on'),
  },
  { predicate: 'blocks', subject: tracked, object: tracked, between: between('blocks|blocking|block') },
  {
    predicate: 'blocks',
    subject: tracked,
    object: tracked,
    swap: true,
    between: /^ (?:is|are|was|were|remains) (?:still |now |currently )?blocked (?:by|on) (?:the )?$/i,
  },
  {
    predicate: 'located_in',
    subject: located,
    object: sites,
    between: new RegExp(
      `^(?:,|,? which (?:is|was)| ${kind}| is| was| are|) ?(?:based|located|situated|headquartered) (?:in|at|near) (?:the )?$`,
      'i',
    ),
  },
  {
    predicate: 'located_in',
    subject: set('place thing'),
    object: sites,
    between: new RegExp(
      `^ ${kind}(?:city|town|village|municipality|county|district|commune|suburb|province|region|state|island|river|lake|mountain|hamlet|neighbou?rhood|borough|township|parish|settlement|capital) (?:in|of) (?:the )?$`,
      'i',
    ),
  },
  {
    predicate: 'part_of',
    subject: located,
    object: located,
    between: new RegExp(
      `^(?:,| ${kind.slice(0, -1)}| is| are| forms| remains|) ?(?:an? |the )?(?:[\\w-]{1,20} ){0,2}?(?:part|subsidiary|division|unit|branch|brand|member|department|subdivision) of (?:the )?$`,
      'i',
    ),
  },
  { predicate: 'acquired', subject: actors, object: made, between: between('acquired|acquires|bought|took over|purchased') },
  {
    predicate: 'acquired',
    subject: actors,
    object: made,
    swap: true,
    between: between('acquired by|bought by|taken over by|purchased by', '(?:its rival |the company )?'),
  },
  {
    predicate: 'founded',
    subject: actors,
    object: groups,
    between: between(
      'founded|co-founded|cofounded|established|founder of|co-founder of|cofounder of|the founder of|a co-founder of|the co-founder of',
    ),
  },
  {
    predicate: 'founded',
    subject: actors,
    object: groups,
    swap: true,
    between: between('founded by|co-founded by|cofounded by|established by', ''),
  },
  {
    predicate: 'founded',
    subject: actors,
    object: groups,
    swap: true,
    between: /^,? (?:which |that )?(?:was |were )?(?:co-?)?(?:founded|established) in (?:\w{3,9} )?\d{4} by (?:the )?$/i,
  },
  {
    predicate: 'born_in',
    subject: set('person stakeholder thing'),
    object: sites,
    exclusive: true,
    between: /^,? (?:who )?(?:was |were )?born (?:on |in )?(?:[\w ,]{0,25} )?(?:in|at) (?:the )?$/i,
  },
  {
    predicate: 'created_by',
    subject: made,
    object: actors,
    between: new RegExp(
      `^(?:,| ${kind.slice(0, -1)}| is| was| were|,? which was|) ?(?:(?:[\\w-]{1,20} ){0,4}?and )?(?:originally )?(?:created|developed|written|designed|built|composed|invented|painted|authored|directed|produced)(?: and (?:directed|produced|written|illustrated|designed|performed|recorded|developed))? by (?:the )?$`,
      'i',
    ),
  },
  {
    predicate: 'created_by',
    subject: set('product feature work'),
    object: actors,
    swap: true,
    between: between('created|developed|wrote|designed|built|composed|invented|painted|authored|directed'),
  },
  {
    predicate: 'published_by',
    subject: made,
    object: actors,
    between: new RegExp(`^(?:,| ${kind.slice(0, -1)}| is| was| were|) ?(?:published|released|distributed) by (?:the )?$`, 'i'),
  },
  {
    predicate: 'fixed_in',
    subject: tracked,
    object: set('version'),
    between: /^ (?:is|was|has been|got|were) (?:finally )?(?:fixed|resolved) in (?:the )?$/i,
  },
  {
    predicate: 'released_in',
    subject: tracked,
    object: set('version'),
    between: /^ (?:is|was|has been|were) (?:released|shipped|introduced|added) (?:in|with) (?:the )?$/i,
  },
];

const roleNames = [
  ...workRoles,
  'mayor',
  'governor',
  'minister',
  'chairman',
  'chairwoman',
  'ambassador',
  'coach',
  'captain',
  'editor',
  'professor',
].join('|');
const role = `((?:[A-Za-z&/-]{2,20} ){0,3}?(?:${roleNames})(?: (?:of|for) [a-z&]{2,20}(?: [a-z&]{2,20})?| (?:of |for )?(?:Engineering|Product|Sales|Marketing|Operations|Support|Finance|Design|Technology|IT|Data|Security|Customer Success|People|HR|Research))?)`;
/** "Ann Lee, CTO of Acme": the role and its connection to a name. */
export const roleOf = new RegExp(
  `^(?:,| \\(| (?:is|serves as|works as|acts as|became)(?: now| currently)?| is now)(?: the| our| an?| their| its)? ${role},? (?:at|of|for|with|from|,) ?(?:the )?$`,
  'i',
);
export const wasRoleOf = new RegExp(
  `^ (?:was|served as|worked as)(?: the| our| an?| their| its)? ${role},? (?:at|of|for|with) (?:the )?$`,
  'i',
);
/** "Ann Lee, CTO, …", "Ann Lee is our CTO." */
export const roleAlone = new RegExp(
  `^(?:,| \\(| (?:is|serves as|works as|became)(?: now| currently)?)(?: the| our| an?| their| its| your)? ${role}\\s*(?:[,.;:)!]|$)`,
  'i',
);
/** "joined Acme as CTO" */
export const asRole = new RegExp(`^ as (?:the |our |an? |their |its )?${role}`, 'i');
/** "Acme's CTO, Ann Lee" */
export const roleBetween = new RegExp(`^(?:['’]s)? ${role},? $`, 'i');
