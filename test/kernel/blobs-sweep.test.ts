/** Blobs that no row names are deleted, and never one that a row names or is about to name. */
import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import { dropUnreferenced, isSweepDue, sweepBlobs, type BlobSweep } from '../../services/kernel/blobs.ts';
import { buildTimeout, collected, s3Server, startS3, type S3 } from '../setup/s3.ts';
import { testStack, type TestStack } from '../setup/stack.ts';

const hour = 3_600_000;
const nothing: BlobSweep = { checked: 0, set_aside: 0, deleted: 0, restored: 0, bytes: 0 };

describe.each(['folder', 's3'] as const)('the sweep of blobs in a %s', (kind) => {
  const here = kind === 'folder' || s3Server !== null;
  let stack: TestStack;
  let s3: S3 | undefined;
  let tenant: string;
  beforeAll(async () => {
    if (!here) return;
    if (kind === 's3') s3 = await startS3(inject('servers').folder);
    stack = await testStack({ workers: false, model: false, env: s3?.env ?? {} });
  }, buildTimeout);
  beforeEach(async () => {
    tenant = `t${randomBytes(6).toString('hex')}`;
    if (here) await stack.caller({ tenant });
  });
  afterAll(async () => {
    await stack?.stop();
    await s3?.kill();
  });

  /** As it would be after so many hours; the grace period is one day. */
  const sweep = (hours: number, options: { dryRun?: boolean; of?: string } = {}): Promise<BlobSweep> => {
    const { of = tenant, dryRun = false } = options;
    return asTenant(of, () => sweepBlobs(stack, of, { graceMs: 24 * hour, now: () => Date.now() + hours * hour, dryRun }));
  };
  const put = (text: string, of = tenant): Promise<string> => stack.blobs.put(of, Buffer.from(text));
  const read = async (sha256: string, of = tenant): Promise<string> => Buffer.from(await stack.blobs.get(of, sha256)).toString();
  const name = (sha256: string, of = tenant): Promise<unknown> =>
    asTenant(of, () =>
      stack.db.query(
        `insert into artifacts (tenant_id, sha256, media_type, size, created_by) values ($1, $2, 'text/plain', 1, 'test') on conflict do nothing`,
        [of, sha256],
      ),
    );
  const forget = (sha256: string, of = tenant): Promise<unknown> =>
    asTenant(of, () => stack.db.query('delete from artifacts where tenant_id = $1 and sha256 = $2', [of, sha256]));

  it.skipIf(!here)('deletes in two steps what a dead submission left', async () => {
    const orphan = await put('nobody wrote my row');
    const named = await put('a row names me');
    await name(named);
    expect(await sweep(23)).toEqual({ ...nothing, checked: 2 });
    expect(await sweep(25, { dryRun: true })).toEqual({ ...nothing, checked: 2, set_aside: 1 });
    expect(await sweep(25)).toEqual({ ...nothing, checked: 2, set_aside: 1 });
    expect(await stack.blobs.has(tenant, orphan)).toBe(false);
    expect(await read(orphan)).toBe('nobody wrote my row');
    // The grace period of the second step counts from the first one.
    expect(await sweep(23)).toEqual({ ...nothing, checked: 2 });
    expect(await sweep(25, { dryRun: true })).toMatchObject({ deleted: 1 });
    expect(await sweep(25)).toEqual({ ...nothing, checked: 2, deleted: 1, bytes: 19 });
    await expect(read(orphan)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await read(named)).toBe('a row names me');
    expect(await sweep(25)).toEqual({ ...nothing, checked: 1 });
  });

  it.skipIf(!here)('leaves a blob whose row comes late', async () => {
    const late = await put('my row comes between the steps');
    await sweep(25);
    await name(late);
    expect(await sweep(25)).toMatchObject({ restored: 1, deleted: 0 });
    expect([await stack.blobs.has(tenant, late), await read(late)]).toEqual([true, 'my row comes between the steps']);
  });

  it.skipIf(!here)('leaves an old orphan that is written again, at any moment of the sweep', async () => {
    const moments = [
      'before',
      'while references are read',
      'while it is moved',
      'after',
      'while the second step reads',
      'while it is settled',
    ];
    for (const moment of moments) {
      const text = `written again ${moment}`;
      const sha256 = await put(text);
      // The writer does not look again after its commit: grace and the two steps are enough.
      const again = async (at: string): Promise<void> => void (at === moment && (await put(text)));
      const { query } = stack.db;
      const spied = (step: string, during: string) => ({
        ...stack,
        db: {
          ...stack.db,
          query: (async (text: string, values?: unknown[]) => {
            const rows = await query(text, values as never);
            await again(step);
            return rows;
          }) as typeof query,
        },
        blobs: {
          ...stack.blobs,
          setAside: async (of: string, hashes: readonly string[]) => {
            await again(during);
            await stack.blobs.setAside(of, hashes);
          },
          settle: async (...given: Parameters<typeof stack.blobs.settle>) => {
            await again(during);
            await stack.blobs.settle(...given);
          },
        },
      });
      const options = { graceMs: 24 * hour, now: () => Date.now() + 25 * hour };
      await again('before');
      await asTenant(tenant, () => sweepBlobs(spied('while references are read', 'while it is moved'), tenant, options));
      await again('after');
      // Less than a grace period after it was written.
      if (!moment.includes('settle') && !moment.includes('second')) await name(sha256);
      await asTenant(tenant, () => sweepBlobs(spied('while the second step reads', 'while it is settled'), tenant, options));
      await name(sha256);
      expect(await read(sha256), moment).toBe(text);
      await sweep(25);
      await sweep(25);
      expect(await read(sha256), moment).toBe(text);
    }
  });

  it.skipIf(!here)('leaves what another row or another tenant names', async () => {
    const other = `${tenant}-other`;
    await stack.caller({ tenant: other });
    const sha256 = await put('shared');
    await put('shared', other);
    await name(sha256, other);
    // Two rows of one tenant name it: one goes.
    await name(sha256);
    await asTenant(tenant, () =>
      stack.db.query(
        `insert into jobs (tenant_id, id, kind, title, status, workflow_id, spec, created_by)
         values ($1, 'job_zip', 'ingest_run', 'An archive', 'running', $1 || '/zip', $2, 'test')`,
        [tenant, JSON.stringify({ origin: { kind: 'zip', path: 'x.zip', blob: sha256 } })],
      ),
    );
    await forget(sha256);
    expect(await sweep(25)).toMatchObject({ set_aside: 0 });
    expect(await asTenant(tenant, () => dropUnreferenced(stack.db, stack.blobs, tenant, [sha256]))).toBe(0);
    await asTenant(tenant, () => stack.db.query(`update jobs set status = 'completed' where tenant_id = $1 and id = 'job_zip'`, [tenant]));
    expect(await sweep(25)).toMatchObject({ set_aside: 1 });
    expect(await sweep(25)).toMatchObject({ deleted: 1 });
    await expect(read(sha256)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await sweep(25, { of: other })).toEqual({ ...nothing, checked: 1 });
    expect(await read(sha256, other)).toBe('shared');
  });

  it.skipIf(!here)('may run twice at once, beside a deletion, and may be killed', async () => {
    const hashes = await Promise.all(Array.from({ length: 30 }, (_, n) => put(`${n}`)));
    for (const sha256 of hashes.slice(0, 10)) await name(sha256);
    const died = vi.fn<() => Promise<void>>(() => Promise.reject(new Error('killed')));
    await expect(
      asTenant(tenant, () =>
        sweepBlobs({ db: stack.db, blobs: { ...stack.blobs, setAside: died } }, tenant, { graceMs: 0, now: () => Date.now() + hour }),
      ),
    ).rejects.toThrow('killed');
    expect(died).toHaveBeenCalled();
    const drop = (): Promise<number> => asTenant(tenant, () => dropUnreferenced(stack.db, stack.blobs, tenant, hashes.slice(5, 15)));
    await Promise.all([sweep(25), drop(), sweep(25)]);
    await Promise.all([sweep(25), drop(), sweep(25)]);
    await sweep(25);
    await sweep(25);
    const left = (await collected(stack.blobs.list(tenant))).map((entry) => [entry.sha256, entry.aside]);
    expect(left).toEqual(
      hashes
        .slice(0, 10)
        .sort()
        .map((sha256) => [sha256, null]),
    );
  });

  it.skipIf(!here)('begins anywhere when its time is short, and comes round', async () => {
    const hashes = await Promise.all(Array.from({ length: 40 }, (_, n) => put(`slow ${n}`)));
    const run = (): Promise<BlobSweep> =>
      asTenant(tenant, () => sweepBlobs(stack, tenant, { graceMs: 24 * hour, now: () => Date.now() + 25 * hour, forMs: 60_000 }));
    expect(await run()).toEqual({ ...nothing, checked: 40, set_aside: 40 });
    expect(await run()).toMatchObject({ checked: 40, deleted: 40 });
    await expect(read(hashes[0]!)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

it('each tenant has its turn once a day', () => {
  const every = 15 * 60_000;
  const day = Array.from({ length: 96 }, (_, n) => Date.UTC(2027, 0, 1) + n * every);
  const turns = ['acme', 'globex', createHash('sha256').digest('hex')].map((tenant) => day.filter((at) => isSweepDue(tenant, every, at)));
  for (const own of turns) expect(own).toHaveLength(1);
});
