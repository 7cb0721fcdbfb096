import type { Caller } from '../../contracts/caller.ts';
import type { Envelope } from '../../contracts/envelope.ts';
import { spelled, type NameStyle } from '../../contracts/tool-names.ts';
import { isInProfile, type Catalogue, type Resolved } from './catalogue.ts';
import { systems } from './define.ts';

/** The client that receives an answer: how it spells tool names, and which tools its list contains. */
export interface Audience {
  style: NameStyle;
  profile: string;
}

interface To {
  catalogue: Catalogue;
  caller: Caller;
  audience: Audience;
}

const proxy = 'system.tool.call';

/** How this client can call those of the tools that are not in its list; undefined when all of them are. */
export function wayTo(entries: readonly Resolved[], { catalogue, caller, audience: { style, profile } }: To): string | undefined {
  const missing = entries.filter((entry) => !catalogue.isListed(caller, profile, entry));
  if (missing.length === 0) return undefined;
  const through = catalogue.find(proxy);
  if (through && catalogue.isListed(caller, profile, through)) {
    return `Call tools that are not in your list through ${spelled(proxy, style)}: {"name": …, "arguments": {…}}.`;
  }
  const names = missing.map(({ name }) => spelled(name, style)).join(', ');
  return `Not in the list of the profile "${profile}": ${names}. The profile "core" (/mcp/p/core) calls every tool.`;
}

/**
 * Adapts an answer's advice to the client: tool names in its spelling, or its own system's names, and how to call tools
 * that are not in its list. The rest of the answer is unchanged.
 * @param called the tool that answers; the client knows how to call it
 */
export function toldTo(envelope: Envelope, to: To, called?: Resolved): Envelope {
  const { error, warnings } = envelope;
  if (!error && warnings.length === 0) return envelope;
  const { catalogue, audience } = to;
  const named = new Set<Resolved>();
  const say = (text: string, advice = true): string =>
    catalogue.spelledText(text, audience.style, (entry) => {
      const own = asInProfile(entry, audience.profile);
      if (advice && own.tool !== called?.tool) named.add(own);
      return own.name;
    });
  const told = {
    warnings: warnings.map((text) => say(text)),
    ...(error
      ? {
          error: {
            ...error,
            message: say(error.message, false),
            ...(error.suggestion === undefined ? {} : { suggestion: say(error.suggestion) }),
            ...(error.alternatives ? { alternatives: error.alternatives.map((text) => say(text)) } : {}),
          },
        }
      : {}),
  };
  const way = wayTo([...named], to);
  if (way === undefined) return { ...envelope, ...told };
  if (!told.error) return { ...envelope, ...told, warnings: [...told.warnings, way] };
  return { ...envelope, ...told, error: { ...told.error, suggestion: [told.error.suggestion, way].filter(Boolean).join(' ') } };
}

/** General advice for a client. Leaves out lines about tools that the client cannot call; ignores its key's rights. */
export function adviceTo(lines: readonly string[], catalogue: Catalogue, { style, profile }: Audience): string[] {
  const has = (entry: Resolved): boolean => isInProfile(profile, entry);
  const through = catalogue.find(proxy);
  const any = through !== undefined && has(through);
  return lines.flatMap((line) => {
    let able = true;
    const text = catalogue.spelledText(line, style, (entry) => {
      const own = asInProfile(entry, profile);
      able &&= has(own) || (any && entry.name !== proxy);
      return own.name;
    });
    return able ? [text] : [];
  });
}

/** A tool by the name that the profile's system uses for it. */
function asInProfile(entry: Resolved, profile: string): Resolved {
  if (!(systems as readonly string[]).includes(profile)) return entry;
  const alias = entry.tool.aliases.find((each) => each.system === profile && !each.unlisted && !each.deprecated);
  return alias ? { tool: entry.tool, alias, name: alias.name } : entry;
}
