import { AppError } from '../../contracts/errors.ts';
import { derivedId } from '../../contracts/ids.ts';
import { maxMemory, memoryCategories, type MemoryScope } from '../../contracts/knowledge/memory.ts';
import { endOf } from '../../contracts/times.ts';
import { internalTag } from './memories-index.ts';

const day = 86_400_000;
/** A session's memories have no reader after it, and nothing tells when it is over for good. */
const sessionDays = 7;

export interface ExpiryWish {
  /** ISO 8601, or a day: its end. Null: never. */
  expires_at?: string | null | undefined;
  ttl_days?: number | undefined;
}

/**
 * When a memory expires, in ISO 8601; null: never; undefined: nothing is said.
 * @throws AppError VALIDATION_ERROR (two answers, or a time that is over)
 */
export function expiryOf({ expires_at, ttl_days }: ExpiryWish, scope?: MemoryScope): string | null | undefined {
  if (expires_at !== undefined && expires_at !== null && ttl_days !== undefined) {
    throw new AppError('VALIDATION_ERROR', 'Both expires_at and ttl_days are given.', { hint: 'Give one of them.' });
  }
  if (ttl_days !== undefined) return new Date(Date.now() + ttl_days * day).toISOString();
  if (typeof expires_at === 'string') {
    const at = new Date(endOf(expires_at));
    if (at.getTime() <= Date.now()) {
      throw new AppError('VALIDATION_ERROR', `${expires_at} is over already.`, {
        hint: 'Give a time to come; memory.record.delete deletes.',
      });
    }
    return at.toISOString();
  }
  if (expires_at === undefined && scope === 'session') return new Date(Date.now() + sessionDays * day).toISOString();
  return expires_at;
}

/** A day means its end. */
export const asOfEnd = (asOf: string | undefined): string | undefined =>
  asOf === undefined ? undefined : new Date(endOf(asOf)).toISOString();

/** The team's memories keep the ids that they always had. */
export const keyFor = (tenant: string, category: string, content: string, owner: string): string =>
  owner === '' ? derivedId('memory', tenant, category, content) : derivedId('memory', tenant, category, content, owner);

/** @throws AppError VALIDATION_ERROR */
export function checkMemory(content: string, category: string, tags: readonly string[]): void {
  if (content.includes('\0')) throw new AppError('VALIDATION_ERROR', 'The memory must not contain NUL.');
  if (content === '') throw new AppError('VALIDATION_ERROR', 'The memory is empty.', { hint: 'Put the text to remember into content.' });
  if (content.length > maxMemory) {
    throw new AppError('VALIDATION_ERROR', `The memory has ${content.length} characters; at most ${maxMemory} are taken.`, {
      hint: 'Save the gist of it; ingest.document.submit takes whole documents.',
    });
  }
  if (category === '') {
    throw new AppError('VALIDATION_ERROR', 'The category is empty.', { hint: `Usual ones: ${memoryCategories.join(', ')}.` });
  }
  const reserved = tags.find((tag) => tag.startsWith(internalTag));
  if (reserved !== undefined) {
    throw new AppError('VALIDATION_ERROR', `Tags must not begin with "${internalTag}": "${reserved}" does.`, {
      hint: 'Use the field category instead.',
    });
  }
}
