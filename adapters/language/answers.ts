import { z } from 'zod';

/** A value of the requested structure, or the error for the model. */
export type Read<T> = { ok: true; value: T } | { ok: false; problem: string };

/** Extracts JSON also from a code block or surrounding text, because models often add an introduction. */
export function readObject<T>(text: string, schema: z.ZodType<T>): Read<T> {
  const first = text.indexOf('{');
  const last = text.lastIndexOf('}');
  const candidates = first >= 0 && last > first ? [text, text.slice(first, last + 1)] : [text];
  let problem = text.trim() === '' ? 'It is empty.' : 'It is not JSON.';
  for (const candidate of candidates) {
    let value: unknown;
    try {
      value = JSON.parse(candidate);
    } catch {
      continue;
    }
    const parsed = schema.safeParse(value);
    if (parsed.success) return { ok: true, value: parsed.data };
    problem = parsed.error.issues
      .slice(0, 5)
      .map((issue) => `${issue.path.join('.') || 'the whole'}: ${issue.message}`)
      .join('; ');
  }
  return { ok: false, problem };
}

/** For servers without schema support: the schema as text. */
export const inWords = (schema: z.ZodType): string =>
  `Answer with one JSON object and nothing else. It must match this JSON schema:\n${JSON.stringify(z.toJSONSchema(schema))}`;
