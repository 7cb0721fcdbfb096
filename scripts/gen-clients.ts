/**
 * Types of all tools for the clients, from the tools' schemas: clients/typescript/src/tools.ts, and one module per domain
 * in clients/python/src/signalbox_client/tools/. Written by `npm run gen`.
 */
import { envelopeError, ref } from '../contracts/envelope.ts';
import { errorCodes } from '../contracts/errors.ts';
import type { Schema } from '../contracts/json-schema.ts';
import { z } from 'zod';
import type { Catalogue } from '../tools/catalogue/catalogue.ts';
import type { AnyTool } from '../tools/catalogue/define.ts';
import { resolveRef } from '../tools/catalogue/examples.ts';

const typescriptFile = 'clients/typescript/src/tools.ts';
export const pythonFolder = 'clients/python/src/signalbox_client/tools';

interface Described {
  tool: AnyTool;
  input: Schema;
  output: Schema;
}

/** Path to text, without the last line break. */
export function clientFiles(catalogue: Catalogue): Map<string, string> {
  const described = catalogue.tools
    .map((tool) => ({
      tool,
      input: catalogue.jsonSchema(tool.input as z.ZodType) as Schema,
      output: catalogue.jsonSchema(tool.output as z.ZodType) as Schema,
    }))
    .toSorted((a, b) => (a.tool.name < b.tool.name ? -1 : 1));
  const domains = Map.groupBy(described, ({ tool }) => tool.name.split('.')[0] ?? '');
  return new Map([
    [typescriptFile, typescriptTypes(described)],
    [`${pythonFolder}/__init__.py`, '"""Calls and answers of every tool, one module per domain. Written by `npm run gen`."""'],
    [`${pythonFolder}/_codes.py`, pythonCodes()],
    ...[...domains].map(([domain, ofDomain]): [string, string] => [`${pythonFolder}/${domain}.py`, pythonModule(domain, ofDomain)]),
  ]);
}

const nonNull = (schema: Schema): Schema[] => (schema.anyOf ?? schema.oneOf ?? []).filter(({ type }) => type !== 'null');
const typesOf = ({ type }: Schema): string[] => (type === undefined ? [] : [type].flat());
const sentence = (text: string): string => text.replaceAll(/\s*\n\s*/g, ' ').trim();

// TypeScript

function typescriptTypes(described: Described[]): string {
  const refSchema = z.toJSONSchema(ref, { io: 'input' }) as Schema;
  return [
    '// Written by `npm run gen`. Do not edit.',
    '',
    `export type ErrorCode = ${errorCodes.map((code) => `'${code}'`).join(' | ')};`,
    '',
    `/** A platform object that an answer points at. */\nexport type Ref = ${typescriptOf(refSchema, refSchema, '')};`,
    '',
    'export interface Tools {',
    ...described.flatMap(({ tool, input, output }) => [
      ...comment(tool.description, '  '),
      `  '${tool.name}': {`,
      `    input: ${typescriptOf(input, input, '    ')};`,
      `    output: ${typescriptOf(output, output, '    ')};`,
      '  };',
    ]),
    '}',
  ].join('\n');
}

const comment = (text: string | undefined, indent: string): string[] =>
  text === undefined ? [] : [`${indent}/** ${sentence(text).replaceAll('*/', '*\\/')} */`];

function typescriptOf(given: Schema, root: Schema, indent: string): string {
  const schema = resolveRef(given, root);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) {
    const each = [...new Set(choices.map((choice) => typescriptOf(choice, root, indent)))];
    return each.includes('unknown') ? 'unknown' : each.join(' | ');
  }
  if (schema.allOf) return schema.allOf.map((part) => typescriptOf(part, root, indent)).join(' & ');
  const types = typesOf(schema);
  if (types.length === 0) return schema.properties ? typescriptObject(schema, root, indent) : 'unknown';
  return types.map((type) => typescriptType(type, schema, root, indent)).join(' | ');
}

