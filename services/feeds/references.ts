import { AppError } from '../../contracts/errors.ts';

/** `${name}`: a stored credential, in headers and queries of a source. */
const reference = /\$\{([A-Za-z_][A-Za-z0-9_]{0,63})\}/g;

/** Every text of a value, however deep. */
function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) yield* textsIn(inner);
}

/** @throws AppError VALIDATION_ERROR naming every `${name}` in the settings that has no credential */
export function checkReferences(settings: Record<string, unknown>, credentials: Readonly<Record<string, string>>): void {
  const missing = new Set<string>();
  for (const text of textsIn(settings)) {
    for (const [, name = ''] of text.matchAll(reference)) if (!Object.hasOwn(credentials, name)) missing.add(name);
  }
  if (missing.size === 0) return;
  throw new AppError('VALIDATION_ERROR', `The settings name credentials that are not given: ${[...missing].join(', ')}.`, {
    hint: 'Give each of them under credentials, e.g. {"credentials": {"api_key": "…"}}.',
    details: { reason: 'credentials_missing', missing: [...missing] },
  });
}

/** The texts of a record with credentials filled in. */
export const filled = (texts: Readonly<Record<string, string>>, credentials: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, fill(text, credentials)]));

/** Unknown placeholders stay. */
export const fill = (text: string, credentials: Readonly<Record<string, string>>): string =>
  text.replace(reference, (whole, name: string) => (Object.hasOwn(credentials, name) ? credentials[name]! : whole));
