import type { Span } from './spans.ts';
import type { Talk } from './talk.ts';
import type { Scanned, Sentence, Token } from './tokens.ts';
import { nounsBefore, phrase, tight } from './phrases.ts';

/** Users' actions in software; base forms. */
const actions = new Set(
  `access add adjust annotate archive assign attach automate backup block bookmark browse buffer bulk-edit cancel capture cast chat clip collaborate comment
  configure connect convert copy crop customize customise delete disable download drag draw drop edit email embed enable export favorite favourite filter
  follow format forward group hide highlight import install integrate invite jot link load log login logout manage map mark merge message migrate modify
  monitor mute navigate notify organize organise paste pin play post preview print publish rearrange record refresh register reinstall remind remove rename
  reply report repost reschedule reset resize restore retweet rotate save scan schedule scroll search select send set share sign sort star store stream
  submit subscribe switch sync synch synchronize synchronise tag text toggle track transcribe transfer translate tweet type undo unfollow uninstall
  unsubscribe update upgrade upload view watch write zoom post backup`.split(/\s+/),
);
/** Also users' actions, but ambiguous: only with an object. */
const looseActions = new Set(
  'change check create find get keep look make open read receive see take use visit store put move open press share view play show'.split(
    ' ',
  ),
);
/** Sufficient alone to name a function. */
const alone = new Set(
  `sync synch syncing syncs synced synching synchronization synchronisation upload uploading download share sharing tagging editing edit scrolling scroll posting
  update updates updated updating install installing reinstall uninstall login logout sign-in sign-up refresh search searching export exporting import
  importing log loading loads zoom streaming printing messaging sso checkout backup backups autocomplete autosave`.split(/\s+/),
);

/** Parts of software, by last word. */
const parts = new Set(
  `alarm album alerts alert attachment attachments bar bookmark bookmarks button buttons calendar camera cart chart charts chat checkbox checkboxes
  checklist columns comments dashboard dashboards dropdown editor emoji emojis feed feeds filter filters folder folders font fonts form forms gallery graph
  gui icon icons inbox interface keyboard layout library list lists logs map maps menu menus messages messenger modal navigation newsfeed note notebook
  notebooks notes notification notifications page pages panel password passwords photos pics pictures player playlist playlists plugin plugins popup popups
  post posts profile profiles reminder reminders report reports screen screens scrollbar settings shortcut shortcuts sidebar slider stickers tab tabs template
  templates theme themes thread threads timeline toolbar tooltip tweets ui ux video videos view views wallpaper webhook webhooks widget widgets wizard
  api apis sdk cli integration integrations endpoint endpoints mode app-store permissions bookmarks subscription subscriptions export import sync search login
  logout sign-in sign-up signup backup backups autosave encryption sso 2fa mfa authentication audit-log translation autocorrect spellcheck offline`.split(
    /\s+/,
  ),
);
/** Ambiguous parts: only with a specifying word before them. */
const looseParts = new Set(
  'list lists note notes page pages map maps form forms photos pics pictures post posts report reports view views video videos theme themes mode bar camera columns comments messages thread threads calendar library graph chart charts export import search button buttons tab tabs icon icons form'.split(
    ' ',
  ),
);
/** "the … feature": the words before are its name. */
const heads = new Set(
  'feature features functionality functionalities function functions capability capabilities option options'.split(' '),
);
/** "the … page": the words before and this one are its name. */
const namedHeads = new Set(
  'button tab page screen menu view dashboard panel dialog modal widget toggle setting settings api endpoint integration report mode wizard sidebar toolbar plugin extension editor'.split(
    ' ',
  ),
);

/** Adjectives of quality, which are not part of a name. */
const quality =
  /(?:ive|al|ic|ary|able|ible|ful|ous|est|er|less|ant|ent|que)$|^(?:interesting|existing|following|missing|amazing|exciting|one|two|three|four|basic|blue|red|key|fourth|third|second)$/;

const prepositions = new Set('to from with across between on in into for onto as via'.split(' '));