function typescriptType(type: string, schema: Schema, root: Schema, indent: string): string {
  if (type === 'array') return `Array<${typescriptOf(schema.items ?? {}, root, indent)}>`;
  if (type === 'object') return typescriptObject(schema, root, indent);
  return type === 'integer' ? 'number' : type;
}

function typescriptObject(schema: Schema, root: Schema, indent: string): string {
  const fields = Object.entries(schema.properties ?? {});
  const others = schema.additionalProperties;
  if (fields.length === 0) {
    if (others === undefined || others === false) return 'Record<never, never>';
    return `Record<string, ${typeof others === 'object' ? typescriptOf(others, root, indent) : 'unknown'}>`;
  }
  const inner = `${indent}  `;
  const lines = fields.flatMap(([name, field]) => {
    const optional = schema.required?.includes(name) === true && field.default === undefined ? '' : '?';
    const key = /^[a-z_$][\w$]*$/i.test(name) ? name : JSON.stringify(name);
    return [...comment(field.description, inner), `${inner}${key}${optional}: ${typescriptOf(field, root, inner)};`];
  });
  return ['{', ...lines, `${indent}}`].join('\n');
}

// Python

/** Names that a field cannot have: keywords, types that annotations use, and attributes of pydantic's models. */
const taken = new Set(
  (
    'and as assert async await break class continue def del elif else except finally for from global if import in is lambda None nonlocal not or pass raise return try while with yield ' +
    'str int float bool list dict Any Literal Annotated Open Call Answer ' +
    'schema json copy dict construct validate fields parse_obj parse_raw parse_file from_orm update_forward_refs schema_json tool'
  ).split(' '),
);

