import { createHash } from 'node:crypto';
import type pg from 'pg';

const names = new Map<string, string>();

/**
 * Marks a statement of a hot path, one of a few: each connection parses it once, and plans it once if its best plan
 * does not depend on its values. Without this, parsing and planning cost more than its execution.
 */
export function prepared(text: string): string {
  if (!names.has(text)) names.set(text, createHash('sha256').update(text).digest('base64url'));
  return text;
}

export const statement = (text: string, values: unknown[]): pg.QueryConfig => {
  const name = names.get(text);
  return name === undefined ? { text, values } : { name, text, values };
};
