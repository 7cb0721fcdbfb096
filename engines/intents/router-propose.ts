import { quoted } from './router-reading.ts';
import { given, named, nameIn, pairIn, rx, statusOf, takeReason, urlsIn, type Args } from './router-words.ts';

const link = rx`^{link}\b\s*(?<what>.+?)\s+(to|with)\s+(?<where>.+)$`;
const system = rx`\b{system}\b`;
const ticket = /\b[A-Z][A-Z0-9]+-\d+\b/;
const ends = rx`^(?<how>close|reopen|resolve)\b\s*(?<what>.+)$`;
const endOf: Record<string, string> = { close: 'closed', reopen: 'open', resolve: 'resolved' };
const now = rx`^(the |our )?.+? (is|was|has been) (now )?(?<status>{ended})\b`;
const marked = rx`^(mark|set|change|update|move)\b\s*(the )?(status of\s+)?(?<what>.+?)(\s+status)?\s+(as|to)\s+"?(?<status>[\p{L}_ \-]{2,40}?)"?\s*$`;

const split = rx`^{split}\b\s*`;
const intoTwo = /\s+(?:into|from|off|and|out of)\s+/i;
const alias = rx`^add (the |an )?alias\s+(?<name>.+?)\s+(to|for)\s+(?<what>.+)$`;
const known = /\s+(?:is |are )?(?:also known as|a\.?k\.?a\.?|goes by)\s+/i;
const aliasOf = /\s+is (?:an alias (?:of|for)|another name (?:of|for))\s+/i;

const mergeOrder = rx`^(propose (to |that )?|we should )?{merge}\b\s*`;
const same = rx`\b({same}|should be merged)\b`;
const areSame = rx`\s+(are|is) {really}{same}.*$|\s+(the same|identical|duplicates)\b.*$|\s+should be merged$`;
const intoOne = rx`\s+(should be merged (with|into)|and|with|into|&|(is |are )?(really |probably )?(an? |the )?(duplicate of|same as))\s+`;

/** Names are in `entity_name(s)`; perform.ts resolves them to entities. */
export function propose(text: string): { tool: string; arguments: Args } {
  const { text: left, reason } = takeReason(text);
  const target = link.exec(left)?.groups;
  if (target && (system.test(left) || ticket.test(target['where']!))) {
    const where = target['where']!;
    const external_id = quoted(where)[0] ?? (ticket.exec(where) ?? /#?\b\d+\b/.exec(where))?.[0];
    const external_system = system.exec(left)?.[0].toLowerCase();
    return {
      tool: 'entity.link.create',
      arguments: given({ ...named(nameIn(target['what']!)), external_system, external_id, url: urlsIn(where)[0] }),
    };
  }
  return statusIn(left) ?? { tool: 'entity.proposal.submit', arguments: given({ ...proposal(left), reason }) };
}

function statusIn(text: string): { tool: string; arguments: Args } | undefined {
  const as = (name: string | undefined, status: string) => ({ tool: 'entity.status.set', arguments: given({ ...named(name), status }) });
  const [inQuotes, ...more] = quoted(text);
  const ended = ends.exec(text)?.groups;
  if (ended) return as(inQuotes ?? nameIn(ended['what']!), endOf[ended['how']!.toLowerCase()]!);
  const stands = now.exec(text)?.groups;
  if (stands && inQuotes !== undefined && more.length === 0) return as(inQuotes, stands['status']!.toLowerCase());
  const set = marked.exec(text.replace(/[.!]+$/, ''))?.groups;
  return set && !/\balias\b/i.test(text) ? as(nameIn(set['what']!), statusOf(set['status']!)) : undefined;
}

/** A split, an alias, or a merge. */
function proposal(text: string): Args {
  if (split.test(text)) {
    const whole = text.replace(split, '');
    const [entity = nameIn(whole), name] = pairIn(whole, intoTwo) ?? [];
    return { kind: 'split', entity_names: entity && [entity], name };
  }
  const added = alias.exec(text)?.groups;
  const aliased = added
    ? [nameIn(added['what']!), nameIn(added['name']!)]
    : known.test(text)
      ? (pairIn(text, known) ?? [])
      : aliasOf.test(text)
        ? pairIn(text, aliasOf)?.toReversed()
        : undefined;
  if (aliased) return { kind: 'alias', entity_names: aliased[0] && [aliased[0]], name: aliased[1] };
  const spoken = text.replace(mergeOrder, '');
  const two =
    quoted(spoken).length >= 2 ? spoken : spoken.replace(/^(?:i think|it seems|looks like|are|is)\s+(?=\S)/i, '').replace(areSame, '');
  return { kind: mergeOrder.test(text) || same.test(text) ? 'merge' : undefined, entity_names: pairIn(two, intoOne) };
}
