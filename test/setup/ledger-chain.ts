/** A ledger with many links, of two rows each. */
import { localCaller } from '../../contracts/caller.ts';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import { insertEvents } from '../../services/governance/ledger.ts';
import { committedVisible } from './databases.ts';
import type { TestStack } from './stack.ts';

const event = (tenant: string, n: number) => ({
  type: 'tool.call.completed' as const,
  toolCallId: `call_${n}`,
  tool: 'work.phase.list',
  calledAs: 'work.phase.list',
  toolVersion: 1,
  effect: 'read',
  front: 'mcp' as const,
  caller: { ...localCaller, tenant },
  inputHash: 'x',
  at: new Date(),
});

/** Entries without a link, written by `query` or in a transaction of their own. */
export const writeEntries = ({ db, secrets }: TestStack, tenant: string, count: number, query = db.query): Promise<unknown> =>
  asTenant(tenant, () =>
    insertEvents(
      query,
      secrets,
      Array.from({ length: count }, (_, i) => event(tenant, i)),
    ),
  );

/** The hashes are written out here: a chain made by the code under test would agree with any code. */
export async function writeChain(stack: TestStack, tenant: string, links: number): Promise<void> {
  await writeEntries(stack, tenant, 2 * links);
  await committedVisible(stack.db);
  await asTenant(tenant, async () => {
    const rows = await stack.db.query<{ id: string; xid: string; mac: Buffer }>(
      'select id, xid, mac from ledger_events where tenant_id = $1 order by xid, id',
      [tenant],
    );
    let before: Buffer | null = null;
    for (let seq = 1; seq <= links; seq += 1) {
      const covered = rows.slice(2 * seq - 2, 2 * seq);
      const lines = covered.map(({ id, xid, mac }) => `${xid} ${id} ${mac.toString('hex')}`).join('\n');
      const hash: Buffer = stack.secrets.mac(`ledger-link:${before?.toString('hex') ?? '-'}\n${lines}`);
      const end = covered[1]!;
      await stack.db.query('insert into ledger_seals (tenant_id, seq, to_xid, to_id, events, hash) values ($1, $2, $3, $4, 2, $5)', [
        tenant,
        seq,
        end.xid,
        end.id,
        hash,
      ]);
      before = hash;
    }
  });
}
