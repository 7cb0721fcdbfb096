/** Pure: what customers say of competitors, and how they stand to them. */
import { inTime, type Matter } from './matters.ts';
import { someOf, statement } from './phrases.ts';
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

interface Stand {
  rival: string;
  matter: Matter;
  standing: Standing;
}

/** By competitor, those first who consider it. */
function standsIn({ matters }: Telling): Map<string, Stand[]> {
  const stands = matters.flatMap((matter) => matter.competitors.map((rival): Stand => ({ rival, matter, standing: standingOf(matter) })));
  const byRival = Map.groupBy(stands, ({ rival }) => rival);
  for (const own of byRival.values()) {
    own.sort((a, b) => order.indexOf(a.standing) - order.indexOf(b.standing) || inTime(b.matter.said.at(-1)!, a.matter.said.at(-1)!));
  }
  return new Map([...byRival].toSorted(([a, one], [b, two]) => two.length - one.length || a.localeCompare(b)));
}

const named = { considers: 'considered by', withdrew: 'no longer considered by', refused: 'told no by', named: 'spoken of by' };

/** "Contoso: considered by Acme; told no by Globex." Each customer once, as it stands last. */
export function contest(telling: Telling): (Statement | null)[] {
  return [...standsIn(telling)].slice(0, 4).map(([rival, stands]) => {
    const told = new Set<string>();
    const groups = order.flatMap((standing) => {
      const own = stands.filter((each) => each.standing === standing && each.matter.customer !== null && !told.has(each.matter.customer));
      for (const { matter } of own) told.add(matter.customer!);
      return own.length === 0
        ? []
        : [
            {
              words: `${named[standing]} ${someOf([...new Set(own.map(({ matter }) => matter.customer!))])}`,
              own: own.filter((each, i) => own.findIndex(({ matter }) => matter.customer === each.matter.customer) === i).slice(0, 3),
            },
          ];
    });
    const sources = groups.flatMap(({ own }) =>
      own.flatMap(({ matter }) => [matter.said.findLast(({ names }) => names.includes(rival)) ?? matter.said.at(-1)!]),
    );
    return groups.length === 0 ? null : statement(`${rival}: ${groups.map(({ words }) => words).join('; ')}.`, sources, [], 12);
  });
}

/** What is said of each competitor. */
export const rivals = (telling: Telling): Statement[] =>
  [...standsIn(telling)].flatMap(([rival, stands]) =>
    stands.slice(0, telling.size.items).flatMap(({ matter, standing }) => {
      const line = tell(telling, matter);
      return line ? [{ ...line, text: `${rival}, ${marks[standing]}: ${line.text}` }] : [];
    }),
  );
