import { z } from 'zod';
import { distance } from 'fastest-levenshtein';
import { readOnlyRoles, type Caller, type Front } from '../../contracts/caller.ts';
import { AppError } from '../../contracts/errors.ts';
import { nameStyles, spelled, type NameStyle } from '../../contracts/tool-names.ts';
import { systems, type Alias, type AnyTool } from './define.ts';
import { brief, envelopeOver, foreignOutput, mapText, slim } from './listed-schema.ts';
import { barrier, refusal } from './policy.ts';

/** A tool under one of its names. */
export interface Resolved {
  tool: AnyTool;
  /** Absent for the canonical name. */
  alias?: Alias;
  /** The canonical name or the alias, with dots. */
  name: string;
}

export interface Listed {
  name: string;
  title: string;
  description: string;
  inputSchema: Record<string, unknown>;
  outputSchema?: Record<string, unknown>;
  annotations: { title?: string; readOnlyHint: boolean; destructiveHint: boolean; idempotentHint: boolean; openWorldHint: boolean };
  _meta?: Record<string, unknown>;
}

export const profiles = ['core', 'worker', ...systems, 'unified', 'all'] as const;

export interface Listing {
  style?: NameStyle;
  /** Include output schemas. */
  outputs?: boolean;
}

/** All tools by every spelling: resolves names and decides what a caller may see. */
export class Catalogue {
  readonly tools: readonly AnyTool[];
  private readonly byName = new Map<string, Resolved>();
  private readonly schemas = new Map<z.ZodType, Record<string, unknown>>();
  /** Listed schemas by spelling. */
  private readonly listedSchemas = new Map<z.ZodType, Map<string, Record<string, unknown>>>();

  constructor(tools: readonly AnyTool[]) {
    this.tools = tools;
    for (const tool of tools) this.add(tool.name, { tool, name: tool.name });
    for (const tool of tools) {
      // An alias may equal its tool's canonical name (intelli-platform has some): the call then follows that system's contract.
      for (const alias of tool.aliases) {
        if (alias.name === tool.name) continue;
        this.add(alias.name, { tool, alias, name: alias.name });
      }
    }
  }

  private add(name: string, resolved: Resolved): void {
    for (const spelling of new Set(nameStyles.map((style) => spelled(name, style)))) {
      const other = this.byName.get(spelling);
      if (other) throw new Error(`Two tools are called "${spelling}": ${other.tool.name} and ${resolved.tool.name}`);
      this.byName.set(spelling, resolved);
    }
  }

  find(name: string): Resolved | undefined {
    return this.byName.get(name) ?? this.byName.get(name.replace(/^graphiti_/, ''));
  }

  /** Ignores the caller's rights. @throws AppError NOT_FOUND */
  named(name: string): Resolved {
    const found = this.find(name);
    if (found) return found;
    throw new AppError('NOT_FOUND', `Unknown tool "${name.slice(0, 128)}".`, { hint: 'system.tool.search finds tools by what they do.' });
  }

  /** @throws AppError NOT_FOUND with the closest names this caller may use. */
  resolve(name: string, caller: Caller, front?: Front): Resolved {
    const found = this.find(name);
    const barred = found && barrier(found.tool, caller, front);
    if (barred) throw refusal(barred, found.tool.name);
    if (found) return found;
    const alternatives = this.closest(name, caller, front);
    throw new AppError('NOT_FOUND', `Unknown tool "${name.slice(0, 128)}".`, {
      hint: alternatives[0]
        ? `Did you mean "${alternatives[0]}"? system.tool.search finds tools by what they do.`
        : 'system.tool.search finds tools by what they do.',
      alternatives,
    });
  }

  private closest(name: string, caller: Caller, front?: Front): string[] {
    const wanted = name.slice(0, 128).toLowerCase().replaceAll('-', '.');
    const words = new Set(wanted.split(/[._]/).filter(Boolean));
    return [...new Set(this.byName.values())]
      .filter((entry) => this.allows(caller, entry.tool, front))
      .map((entry) => {
        const own = entry.name.split(/[._]/);
        const shared = own.filter((word) => words.has(word)).length / Math.max(words.size, own.length);
        const near = 1 - distance(wanted, entry.name) / Math.max(wanted.length, entry.name.length);
        return { name: entry.name, score: Math.max(near, shared) };
      })
      .filter((entry) => entry.score >= 0.45)
      .sort((a, b) => b.score - a.score || a.name.localeCompare(b.name))
      .map((entry) => entry.name)
      .filter((candidate, i, all) => all.indexOf(candidate) === i)
      .slice(0, 5);
  }

  /** Every deprecated name and its replacement. */
  deprecated(): { name: string; tool: string; replacement: string; removed_in: string | null; since: string | null }[] {
    return this.tools.flatMap((tool) =>
      tool.aliases.flatMap(({ name, deprecated }) =>
        deprecated
          ? [
              {
                name,
                tool: tool.name,
                replacement: deprecated.replacement,
                removed_in: deprecated.removedIn ?? null,
                since: deprecated.since ?? null,
              },
            ]
          : [],
      ),
    );
  }

  /** Whether this caller may use this tool: the single rule for listing, searching and calling. */
  allows(caller: Caller, tool: AnyTool, front?: Front): boolean {
    return barrier(tool, caller, front) === null;
  }