const pascal = (name: string): string =>
  name
    .split(/[._-]/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');

const docstring = (text: string, indent: string): string =>
  `${indent}"""${sentence(text).replaceAll('\\', '\\\\').replaceAll('"""', "'''").replace(/"$/, '" ')}"""`;

function pythonCodes(): string {
  const schema = z.toJSONSchema(envelopeError, { io: 'input' }) as Schema;
  const codes = (schema.properties?.['code']?.enum ?? []).map((code) => `    ${JSON.stringify(code)},`);
  return ['# Written by `npm run gen`. Do not edit.', 'from typing import Literal', '', 'ErrorCode = Literal[', ...codes, ']'].join('\n');
}

function pythonModule(domain: string, described: Described[]): string {
  const classes = described.flatMap(({ tool, input, output }) => {
    const made: string[] = [];
    const name = pascal(tool.name);
    const python = new PythonTypes(made);
    const answer = python.answer(output, `${name}Answer`);
    python.call(tool, input, name, answer);
    return made;
  });
  const body = classes.join('\n\n\n');
  const names = [...body.matchAll(/^class (\w+)/gm)].map(([, name = '']) => name);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) throw new Error(`Two classes of the domain ${domain} are called ${twice} in Python: rename a field or a tool.`);
  const code = body.replaceAll(/^ *""".*$|"[^"\n]*"/gm, '');
  const used = (names: string[]): string => names.filter((name) => new RegExp(`\\b${name}\\b`).test(code)).join(', ');
  const fromTyping = used(['Annotated', 'Any', 'ClassVar', 'Literal']);
  return [
    '# Written by `npm run gen`. Do not edit.',
    `"""Tools of the domain ${domain}."""`,
    '',
    'from __future__ import annotations',
    '',
    `from typing import ${fromTyping}`,
    ...(used(['Field']) ? ['', 'from pydantic import Field'] : []),
    '',
    `from .._models import ${used(['Answer', 'Call', 'Open', 'Part'])}`,
    '',
    '',
    body,
  ].join('\n');
}

/** Writes the classes of one tool, inner ones first. */
class PythonTypes {
  private readonly made: string[];
  private root: Schema = {};
  /** Whether a newer server may add values: in answers, not in arguments. */
  private open = false;

  constructor(made: string[]) {
    this.made = made;
  }

  call(tool: AnyTool, input: Schema, name: string, answer: string): void {
    this.root = input;
    this.open = false;
    const fields = this.fields(resolveRef(input, input), name);
    const head = [`class ${name}(Call[${answer}]):`, docstring(tool.description, '    '), ''];
    this.made.push(
      [...head, `    tool: ClassVar[str] = ${JSON.stringify(tool.name)}`, ...(fields.length > 0 ? ['', ...fields] : [])].join('\n'),
    );
  }

  /** @returns the name of the answer's type */
  answer(output: Schema, name: string): string {
    this.root = output;
    this.open = true;
    return this.type(output, name, 'Answer');
  }

  private model(schema: Schema, name: string, base: string): string {
    const fields = this.fields(schema, name);
    this.made.push([`class ${name}(${base}):`, ...(fields.length > 0 ? fields : ['    pass'])].join('\n'));
    return name;
  }

  private fields(schema: Schema, owner: string): string[] {
    return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
      const safe = name.replaceAll(/\W/g, '_').replaceAll(/([a-z0-9])([A-Z])/g, (_, a: string, b: string) => `${a}_${b.toLowerCase()}`);
      const attribute = taken.has(safe) ? `${safe}_` : safe;
      const required = schema.required?.includes(name) === true && field.default === undefined;
      const type = this.type(field, `${owner}${pascal(name)}`, this.open ? 'Answer' : 'Part');
      const optional = required || type === 'Any' || / \| None$|^None$/.test(type) ? type : `${type} | None`;
      const settings = [...(required ? [] : ['default=None']), ...(attribute === name ? [] : [`alias=${JSON.stringify(name)}`])];
      const value = settings.length === 0 ? '' : attribute === name ? ' = None' : ` = Field(${settings.join(', ')})`;
      return [`    ${attribute}: ${optional}${value}`, ...(field.description === undefined ? [] : [docstring(field.description, '    ')])];
    });
  }

  private type(given: Schema, name: string, base: string): string {
    const schema = resolveRef(given, this.root);
    if (schema.const !== undefined) return this.literal([schema.const]);
    if (schema.enum) return this.literal(schema.enum);
    if (schema.anyOf ?? schema.oneOf) {
      const choices = nonNull(schema);
      const types = choices.map((choice, i) => this.type(choice, choices.length === 1 ? name : `${name}${i + 1}`, base));
      return this.union([...types, ...(choices.length < (schema.anyOf ?? schema.oneOf ?? []).length ? ['None'] : [])]);
    }
    if (schema.properties) return this.union([this.model(schema, name, base), ...(typesOf(schema).includes('null') ? ['None'] : [])]);
    const types = typesOf(schema);
    return types.length === 0 ? 'Any' : this.union(types.map((type) => this.plain(type, schema, name, base)));
  }

  private plain(type: string, schema: Schema, name: string, base: string): string {
    switch (type) {
      case 'string':
        return 'str';
      case 'integer':
        return 'int';
      case 'number':
        return 'int | float';
      case 'boolean':
        return 'bool';
      case 'null':
        return 'None';
      case 'array':
        return `list[${this.type(schema.items ?? {}, name, base)}]`;
      default: {
        const values = schema.additionalProperties;
        return `dict[str, ${typeof values === 'object' ? this.type(values, `${name}Value`, base) : 'Any'}]`;
      }
    }
  }

  private literal(values: unknown[]): string {
    const said = (value: unknown): string =>
      value === true ? 'True' : value === false ? 'False' : value === null ? 'None' : JSON.stringify(value);
    const literal = `Literal[${values.map(said).join(', ')}]`;
    return this.open && values.every((value) => typeof value === 'string') ? `Annotated[${literal}, Open]` : literal;
  }

  private union(types: string[]): string {
    const each = [...new Set(types)];
    return each.includes('Any') ? 'Any' : each.toSorted((a, b) => Number(a === 'None') - Number(b === 'None')).join(' | ');
  }
}
