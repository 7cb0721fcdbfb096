import { terms } from '../../engines/retrieval/terms.ts';
import { keyWords, nameKey } from '../../engines/text/names.ts';

/** Words of a query that are used, and maximum words of a name. */
const looked = 64;
const longest = 12;

/** Every sequence of words of a query that could be a name's key, except common lower-case words alone. */
export function namesIn(query: string): string[] {
  // Word by word, because a key has a maximum length.
  const words = query
    .trim()
    .split(/\s+/, looked)
    .flatMap((word) => keyWords(nameKey(word)));
  const telling = words.map((word) => terms(word).length > 0);
  const keys = new Set<string>();
  for (let from = 0; from < words.length; from += 1) {
    for (let to = from + 1; to <= Math.min(words.length, from + longest); to += 1) {
      if (telling.slice(from, to).includes(true)) keys.add(words.slice(from, to).join(' '));
    }
  }
  return [...keys];
}

/** Subjects in a passage's title: the whole title, without brackets, and up to a comma; the same for headings. */
export function titleNames(title: string): string[] {
  return title.split(' › ').flatMap((part) => {
    const plain = part.replace(/\s*\([^()]{1,80}\)\s*$/u, '');
    return [...new Set([part, plain, plain.split(',')[0]!].map((each) => nameKey(each)))].filter((key) => key !== '');
  });
}
