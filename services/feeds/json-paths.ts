import { JSONPathEnvironment, type JSONPathQuery, type JSONValue } from 'json-p3';
import { LRUCache } from 'lru-cache';
import { AppError } from '../../contracts/errors.ts';

/** RFC 9535 without features that an untrusted answer could make endless: regular expressions, and nested descents. */
const environment = new JSONPathEnvironment({ maxRecursionDepth: 200 });
environment.functionRegister.delete('match');
environment.functionRegister.delete('search');

const compiled = new LRUCache<string, JSONPathQuery>({ max: 1000 });

/** @throws AppError VALIDATION_ERROR with the reason */
export function compilePath(path: string): JSONPathQuery {
  const known = compiled.get(path);
  if (known) return known;
  let query: JSONPathQuery;
  try {
    query = environment.compile(path);
  } catch (error) {
    throw refused(path, error instanceof Error ? error.message : String(error));
  }
  // The parsed form, not the text: names with dots are quoted there.
  if (
    (query
      .toString()
      .replaceAll(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/g, '')
      .match(/\.\./g)?.length ?? 0) > 1
  ) {
    throw refused(path, 'it descends (..) more than once');
  }
  compiled.set(path, query);
  return query;
}

/**
 * The values at a path, at most `most`.
 * @throws AppError VALIDATION_ERROR when the answer is nested too deeply
 */
export function valuesAt(path: string, value: unknown, most: number): unknown[] {
  const found: unknown[] = [];
  try {
    for (const node of compilePath(path).lazyQuery(value as JSONValue)) {
      found.push(node.value);
      if (found.length >= most) break;
    }
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw refused(path, error instanceof Error ? error.message : String(error));
  }
  return found;
}

const refused = (path: string, why: string): AppError =>
  new AppError('VALIDATION_ERROR', `The path ${path} cannot be used: ${why}.`, {
    hint: "Write a JSONPath as in RFC 9535, e.g. $.articles[*] or $['title'].",
    details: { reason: 'json_path', path },
  });
