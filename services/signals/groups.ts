import type { Database } from '../../adapters/postgres/database.ts';
import type { Columns } from '../../prisma/rows.ts';
import { knownScale } from '../kernel/model-scale.ts';
import { blocksOf, nearlyTheSame, wordsOfStatement, type Comparable } from './blocks.ts';

/** Statements per block to compare with. */
const comparedPerBlock = 10;

export interface Ungrouped {
  id: string;
  statement: string;
  vector: Float32Array | null;
}

interface Known extends Record<string, unknown>, Columns<'signals', 'id' | 'group_id' | 'statement' | 'embedding'> {
  nth: number;
}

/**
 * Finds the group of near-duplicates of each statement: among existing signals, and those before it. The cost does
 * not depend on the number of signals. The caller holds the tenant's graph lock.
 * @param model of the vectors; signals with a vector of another one are compared by words
 * @returns the group and the blocks of each, in order; a single statement is its own group
 */
export async function groupsOf(
  query: Database['query'],
  tenant: string,
  signals: readonly Ungrouped[],
  model: string | null,
): Promise<{ group: string; blocks: bigint[] }[]> {
  const { shipped } = knownScale(model ?? '');
  const comparable = signals.map(({ statement, vector }): Comparable => ({ words: wordsOfStatement(statement), vector }));
  const blocks = comparable.map(({ words }) => blocksOf(words));
  const pairs = blocks.flatMap((own, nth) => own.map((block) => ({ nth, block: block.toString() })));
  const rows = await query<Known>(
    `select distinct p.nth, s.id, s.group_id, s.statement, case when s.model = $3 then s.embedding::text end as embedding from jsonb_to_recordset($2::jsonb) as p(nth int, block bigint)
     cross join lateral (select b.signal_id from signal_blocks b where b.tenant_id = $1 and b.block = p.block order by b.signal_id limit ${comparedPerBlock}) b
     join signals s on s.tenant_id = $1 and s.id = b.signal_id order by p.nth, s.id`,
    [tenant, JSON.stringify(pairs), model],
  );
  const known = Map.groupBy(rows, (row) => row.nth);
  const earlier = new Map<bigint, number[]>();
  const groups: string[] = [];
  for (const [nth, signal] of signals.entries()) {
    const mine = comparable[nth]!;
    const like =
      known.get(nth)?.find((row) => nearlyTheSame(mine, comparableOf(row), shipped))?.group_id ??
      groups[
        [...new Set(blocks[nth]!.flatMap((block) => earlier.get(block) ?? []))]
          .sort((a, b) => a - b)
          .find((i) => nearlyTheSame(mine, comparable[i]!, shipped)) ?? -1
      ];
    groups.push(like ?? signal.id);
    for (const block of blocks[nth]!) {
      const others = earlier.get(block) ?? [];
      if (others.length < comparedPerBlock) earlier.set(block, [...others, nth]);
    }
  }
  return groups.map((group, i) => ({ group, blocks: blocks[i]! }));
}

const comparableOf = ({ statement, embedding }: Known): Comparable => ({
  words: wordsOfStatement(statement),
  vector: embedding === null ? null : Float32Array.from(JSON.parse(embedding) as number[]),
});