/** Features in the language of users and makers of software. */
export function features(scanned: Scanned, talk: Talk): Span[] {
  if (!talk.product || !scanned.english) return [];
  const spans: Span[] = [];
  for (const sentence of scanned.sentences) {
    for (let i = sentence.from; i < sentence.to; i += 1) {
      const found = headed(scanned, sentence, i) ?? part(scanned, sentence, i);
      const done = talk.feedback ? action(scanned, sentence, i) : null;
      if (found) spans.push(found);
      if (done) spans.push(done);
    }
  }
  return spans;
}

/** "the dark mode feature", "the Export button" */
function headed({ tokens }: Scanned, sentence: Sentence, at: number): Span | null {
  const token = tokens[at]!;
  const dropped = heads.has(token.lower);
  if (!dropped && !namedHeads.has(token.lower)) return null;
  const from = nounsBefore(tokens, sentence, at, 3);
  if (from === at) return null;
  const before = tokens[from - 1];
  const definite =
    before !== undefined &&
    before.end < tokens[from]!.start &&
    /^(?:the|your|our|their|this|a|an|new)$/.test(before.lower) &&
    from > sentence.from;
  if (dropped && (!definite || (at - from === 1 && quality.test(tokens[from]!.lower)))) return null;
  return span(tokens, from, dropped ? at : at + 1, definite, definite ? 0.85 : 0.65);
}

/** "push notifications", "home timeline" */
function part({ tokens }: Scanned, sentence: Sentence, at: number): Span | null {
  const token = tokens[at]!;
  if (
    !parts.has(token.lower) ||
    (tokens[at + 1]?.tight === true && at + 1 < sentence.to && (parts.has(tokens[at + 1]!.lower) || heads.has(tokens[at + 1]!.lower)))
  )
    return null;
  const from = nounsBefore(tokens, sentence, at, 2);
  if (from === at && looseParts.has(token.lower)) return null;
  return span(tokens, from, at + 1, false, from < at ? 0.65 : 0.5);
}

/** "upload photos", "sync across all my devices" */
function action({ tokens }: Scanned, sentence: Sentence, at: number): Span | null {
  const token = tokens[at]!;
  const base = baseOf(token.lower);
  const strong = actions.has(base);
  if (!strong && !looseActions.has(base)) return null;
  // A request to the makers is not a use of the software.
  if (at > sentence.from && tokens[at - 1]!.lower === 'please') return null;
  let i = at + 1;
  if (/^(?:in|out|up|off|down)$/.test(tokens[i]?.lower ?? '') && tight(tokens, sentence, i)) i += 1;
  const object = phrase(tokens, sentence, i);
  let end = object ?? i;
  if (object !== null || strong) {
    const further = prepositions.has(tokens[end]?.lower ?? '') && tight(tokens, sentence, end) ? phrase(tokens, sentence, end + 1) : null;
    if (further !== null) end = further;
  }
  if (end === at + 1) return alone.has(token.lower) ? span(tokens, at, end, false, 0.45) : null;
  if (!strong && (object === null || !parts.has(tokens[object - 1]!.lower))) return null;
  return span(tokens, at, end, false, strong ? 0.55 : 0.5);
}

function span(tokens: readonly Token[], from: number, to: number, certain: boolean, confidence: number): Span {
  return { start: tokens[from]!.start, end: tokens[to - 1]!.end, type: 'feature', certain, confidence, origin: 'rules' };
}

const bases = new Map<string, string>();
for (const verb of [...actions, ...looseActions]) {
  const stem = verb.replace(/e$/, '');
  const doubled = /[^aeiou][aeiou][bgmnprt]$/.test(verb) ? verb + verb.at(-1)! : stem;
  for (const form of [
    verb,
    `${verb}s`,
    `${verb}es`,
    `${stem}ed`,
    `${stem}ing`,
    `${doubled}ed`,
    `${doubled}ing`,
    verb.replace(/y$/, 'ies'),
    verb.replace(/y$/, 'ied'),
  ])
    bases.set(form, verb);
}
for (const [form, verb] of [
  ['sent', 'send'],
  ['wrote', 'write'],
  ['written', 'write'],
  ['took', 'take'],
  ['taken', 'take'],
  ['made', 'make'],
  ['kept', 'keep'],
  ['found', 'find'],
  ['drew', 'draw'],
] as const)
  bases.set(form, verb);

const baseOf = (word: string): string => bases.get(word) ?? word;
