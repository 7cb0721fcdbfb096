import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Entity } from '../../contracts/graph/graph.ts';
import type { Approval } from '../../contracts/governance/policy.ts';
import type { Agent } from './agent.ts';
import { expect, type Tell } from './narrate.ts';

/** Another server's tools under our rules, a person's approval before an irreversible call, and the restricted sight of a team. */
export async function govern(me: Agent, robot: Agent, reader: Agent, run: string, tell: Tell): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-tour-'));
  const server = `desk_${run}`;
  try {
    await refund(me, robot, { server, book: join(folder, 'refunds.txt') }, tell);
  } finally {
    await me.call('external.server.remove', { name: server });
    rmSync(folder, { recursive: true, force: true });
  }
  await stakeholders(me, reader, run, tell);
  const verified = await me.ok<{ intact: boolean; events: number }>('system.ledger.verify', {});
  expect(verified.intact, 'the ledger is as it was written');
  tell(`The ledger's ${verified.events} rows are as they were written.`);
}

async function refund(me: Agent, robot: Agent, { server, book }: { server: string; book: string }, tell: Tell): Promise<void> {
  await me.ok('external.server.add', {
    name: server,
    command: process.execPath,
    args: [fileURLToPath(new URL('desk.ts', import.meta.url)), book],
  });
  const [count, pay] = [`external.${server}.count_refunds`, `external.${server}.refund_ticket`];
  const early = await robot.call(count, { ticket: 'T-1' });
  expect(early.error?.code === 'CONFLICT', 'a tool that nobody has approved is not called');
  await me.ok('external.tool.approve', { server });
  tell(`A ticket desk's own MCP server is added; its two tools can be called once a person has looked at them.`);

  const asked = await robot.call(pay, { ticket: 'T-1' }, `refund-${server}`);
  expect(asked.status === 'pending_approval', 'an agent has to ask before it changes something outside');
  const { approval_id } = asked.data as { approval_id: string };
  const { approval } = await me.ok<{ approval: Approval }>('approval.request.approve', { approval_id, note: 'It rained.' });
  expect(approval.status === 'completed', 'the approved call has run');
  await robot.ok(pay, { ticket: 'T-1' }, `refund-${server}`);
  const { content } = await robot.ok<{ content: { text: string }[] }>(count, { ticket: 'T-1' });
  expect(content[0]?.text === '1', 'it was paid once, although it was asked for twice');
  tell(`${robot.name} wants to refund a ticket, waits for a person (${approval_id}), asks twice: paid once.`);
}

async function stakeholders(me: Agent, reader: Agent, run: string, tell: Tell): Promise<void> {
  const before = await reader.call('list_entities', { entity_type: 'customer' });
  expect(before.error?.code === 'FORBIDDEN', 'a team about which nothing was said sees nothing');
  await me.ok('configure_stakeholder_access', { team: `tour-${run}`, entity_types: ['customer'] });
  const seen = await eventually(async () => {
    const { data } = await reader.call('list_entities', { entity_type: 'customer', search: run });
    return (data as { entities: Entity[] } | null)?.entities ?? [];
  });
  expect(seen.length > 0, 'the team sees the customers of this run');
  const features = await reader.ok<{ entities: Entity[] }>('list_entities', { entity_type: 'feature' });
  expect(features.entities.length === 0, 'and nothing else');
  tell(`A stakeholder team may see customers: it sees ${seen.length} of this run, and of ${features.entities.length} features not one.`);
}

/** A key's rights are cached for two seconds. */
async function eventually<T>(look: () => Promise<T[]>): Promise<T[]> {
  for (let i = 0; i < 30; i += 1) {
    const found = await look();
    if (found.length > 0) return found;
    await new Promise((done) => setTimeout(done, 200));
  }
  return [];
}
