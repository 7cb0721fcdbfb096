/** Words that a filter asks for, in lower case, and the condition that a text has them all. */

/** @param most further ones are ignored @returns undefined when it asks for none, so that `matching` has no condition */
export function wordsOf(text: string | undefined, most = Infinity): string[] | undefined {
  const words = text?.toLowerCase().split(/\s+/).filter(Boolean).slice(0, most) ?? [];
  return words.length > 0 ? words : undefined;
}

/** For `matching` with `wordsOf`: each word stands somewhere in the text. @param text an SQL expression without nulls */
export const hasWords = (text: string): string => `not exists (select from unnest($::text[]) word where strpos(lower(${text}), word) = 0)`;

/** The same, or the id is the first word. */
export const hasWordsOrId = (id: string, text: string): string => `${id} = ($::text[])[1] or ${hasWords(text)}`;
