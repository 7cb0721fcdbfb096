import type { Draft } from './router-needs.ts';
import { quoted } from './router-reading.ts';
import { named, nameIn, pairIn, takeReason, urlsIn } from './router-words.ts';

/** Names stand in `entity_name(s)`; perform.ts asks which entities they mean. */
export function propose(text: string): Omit<Draft, 'skill'> {
  const { text: left, reason } = takeReason(text);
  const why = reason === undefined ? {} : { reason };
  const system = /\b(jira|linear|github|gitlab|zendesk|salesforce|hubspot|asana|intercom|azure|trello)\b/i.exec(left)?.[1]?.toLowerCase();
  const link = /^(?:link|connect|attach|tie)\b\s*(.+?)\s+(?:to|with)\s+(.+)$/i.exec(left);
  if (link && (system !== undefined || /\b[A-Z][A-Z0-9]+-\d+\b/.test(link[2]!))) {
    const id = quoted(link[2]!)[0] ?? /\b[A-Z][A-Z0-9]+-\d+\b|#?\b\d+\b/.exec(link[2]!)?.[0];
    const [url] = urlsIn(link[2]!);
    return {
      tool: 'entity.link.create',
      arguments: {
        ...named(nameIn(link[1]!)),
        ...(system === undefined ? {} : { external_system: system }),
        ...(id === undefined ? {} : { external_id: id }),
        ...(url === undefined ? {} : { url }),
      },
    };
  }
  const status = /^(?:mark|set|change|update|move)\b\s*(?:the )?(?:status of\s+)?(.+?)\s+(?:as|to)\s+"?([\p{L}_ -]{2,40}?)"?\s*$/iu.exec(
    left.replace(/[.!]+$/, ''),
  );
  const ends = /^(close|reopen|resolve)\b\s*(.+)$/i.exec(left);
  if (ends) {
    const name = quoted(left)[0] ?? nameIn(ends[2]!);
    const status = { close: 'closed', reopen: 'open', resolve: 'resolved' }[ends[1]!.toLowerCase()];
    return { tool: 'entity.status.set', arguments: { ...named(name), status } };
  }
  const now = /^(?:the |our )?(.+?) (?:is|was|has been) (?:now )?(fixed|resolved|closed|shipped|released|done)\b/i.exec(left);
  if (now && quoted(left).length === 1)
    return { tool: 'entity.status.set', arguments: { ...named(quoted(left)[0]), status: now[2]!.toLowerCase() } };
  if (status && !/\balias\b/i.test(left)) {
    return {
      tool: 'entity.status.set',
      arguments: {
        ...named(nameIn(status[1]!.replace(/\s+status$/i, ''))),
        status: status[2]!
          .trim()
          .toLowerCase()
          .replaceAll(/[\s-]+/g, '_'),
      },
    };
  }
  const tool = 'entity.proposal.submit';
  const split = /^(?:split|separate|unmerge|divide)\b\s*/i.exec(left);
  if (split) {
    const pair = pairIn(left.slice(split[0].length), /\s+(?:into|from|off|and|out of)\s+/i);
    const only = nameIn(left.slice(split[0].length));
    return {
      tool,
      arguments: {
        kind: 'split',
        ...(pair ? { entity_names: [pair[0]], name: pair[1] } : only === undefined ? {} : { entity_names: [only] }),
        ...why,
      },
    };
  }
  const alias = /^add (?:the |an )?alias\s+(.+?)\s+(?:to|for)\s+(.+)$/i.exec(left);
  const known = /\s+(?:is |are )?(?:also known as|a\.?k\.?a\.?|goes by)\s+/i;
  const of = /\s+is (?:an alias (?:of|for)|another name (?:of|for))\s+/i;
  const aliased = alias
    ? ([nameIn(alias[2]!), nameIn(alias[1]!)] as const)
    : known.test(left)
      ? pairIn(left, known)
      : of.test(left)
        ? pairIn(left, of)?.toReversed()
        : undefined;
  if (aliased) {
    const [entity, name] = aliased;
    return {
      tool,
      arguments: {
        kind: 'alias',
        ...(entity === undefined ? {} : { entity_names: [entity] }),
        ...(name === undefined ? {} : { name }),
        ...why,
      },
    };
  }
  const merges =
    /^(?:propose (?:to |that )?|we should )?(?:merge|unify|deduplicate|consolidate|combine|merging)\b|\b(?:the same|identical|duplicates?|should be merged|one and the same)\b/i.test(
      left,
    );
  const spoken = left.replace(/^(?:propose (?:to |that )?|we should )?(?:merge|unify|deduplicate|consolidate|combine|merging)\b\s*/i, '');
  const same = spoken
    .replace(/^(?:i think|it seems|looks like|are|is)\s+(?=\S)/i, '')
    .replace(
      /\s+(?:are|is) (?:really |actually |probably )?(?:the same|identical|duplicates|one and the same).*$|\s+(?:the same|identical|duplicates)\b.*$|\s+should be merged$/i,
      '',
    );
  const pair = pairIn(
    quoted(spoken).length >= 2 ? spoken : same,
    /\s+(?:should be merged (?:with|into)|and|with|into|&|(?:is |are )?(?:really |probably )?(?:an? |the )?(?:duplicate of|same as))\s+/i,
  );
  return { tool, arguments: { ...(merges ? { kind: 'merge' } : {}), ...(pair ? { entity_names: pair } : {}), ...why } };
}
