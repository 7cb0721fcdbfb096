/** Pure: what customers say of competitors, and how they stand to them. */
import { inTime, type Matter } from './matters.ts';
import { tell, type Telling } from './tell.ts';
import type { Statement } from './types.ts';

/** Said no to somebody who asked or offered. */
const refusal =
  /(?<!\p{L})(?:said no|told \p{L}+ no|say no|no,? thanks?|no thank you|not (?:interested|moving|going|switching|changing|leaving)|turned (?:it|them|him|her) down|declined|we(?:'re| are)? stay(?:ing)?|i(?:'m| am)? stay(?:ing)?|nein gesagt|bleiben|hemos dicho que no|nos quedamos|dit non|nous restons)(?!\p{L})/iu;

const order = ['considers', 'withdrew', 'refused', 'named'] as const;
type Standing = (typeof order)[number];

const marks: Record<Standing, string> = {
  considers: 'considered by the customer',
  withdrew: 'no longer considered',
  refused: 'told no',
  named: 'spoken of',
};

function standingOf({ kind, state, said }: Matter): Standing {
  if (kind === 'leaving') return state === 'open' ? 'considers' : state === 'hypothetical' ? 'named' : 'withdrew';
  return said.some(({ statement }) => refusal.test(statement)) ? 'refused' : 'named';
}

/** By competitor, those first who consider it. */
export function rivals(telling: Telling): Statement[] {
  const byRival = new Map<string, Matter[]>();
  for (const matter of telling.matters)
    for (const rival of matter.competitors) byRival.set(rival, [...(byRival.get(rival) ?? []), matter]);
  return [...byRival]
    .toSorted(([a, one], [b, two]) => two.length - one.length || a.localeCompare(b))
    .flatMap(([rival, matters]) =>
      matters
        .map((matter) => ({ matter, standing: standingOf(matter) }))
        .toSorted(
          (a, b) => order.indexOf(a.standing) - order.indexOf(b.standing) || inTime(b.matter.said.at(-1)!, a.matter.said.at(-1)!),
        )
        .slice(0, telling.size.items)
        .flatMap(({ matter, standing }) => {
          const line = tell(telling, matter);
          return line ? [{ ...line, text: `${rival}, ${marks[standing]}: ${line.text}` }] : [];
        }),
    );
}
