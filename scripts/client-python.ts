/** Models of all tools for the Python client. */
import { z } from 'zod';
import { envelopeError } from '../contracts/envelope.ts';
import type { Schema } from '../contracts/json-schema.ts';
import { resolveRef } from '../tools/catalogue/examples.ts';
import { nonNull, sentence, typesOf, type Described, type Shapes } from './client-shapes.ts';

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

export function pythonCodes(): string {
  const schema = z.toJSONSchema(envelopeError, { io: 'input' }) as Schema;
  const codes = (schema.properties?.['code']?.enum ?? []).map((code) => `    ${JSON.stringify(code)},`);
  return ['# Written by `npm run gen`. Do not edit.', 'from typing import Literal', '', 'ErrorCode = Literal[', ...codes, ']'].join('\n');
}

export function pythonModule(domain: string, described: Described[], shapes: Shapes): string {
  const classes = described.flatMap(({ name: tool, description, input, output }) => {
    const made: string[] = [];
    const name = pascal(tool);
    const python = new PythonTypes(made, shapes);
    python.call(tool, description, input, name, python.answer(output, `${name}Answer`));
    return made;
  });
  return moduleOf(`Tools of the domain ${domain}.`, classes, shapes);
}

export function pythonShapes(shapes: Shapes): string {
  const made: string[] = [];
  for (const { name, schema, root } of shapes.all) new PythonTypes(made, shapes).shape(name, schema, root);
  return moduleOf('Objects that several answers share.', made);
}

function moduleOf(title: string, classes: string[], shapes?: Shapes): string {
  const body = classes.join('\n\n\n');
  const code = body.replaceAll(/^ *""".*$|"[^"\n]*"/gm, '');
  const words = new Set(code.match(/\w+/g));
  const shared = shapes?.all.map(({ name }) => name).filter((name) => words.has(name)) ?? [];
  const names = [...shared, ...[...body.matchAll(/^class (\w+)/gm)].map(([, name = '']) => name)];
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) throw new Error(`Two classes are called ${twice} in "${title}": rename a field, a tool or a schema.`);
  const used = (wanted: string[]): string => wanted.filter((name) => words.has(name)).join(', ');
  return [
    '# Written by `npm run gen`. Do not edit.',
    `"""${title}"""`,
    '',
    'from __future__ import annotations',
    '',
    `from typing import ${used(['Annotated', 'Any', 'ClassVar', 'Literal'])}`,
    ...(words.has('Field') ? ['', 'from pydantic import Field'] : []),
    '',
    `from .._models import ${used(['Answer', 'Call', 'Open', 'Part'])}`,
    ...(shared.length > 0 ? [`from .shapes import ${shared.toSorted().join(', ')}`] : []),
    '',
    '',
    body,
  ].join('\n');
}

/** Writes the classes of one tool, inner ones first. */
class PythonTypes {
  private readonly made: string[];
  private readonly shapes: Shapes;
  private root: Schema = {};
  /** Whether a newer server may add values: in answers, not in arguments. */
  private open = false;

  constructor(made: string[], shapes: Shapes) {
    this.made = made;
    this.shapes = shapes;
  }

  call(tool: string, description: string, input: Schema, name: string, answer: string): void {
    this.root = input;
    this.open = false;
    const fields = this.fields(resolveRef(input, input), name);
    const head = [`class ${name}(Call[${answer}]):`, docstring(description, '    '), ''];
    this.made.push(
      [...head, `    tool: ClassVar[str] = ${JSON.stringify(tool)}`, ...(fields.length > 0 ? ['', ...fields] : [])].join('\n'),
    );
  }

  /** @returns the name of the answer's type */
  answer(output: Schema, name: string): string {
    this.root = output;
    this.open = true;
    return this.type(output, name, 'Answer');
  }

  /** Writes an object that several answers share, under its own name. */
  shape(name: string, schema: Schema, root: Schema): void {
    this.root = root;
    this.open = true;
    this.model(schema, name, 'Answer');
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
    const shared = this.open && schema.properties ? this.shapes.nameOf(schema) : undefined;
    if (shared !== undefined) return shared;
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
