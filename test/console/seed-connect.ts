/** Keys with hostile names, a rotated line, A2A messages, peers: what Connect, Tools, A2A and Keys show. */
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { TestStack } from '../setup/stack.ts';

const tenant = 'acme';

/** @returns addresses to look at */
export async function seedConnect(stack: TestStack, hostile: string): Promise<string[]> {
  const { keys } = stack.services.governance;
  const first = await keys.create({
    tenant,
    role: 'agent',
    name: 'seeded-worker',
    scopes: ['work:*', 'agent:*'],
    expiresAt: new Date(Date.now() + 3 * 86_400_000),
  });
  await keys.rotate(tenant, first.key_id, { graceMs: 3_600_000 });
  const gone = await keys.create({ tenant, role: 'readonly', name: 'seeded-reader' });
  await keys.revoke(tenant, gone.key_id);
  await keys.create({ tenant, role: 'agent', name: hostile });
  await asTenant(tenant, async () => {
    await stack.db.query(
      `insert into a2a_tasks (tenant_id, id, context_id, key_id, line, principal, state, status_at, history, seq, artifacts)
       select $1, 'a2a_seed_' || n, 'ctx_' || n, 'key_x', 'key_x', case n when 1 then $2 else 'peer-' || n end,
         (array['submitted', 'working', 'input_required', 'completed', 'failed', 'canceled'])[1 + n % 6], now() - make_interval(mins => n),
         jsonb_build_array(jsonb_build_object('messageId', 'm' || n, 'role', 'ROLE_USER', 'parts', jsonb_build_array(jsonb_build_object('text', $2::text)))),
         1, jsonb_build_array(jsonb_build_object('artifactId', 'x', 'name', $2::text, 'parts', jsonb_build_array(jsonb_build_object('text', $2::text))))
       from generate_series(1, 8) n`,
      [tenant, hostile],
    );
  });
  return [
    '/console/connect',
    '/console/connect?client=curl&agent=worker-7&profile=devflow',
    '/console/tools',
    '/console/tools?q=claim+a+task',
    '/console/tools/work.task.create',
    '/console/tools/work.task.create?as=json',
    '/console/tools/access.key.revoke',
    '/console/keys',
    `/console/keys?state=all&id=${first.key_id}&make=yes`,
    '/console/sessions',
    '/console/sessions?whose=all&person=ann',
    '/console/a2a',
    '/console/a2a?v=0.3',
    '/console/a2a?tab=tasks&id=a2a_seed_2&skill=work',
    '/console/a2a?tab=peers',
  ];
}
