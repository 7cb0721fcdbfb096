/** Data of former releases (scripts/old-release.ts), restored and worked on by the code as it stands. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, inject, it } from 'vitest';
import { fileBlobs } from '../../adapters/blobs/files.ts';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import { lostProcesses } from '../../cli/lost.ts';
import type { Task } from '../../contracts/work/work.ts';
import { openSource } from '../../deploy/backup/archive.ts';
import { restore } from '../../deploy/backup/restore.ts';
import { readConfig } from '../../platform/config.ts';
import { onServer, withDatabase } from '../setup/databases.ts';
import { eventually, testStack, type TestStack } from '../setup/stack.ts';

const releases = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.zip'));

/** The release's data in a database and a folder of their own. */
async function upgraded(release: string): Promise<TestStack> {
  const servers = inject('servers');
  const database = `old_${release.replaceAll(/\W/g, '_')}`;
  const ownerUrl = withDatabase(servers.ownerUrl, database);
  const folder = join(servers.folder, database);
  mkdirSync(folder);
  await onServer(servers.ownerUrl, `create database ${database}`);
  const source = await openSource(join(import.meta.dirname, release));
  const blobs = fileBlobs(join(folder, 'blobs'));
  await restore(source, { config: readConfig({}), ownerUrl, blobs, temporal: null, force: false, onProgress: () => {} });
  if (source.manifest.has_key)
    writeFileSync(join(folder, 'secret.key'), Buffer.concat(await (await source.open('secret.key')).toArray()), { mode: 0o600 });
  source.close();
  // Recorded at any time: what waits for a person still does, and the lease ends now.
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  await owner.query(`update approvals set expires_at = now() + interval '1 day'`);
  await owner.query(`update work_tasks set lease_expires_at = now() where status = 'in_progress'`);
  await owner.end();
  return await testStack({ model: false, database });
}

it('has data of former releases', () => expect(releases.length).toBeGreaterThan(0));

describe.each(releases)('%s', (release) => {
  it('is upgraded: open tasks are done, waiting approvals decided, ingestions under way finish', { timeout: 240_000 }, async () => {
    const stack = await upgraded(release);
    try {
      const fixed = await lostProcesses(stack.config, true);
      expect(fixed.map(({ state }) => state)).toEqual(['ok', 'ok']);
      expect(fixed[0]!.changed!.length).toBeGreaterThan(3);
      const tenant = 'default';
      const agent = await stack.caller({ tenant, role: 'agent', name: 'new-agent' });
      const pm = await stack.caller({ tenant, role: 'pm', name: 'new-pm' });
      const left = () =>
        asTenant(tenant, () =>
          stack.db.query<{ id: string }>(`select id from work_tasks where tenant_id = $1 and status <> 'done'`, [tenant]),
        );
      const open = await left();
      expect(open.length).toBeGreaterThan(2);
      // One is held under a lease that has ended since; one is blocked until another is done.
      await eventually(
        'every task is done',
        async () => {
          const { task } = await stack.ok<{ task: Task | null }>(agent, 'work.task.claim', { phase_id: 3 });
          if (task) await stack.ok(agent, 'work.task.complete', { task_id: task.id, fencing_token: task.fencing_token });
          return (await left()).length === 0;
        },
        60_000,
      );
      await eventually(
        'no job is under way',
        async () =>
          (
            await asTenant(tenant, () =>
              stack.db.query(`select 1 from jobs where tenant_id = $1 and status in ('queued', 'running')`, [tenant]),
            )
          ).length === 0,
        60_000,
      );
      for (const word of ['zeppelin', 'dirigible']) {
        const { hits } = await stack.ok<{ hits: { content: string }[] }>(pm, 'index.chunk.search', { query: word });
        expect(hits.map(({ content }) => content).join()).toContain(word);
      }
      const waiting = await asTenant(tenant, () =>
        stack.db.query<{ id: string }>(`select id from approvals where tenant_id = $1 and status = 'pending'`, [tenant]),
      );
      // The first release asked nobody.
      expect(waiting).toHaveLength(release.startsWith('0.1.0') ? 0 : 1);
      for (const { id } of waiting) {
        const { approval } = await stack.ok<{ approval: { status: string } }>(pm, 'approval.request.approve', {
          approval_id: id,
          wait_seconds: 20,
        });
        expect(approval.status).toBe('completed');
      }
      expect((await lostProcesses(stack.config, false)).map(({ state }) => state)).toEqual(['ok', 'ok']);
    } finally {
      await stack.stop();
    }
  });
});
