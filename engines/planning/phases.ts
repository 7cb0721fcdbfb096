import { plain } from './phrases.ts';

export interface KnownPhase {
  id: number;
  name: string;
}

/** Words that name the phases which each tenant starts with. */
const words: [RegExp, number][] = [
  [/^(?:investigat(?:e|ion)|research|analy[sz](?:e|is)|plan(?:ning)?|design|discovery)$/, 1],
  [/^(?:implement(?:ation)?|build(?:ing)?|development|coding)$/, 2],
  [/^(?:verif(?:y|ication)|test(?:s|ing)?|validat(?:e|ion)|qa|review)$/, 3],
];

/** The phase that a heading names; null: it names none. */
export function phaseOf(heading: string, phases: readonly KnownPhase[]): number | null {
  const name = plain(heading).toLowerCase();
  const known = (id: number): number | null => (phases.some((phase) => phase.id === id) ? id : null);
  const numbered = /^phase\s+(\d{1,6})\b/.exec(name);
  if (numbered) return known(Number(numbered[1]));
  const bare = name
    .replace(/^\d{1,3}[.)]\s*/, '')
    .replace(/\s+phase$/, '')
    .replace(/:$/, '');
  const named = phases.find((phase) => phase.name.toLowerCase() === bare);
  if (named) return named.id;
  const word = words.find(([pattern]) => pattern.test(bare));
  return word ? known(word[1]) : null;
}
