import { scan } from '../extraction/tokens.ts';
import { calendarWords, foreignWords, openers, plainWords, stopWords } from '../extraction/words.ts';

/** Content words in a form that joins singular, plural and the commonest endings. */

/** 2 to 40 letters, without accents. */
export function stemOf(word: string): string {
  const plain = word
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/['’]s$/u, '');
  if (plain.length > 6 && plain.endsWith('ings')) return plain.slice(0, -4);
  if (plain.length > 5 && plain.endsWith('ies')) return `${plain.slice(0, -3)}y`;
  if (plain.length > 6 && plain.endsWith('ing')) return plain.slice(0, -3);
  if (plain.length > 5 && plain.endsWith('ed')) return plain.slice(0, -2);
  if (plain.length > 4 && /(?:ches|shes|xes|sses)$/.test(plain)) return plain.slice(0, -2);
  if (plain.length > 3 && plain.endsWith('s') && !plain.endsWith('ss')) return plain.slice(0, -1);
  return plain;
}

/**
 * Distinct stems of the content words, in order of the text.
 * @param options.names false: without words that are written like names
 */
export function stemsOf(text: string, { names = true } = {}): string[] {
  const stems = new Set<string>();
  const { tokens, english } = scan(text.slice(0, 5_000));
  for (const { lower, digit, text: written, cap, first } of tokens) {
    if (digit || written.length < 3 || written.length > 40 || isEmpty(lower) || (!names && english && cap && !first)) continue;
    stems.add(stemOf(lower));
  }
  return [...stems];
}

/** Whether a stem is of a common word that people use about any software. */
export const isPlain = (stem: string): boolean => plainWords.has(stem) || plainWords.has(`${stem}s`) || plainWords.has(`${stem}e`);

/** Numbers and words so common in talk about work that they go with nothing in particular. */
const common = new Set(
  `one two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty sixty hundred thousand half time times day days week weeks
  month months year years hour hours minute minutes today yesterday tomorrow thing things lot bit way kind people person customer customers user users
  thank thanks please hello good bad better best nice great first last next new old big small same other another use used uses using make makes made
  know love loves like likes hate complain complains complaint complaints praise annoying annoy happy unhappy known limit limits call called calls like need needs want wants part parts problem problems issue issues question work works working go goes come
  comes say says said tell told think look looks see show shows put puts take takes give gives get gets set run runs long short whole really
  zwei drei vier fünf sechs sieben acht neun zehn tag tage woche wochen monat monate jahr jahre stunde stunden minute minuten heute gestern morgen
  dos tres cuatro cinco seis siete ocho nueve diez día días semana semanas mes meses año años hora horas hoy ayer mañana
  deux trois quatre cinq six sept huit neuf dix jour jours semaine semaines mois année heure heures aujourd'hui hier demain`.split(/\s+/),
);

export const isEmpty = (lower: string): boolean =>
  common.has(lower) || stopWords.has(lower) || foreignWords.has(lower) || calendarWords.has(lower) || openers.has(lower);
