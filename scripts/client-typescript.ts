/** Types of all tools for the TypeScript client. */
import { errorCodes } from '../contracts/errors.ts';
import type { Schema } from '../contracts/json-schema.ts';
import { resolveRef } from '../tools/catalogue/examples.ts';
import { sentence, typesOf, type Described, type Shapes } from './client-shapes.ts';

export function typescriptTypes(described: Described[], shapes: Shapes): string {
  return [
    '// Written by `npm run gen`. Do not edit.',
    '',
    `export type ErrorCode = ${errorCodes.map((code) => `'${code}'`).join(' | ')};`,
    '',
    ...shapes.all.flatMap(({ name, schema, root }) => [
      ...comment(schema.description, ''),
      `export interface ${name} ${new Types(root, shapes).object(schema, '')}`,
      '',
    ]),
    'export interface Tools {',
    ...described.flatMap(({ name, description, input, output }) => [
      ...comment(description, '  '),
      `  '${name}': {`,
      `    input: ${new Types(input).of(input, '    ')};`,
      `    output: ${new Types(output, shapes).of(output, '    ')};`,
      '  };',
    ]),
    '}',
  ].join('\n');
}

const comment = (text: string | undefined, indent: string): string[] =>
  text === undefined ? [] : [`${indent}/** ${sentence(text).replaceAll('*/', '*\\/')} */`];

class Types {
  private readonly root: Schema;
  private readonly shapes: Shapes | undefined;

  /** @param shapes what objects are called; without them each object is written out */
  constructor(root: Schema, shapes?: Shapes) {
    this.root = root;
    this.shapes = shapes;
  }

  of(given: Schema, indent: string): string {
    const schema = resolveRef(given, this.root);
    const name = schema.properties && this.shapes?.nameOf(schema);
    if (name !== undefined) return name;
    if (schema.const !== undefined) return JSON.stringify(schema.const);
    if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
    const choices = schema.anyOf ?? schema.oneOf;
    if (choices) {
      const each = [...new Set(choices.map((choice) => this.of(choice, indent)))];
      return each.includes('unknown') ? 'unknown' : each.join(' | ');
    }
    if (schema.allOf) return schema.allOf.map((part) => this.of(part, indent)).join(' & ');
    const types = typesOf(schema);
    if (types.length === 0) return schema.properties ? this.object(schema, indent) : 'unknown';
    return types.map((type) => this.plain(type, schema, indent)).join(' | ');
  }

  object(schema: Schema, indent: string): string {
    const fields = Object.entries(schema.properties ?? {});
    const others = schema.additionalProperties;
    if (fields.length === 0) {
      if (others === undefined || others === false) return 'Record<never, never>';
      return `Record<string, ${typeof others === 'object' ? this.of(others, indent) : 'unknown'}>`;
    }
    const inner = `${indent}  `;
    const lines = fields.flatMap(([name, field]) => {
      const optional = schema.required?.includes(name) === true && field.default === undefined ? '' : '?';
      const key = /^[a-z_$][\w$]*$/i.test(name) ? name : JSON.stringify(name);
      return [...comment(field.description, inner), `${inner}${key}${optional}: ${this.of(field, inner)};`];
    });
    return ['{', ...lines, `${indent}}`].join('\n');
  }

  private plain(type: string, schema: Schema, indent: string): string {
    if (type === 'array') return `Array<${this.of(schema.items ?? {}, indent)}>`;
    if (type === 'object') return this.object(schema, indent);
    return type === 'integer' ? 'number' : type;
  }
}
