import { AppError } from '../../../contracts/errors.ts';
import { jsonProblem } from '../../../contracts/json.ts';
import { maxSchema, maxSchemaDepth } from '../../../contracts/substrate/schemas.ts';
import { patternProblem } from './patterns.ts';

export const dialect = 'https://json-schema.org/draft/2020-12/schema';

/** Values of these are data, not schemas: `{"const": {"$ref": "…"}}` refers to nothing. */
const dataKeywords = new Set(['const', 'enum', 'default', 'examples']);
/** Keys of these objects are names chosen by the schema's author, not keywords. */
const nameKeywords = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas', 'dependentRequired']);

export const refuseSchema = (message: string, at: string, hint: string, reason: string): AppError =>
  new AppError('VALIDATION_ERROR', message, { hint, details: { reason, ...(at === '' ? {} : { path: at.slice(0, 200) }) } });

/**
 * Refuses forbidden schemas before compilation.
 * @throws AppError VALIDATION_ERROR with `details.reason`
 */
export function checkSchema(schema: Record<string, unknown>): void {
  const problem = jsonProblem(schema, maxSchemaDepth);
  if (problem) throw refuseSchema(`The schema ${problem}.`, '', 'Split it, or share parts of it under $defs.', 'shape');
  if (JSON.stringify(schema).length > maxSchema) {
    throw refuseSchema(`The schema has more than ${maxSchema / 1024} KB.`, '', 'Share parts of it under $defs.', 'size');
  }
  if (schema['$schema'] !== undefined && String(schema['$schema']).replace(/#$/, '') !== dialect) {
    throw refuseSchema('The schema is of another dialect.', '/$schema', `Leave $schema out, or give ${dialect}.`, 'dialect');
  }
  checkKeywords(schema, '');
}

function checkKeywords(node: unknown, path: string): void {
  if (Array.isArray(node)) return node.forEach((item, i) => checkKeywords(item, `${path}/${i}`));
  if (node === null || typeof node !== 'object') return;
  for (const [key, value] of Object.entries(node)) {
    const at = `${path}/${key}`;
    if (dataKeywords.has(key)) continue;
    if ((key === '$ref' || key === '$dynamicRef') && typeof value === 'string' && !value.startsWith('#')) {
      throw refuseSchema(
        'The schema refers to another document, and nothing is fetched.',
        at,
        'Put what it refers to under $defs: "#/$defs/…".',
        'remote_ref',
      );
    }
    if (key === '$async') throw refuseSchema('$async is not a keyword of JSON Schema.', at, 'Leave it out.', 'keyword');
    if (key === 'pattern' && typeof value === 'string') refusePattern(value, at);
    if (nameKeywords.has(key) && value !== null && typeof value === 'object' && !Array.isArray(value)) {
      for (const [name, inner] of Object.entries(value)) {
        if (key === 'patternProperties') refusePattern(name, at);
        checkKeywords(inner, `${at}/${name}`);
      }
    } else checkKeywords(value, at);
  }
}

function refusePattern(pattern: string, at: string): void {
  const problem = patternProblem(pattern);
  if (problem)
    throw refuseSchema(`The pattern at ${at.slice(0, 200)} is refused: ${problem}.`, at, 'Say it without nesting repetitions.', 'pattern');
}
