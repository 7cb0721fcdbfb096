import type { Caller } from '../../contracts/caller.ts';
import type { Envelope } from '../../contracts/envelope.ts';
import { spelled, type NameStyle } from '../../contracts/tool-names.ts';
import { isInProfile, type Catalogue, type Resolved } from './catalogue.ts';
import { systems } from './define.ts';

/** The client that an answer is for: how it takes names of tools, and which it has in its list. */
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

/** How tools that are not in this client's list are called; undefined when all of these are. */
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
 * An answer's advice as this client can follow it: names in its spelling, or as its own system's names, and how to call what its
 * list lacks. What the answer tells besides stays as it is.
 * @param called the tool that answers, of which the client knows how to call it
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

/** What a client is told once, each line only where it can do what the line says; whatever its key may. */
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

/** A tool under the name that the system of a profile has for it. */
function asInProfile(entry: Resolved, profile: string): Resolved {
  if (!(systems as readonly string[]).includes(profile)) return entry;
  const alias = entry.tool.aliases.find((each) => each.system === profile && !each.unlisted && !each.deprecated);
  return alias ? { tool: entry.tool, alias, name: alias.name } : entry;
}
