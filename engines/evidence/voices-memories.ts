import { sentencesOf } from './statements-sentences.ts';
import type { EvidenceInput, Voiced } from './types.ts';
import type { Cast } from './voices-cast.ts';
import type { Names } from './voices-names.ts';

/** Whoever changed employer sometimes speaks of the former one: "That was at Acme. Here it works." */

const at =
  /(?:^|[^\p{L}])(?:at|with|for|from|over at|back at|when i was at|bei|im|in|en|chez|à|au|da|presso|em|bij|hos|på|u)\s+(?:the\s+|der\s+|dem\s+|la\s+|el\s+)?$/iu;
const here =
  /(?:^|[^\p{L}])(?:here|now|at my new|these days|nowadays|today|since i|hier|jetzt|heute|inzwischen|aquí|ahora|hoy|ici|maintenant|aujourd['’]hui|qui|adesso|ora|aqui|agora|nu|her)(?![\p{L}])/iu;

/** Splits a unit where its customer changes between the present and a former employer of the person. */
export function splitAtMemories(unit: Voiced, { passages }: EvidenceInput, cast: Cast, names: Names): Voiced[] {
  if (unit.side !== 'customer' || unit.omitted !== null || unit.person === null) return [unit];
  const former = cast.member(unit.person)?.former ?? [];
  if (former.length === 0) return [unit];
  const { text } = passages[unit.passage]!;
  const pieces: Voiced[] = [];
  let customer = unit.customer;
  for (const clause of sentencesOf(text, unit, 'notes').flatMap((span) => clausesOf(text, span))) {
    const words = text.slice(clause.start, clause.end);
    // In chats, names have no capitals.
    const capitals = words.replace(/(?<![\p{L}\p{N}])\p{Ll}(?=\p{L}{3})/gu, (letter) => letter.toUpperCase());
    const memory = names
      .inText(capitals)
      .find(({ organisation, start }) => former.includes(organisation.name) && at.test(words.slice(0, start)));
    if (memory !== undefined) customer = memory.organisation.name;
    else if (here.test(words)) customer = unit.customer;
    const last = pieces.at(-1);
    if (last !== undefined && last.customer === customer) last.end = clause.end;
    else pieces.push({ ...unit, start: clause.start, end: clause.end, customer });
  }
  return pieces.length <= 1 ? [{ ...unit, customer: pieces[0]?.customer ?? unit.customer }] : pieces;
}

function clausesOf(text: string, { start, end }: { start: number; end: number }): { start: number; end: number }[] {
  const clauses: { start: number; end: number }[] = [];
  let from = start;
  for (const match of text.slice(start, end).matchAll(/;\s+/g)) {
    clauses.push({ start: from, end: start + match.index + 1 });
    from = start + match.index + match[0].length;
  }
  return [...clauses, { start: from, end }];
}
