/**
 * Objects that the answers of several tools share, such as a task: the clients have one named type for each. The name is
 * that of the schema in contracts/.
 */
import { globSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import type { Schema } from '../contracts/json-schema.ts';
import type { Catalogue } from '../tools/catalogue/catalogue.ts';
import { resolveRef } from '../tools/catalogue/examples.ts';

export interface Described {
  name: string;
  description: string;
  input: Schema;
  output: Schema;
}

/** Names of the objects that stand in several answers. */
export class Shapes {
  /** In the order in which they can be declared: what an object contains comes before it. */
  readonly all: { name: string; schema: Schema; root: Schema }[] = [];
  private readonly names = new Map<string, string>();

  private constructor() {}

  static async of(catalogue: Catalogue, described: Described[]): Promise<Shapes> {
    const known = await contractNames(catalogue);
    const seen = new Map<string, { schema: Schema; root: Schema; times: number }>();
    for (const { output } of described) {
      walk(output, output, (schema) => {
        const text = textOf(schema);
        const met = seen.get(text);
        if (met) met.times += 1;
        else seen.set(text, { schema, root: output, times: 1 });
      });
    }
    const shapes = new Shapes();
    for (const [text, { schema, root, times }] of seen) {
      const name = known.get(text);
      if (name === undefined || times === 1) continue;
      shapes.names.set(text, name);
      shapes.all.push({ name, schema, root });
    }
    return shapes;
  }

  nameOf(schema: Schema): string | undefined {
    return this.names.get(textOf(schema));
  }
}

/** The text of each object in the contracts, to the name of its type. One name for two objects gets the context in front. */
async function contractNames(catalogue: Catalogue): Promise<Map<string, string>> {
  const folder = resolve(import.meta.dirname, '../contracts');
  const objects = new Map<string, { name: string; context: string }[]>();
  for (const file of globSync('**/*.ts', { cwd: folder }).toSorted()) {
    if (file.endsWith('.test.ts')) continue;
    const exports = (await import(pathToFileURL(join(folder, file)).href)) as Record<string, unknown>;
    const [context = ''] = relative(folder, resolve(folder, file)).split(/[/\\.]/);
    for (const [name, value] of Object.entries(exports)) {
      if (!(value instanceof z.ZodObject)) continue;
      const schema = catalogue.jsonSchema(value) as Schema;
      // It contains itself: the clients write such an object out.
      if (schema.$defs) continue;
      const text = textOf(schema);
      objects.set(text, [...(objects.get(text) ?? []), { name: capital(name), context: capital(context) }]);
    }
  }
  const chosen = [...objects].map(([text, names]) => ({ text, ...names.toSorted((a, b) => a.name.length - b.name.length)[0]! }));
  const owners = Map.groupBy(chosen, ({ name }) => name);
  return new Map(chosen.map(({ text, name, context }) => [text, owners.get(name)!.length === 1 ? name : `${context}${name}`]));
}

const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/** Calls back with each object that has fields, inner ones first. */
function walk(given: Schema, root: Schema, met: (schema: Schema) => void): void {
  const schema = resolveRef(given, root);
  const { properties = {}, anyOf = [], oneOf = [], allOf = [], items, additionalProperties: values } = schema;
  for (const inner of [...Object.values(properties), ...anyOf, ...oneOf, ...allOf]) walk(inner, root, met);
  if (items) walk(items, root, met);
  if (typeof values === 'object') walk(values, root, met);
  if (schema.properties) met(schema);
}

/** Equal for objects with equal fields; what one place says about the object as a whole does not count. */
function textOf(schema: Schema): string {
  const { description: _, ...own } = schema;
  return JSON.stringify(own);
}

/** Of a choice, those that are not null. */
export const nonNull = (schema: Schema): Schema[] => (schema.anyOf ?? schema.oneOf ?? []).filter(({ type }) => type !== 'null');
export const typesOf = ({ type }: Schema): string[] => (type === undefined ? [] : [type].flat());
/** A description on one line. */
export const sentence = (text: string): string => text.replaceAll(/\s*\n\s*/g, ' ').trim();