  /** The tools that a client sees under a profile. @throws AppError VALIDATION_ERROR for an unknown profile. */
  list(caller: Caller, profile: string, listing: Listing = {}): Listed[] {
    const entries = this.names(caller, profile);
    const listed = new Set(entries.map(({ name }) => name));
    // Tools that the session has added are listed after the profile's.
    const mounted = (caller.access?.session?.tools ?? [])
      .map((name) => this.find(name))
      .filter((entry) => entry !== undefined && !listed.has(entry.name) && this.allows(caller, entry.tool)) as Resolved[];
    const reader = readOnlyRoles.has(caller.role);
    const hint = this.spelledText('More arguments: system.tool.describe.', listing.style ?? 'dotted');
    return [...entries, ...mounted].map((entry) => {
      const described = this.describe(entry, listing);
      // The list that every client has in its context by default.
      const listed = profile === 'core' && entry.tool.core ? brief(described, entry.tool.core, hint) : described;
      // A read-only caller can only read through the proxy tool.
      return entry.tool.standsIn && reader
        ? { ...listed, annotations: { ...listed.annotations, readOnlyHint: true, destructiveHint: false } }
        : listed;
    });
  }

  private names(caller: Caller, profile: string): Resolved[] {
    if (!(profiles as readonly string[]).includes(profile)) throw unknownProfile(profile);
    const visible = this.tools.filter((tool) => this.allows(caller, tool));
    const canonical = visible.map((tool): Resolved => ({ tool, name: tool.name }));
    const aliases = visible.flatMap((tool) => tool.aliases.map((alias): Resolved => ({ tool, alias, name: alias.name })));
    const both = (systems as readonly string[]).includes(profile) ? aliases : [...canonical, ...aliases];
    return both.filter((entry) => isInProfile(profile, entry));
  }

  /** Whether a client of this profile sees the tool by this name. */
  isListed(caller: Caller, profile: string, entry: Resolved): boolean {
    if (!this.allows(caller, entry.tool)) return false;
    return isInProfile(profile, entry) || (caller.access?.session?.tools ?? []).some((name) => this.find(name)?.name === entry.name);
  }

  describe({ tool, alias, name }: Resolved, { style = 'dotted', outputs = false }: Listing = {}): Listed {
    const title = tool.title;
    const notice = alias?.deprecated
      ? ` Deprecated: use ${alias.deprecated.replacement}${alias.deprecated.removedIn === undefined ? '' : `; to be removed in ${alias.deprecated.removedIn}`}.`
      : '';
    return {
      name: this.nameFor({ tool, name }, style),
      title,
      description: tool.foreign ? tool.description : this.spelledText((alias?.description ?? tool.description) + notice, style),
      inputSchema: tool.foreign?.input ?? this.listedSchema(alias?.input ?? (tool.input as z.ZodType), style, alias === undefined),
      ...(outputs && !alias ? { outputSchema: this.answerSchema(tool, style) } : {}),
      annotations: {
        title,
        readOnlyHint: tool.effect === 'read',
        destructiveHint: tool.effect === 'destructive',
        idempotentHint: tool.idempotent,
        openWorldHint: tool.external,
      },
      ...(alias && alias.name !== tool.name ? { _meta: { alias_of: tool.name } } : {}),
    };
  }

  /** The name in a client's spelling. Names of other servers' tools may contain underscores, so their dots become hyphens instead. */
  nameFor({ tool, name }: Resolved, style: NameStyle = 'dotted'): string {
    return spelled(tool.listedAs ?? name, tool.foreign && style === 'underscore' ? 'hyphen' : style);
  }

  /** Replaces our tools' names in a text by the client's spelling. */
  spelledText(text: string, style: NameStyle, named?: (entry: Resolved) => string | undefined): string {
    if (style === 'dotted' && !named) return text;
    return text.replace(dottedName, (match) => {
      const entry = this.byName.get(match);
      if (entry?.name === match) return spelled(named?.(entry) ?? match, style);
      return /^external\.\w+\.\w+$/.test(match) ? spelled(match, style === 'underscore' ? 'hyphen' : style) : match;
    });
  }

  /** @param closed refuse unknown fields */
  private listedSchema(schema: z.ZodType, style: NameStyle, closed: boolean): Record<string, unknown> {
    let kept = this.listedSchemas.get(schema);
    if (!kept) this.listedSchemas.set(schema, (kept = new Map()));
    const key = `${style} ${closed}`;
    let json = kept.get(key);
    if (!json) {
      json = mapText(this.jsonSchema(schema), (text) => this.spelledText(text, style)) as Record<string, unknown>;
      if (closed && json.type === 'object' && !('additionalProperties' in json)) json = { ...json, additionalProperties: false };
      kept.set(key, json);
    }
    return json;
  }

  /** The schema of this tool's envelope, which also covers errors and pending approvals. */
  private answerSchema(tool: AnyTool, style: NameStyle): Record<string, unknown> {
    return envelopeOver(tool.foreign ? foreignOutput(tool.foreign.output) : this.listedSchema(tool.output as z.ZodType, style, false));
  }

  /** JSON Schema of arguments or answers, without parts that cost tokens but do not help a model. */
  jsonSchema(schema: z.ZodType): Record<string, unknown> {
    let json = this.schemas.get(schema);
    if (!json) {
      json = slim(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })) as Record<string, unknown>;
      delete json.$schema;
      this.schemas.set(schema, json);
    }
    return json;
  }
}

/** Matches text that may be a tool's name. */
const dottedName = /\b[a-z][a-z0-9]*(?:\.[a-z][a-z0-9_]*)+/g;

export function isInProfile(profile: string, { tool, alias, name }: Resolved): boolean {
  if (alias?.unlisted) return false;
  if (profile === 'core') return !alias && tool.core !== undefined;
  if (profile === 'worker') return !alias && tool.worker === true;
  if (profile === 'unified') return !alias;
  return profile === 'all' ? !alias || name !== tool.name : alias?.system === profile;
}

const unknownProfile = (profile: string): AppError =>
  new AppError('VALIDATION_ERROR', `Unknown profile "${profile}".`, {
    hint: `Profiles: ${profiles.join(', ')}.`,
    alternatives: [...profiles],
  });
