import { z } from 'zod';
import { distance } from 'fastest-levenshtein';
import type { Caller, Front } from '../contracts/caller.ts';
import { AppError } from '../contracts/errors.ts';
import { systems, type Alias, type AnyTool } from './define.ts';
import { barrier, refusal } from './policy.ts';

/** A tool under one of its names. */
export interface Resolved {
  tool: AnyTool;
  /** Absent when called by its canonical name. */
  alias?: Alias;
  /** The canonical or alias name, dots as dots. */
  name: string;
}

export interface Listed {
  name: string;
  title: string;
  description: string;
  inputSchema: Record<string, unknown>;
  annotations: { title: string; readOnlyHint: boolean; destructiveHint: boolean; idempotentHint: boolean; openWorldHint: boolean };
  _meta?: Record<string, unknown>;
}

export const profiles = ['core', ...systems, 'unified', 'all'] as const;
export type NameStyle = 'dotted' | 'hyphen';

export const hyphenated = (name: string): string => name.replaceAll('.', '-');

/** All tools by every spelling: what exists, what a caller may see, and what a name means. */
export class Catalogue {
  readonly tools: readonly AnyTool[];
  private readonly byName = new Map<string, Resolved>();
  private readonly schemas = new Map<z.ZodType, Record<string, unknown>>();

  constructor(tools: readonly AnyTool[]) {
    this.tools = tools;
    for (const tool of tools) this.add(tool.name, { tool, name: tool.name });
    for (const tool of tools) {
      // An alias may repeat its own tool's canonical name (S3 has such): it then gives it that system's contract.
      for (const alias of tool.aliases) {
        if (alias.name === tool.name) continue;
        this.add(alias.name, { tool, alias, name: alias.name });
      }
    }
  }

  private add(name: string, resolved: Resolved): void {
    for (const spelling of new Set([name, hyphenated(name)])) {
      const other = this.byName.get(spelling);
      if (other) throw new Error(`Two tools are called "${spelling}": ${other.tool.name} and ${resolved.tool.name}`);
      this.byName.set(spelling, resolved);
    }
  }

  find(name: string): Resolved | undefined {
    return this.byName.get(name) ?? this.byName.get(name.replace(/^graphiti_/, ''));
  }

  /** Whatever the caller may do with it. @throws AppError NOT_FOUND */
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
    return [...this.byName.values()]
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

  /** Every deprecated name, with what replaces it. */
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

  /** Whether this caller may use this tool at all: the one rule behind listing, searching and calling. */
  allows(caller: Caller, tool: AnyTool, front?: Front): boolean {
    return barrier(tool, caller, front) === null;
  }

  /** What a client sees under a profile. @throws AppError VALIDATION_ERROR for an unknown profile. */
  list(caller: Caller, profile: string, style: NameStyle = 'dotted'): Listed[] {
    const entries = this.names(caller, profile);
    const listed = new Set(entries.map(({ name }) => name));
    // What was taken along in the session is listed beside the profile's.
    const mounted = (caller.access?.session?.tools ?? [])
      .map((name) => this.find(name))
      .filter((entry) => entry !== undefined && !listed.has(entry.name) && this.allows(caller, entry.tool)) as Resolved[];
    return [...entries, ...mounted].map((entry) => this.describe(entry, style));
  }

  private names(caller: Caller, profile: string): Resolved[] {
    const visible = this.tools.filter((tool) => this.allows(caller, tool));
    const canonical = visible.map((tool): Resolved => ({ tool, name: tool.name }));
    const aliases = visible.flatMap((tool) =>
      tool.aliases.filter((alias) => !alias.unlisted).map((alias): Resolved => ({ tool, alias, name: alias.name })),
    );
    if (profile === 'core') return canonical.filter((entry) => entry.tool.core);
    if (profile === 'unified') return canonical;
    if (profile === 'all') return [...canonical, ...aliases.filter((entry) => entry.name !== entry.tool.name)];
    if ((systems as readonly string[]).includes(profile)) return aliases.filter((entry) => entry.alias?.system === profile);
    throw new AppError('VALIDATION_ERROR', `Unknown profile "${profile}".`, {
      hint: `Profiles: ${profiles.join(', ')}.`,
      alternatives: [...profiles],
    });
  }

  describe({ tool, alias, name }: Resolved, style: NameStyle = 'dotted'): Listed {
    const title = tool.title;
    const notice = alias?.deprecated
      ? ` Deprecated: use ${alias.deprecated.replacement}${alias.deprecated.removedIn === undefined ? '' : `; to be removed in ${alias.deprecated.removedIn}`}.`
      : '';
    return {
      name: style === 'hyphen' ? hyphenated(name) : name,
      title,
      description: (alias?.description ?? tool.description) + notice,
      inputSchema: tool.foreign?.input ?? this.jsonSchema(alias?.input ?? (tool.input as z.ZodType)),
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

  /** JSON Schema of arguments or answers, without what costs tokens and helps no model. */
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

/** Drops regexes (dates have five lines of them) and the bounds of safe integers. */
function slim(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(slim);
  if (value === null || typeof value !== 'object') return value;
  const out: Record<string, unknown> = {};
  for (const [key, inner] of Object.entries(value)) {
    if (key === 'pattern' && typeof inner === 'string' && inner.length > 60) continue;
    if ((key === 'maximum' || key === 'minimum') && Math.abs(Number(inner)) === Number.MAX_SAFE_INTEGER) continue;
    out[key] = key === 'default' || key === 'enum' ? inner : slim(inner);
  }
  return out;
}
