/** The ledger exported as a file, and verified against its chain without the database. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import { secretBox } from '../../adapters/secrets/box.ts';
import type { Caller } from '../../contracts/caller.ts';
import { checkLedgerFile } from '../../services/governance/exports/ledger-check.ts';
import { committedVisible } from '../setup/databases.ts';
import { exportDesk, type ExportDesk } from '../setup/exports.ts';
import { testStack, type TestStack } from '../setup/stack.ts';

let stack: TestStack;
let desk: ExportDesk;
let pm: Caller;
beforeAll(async () => {
  stack = await testStack({ model: false });
  desk = exportDesk(stack);
  pm = await stack.caller({ name: 'pm', kind: 'human' });
  const other = await stack.caller({ tenant: 'globex', name: 'other', kind: 'human' });
  for (let i = 0; i < 10; i += 1) {
    await stack.ok(pm, 'system.tool.describe', { name: 'system.ledger.export' });
    await stack.ok(other, 'system.tool.list', {});
  }
});
afterAll(async () => {
  await desk?.close();
  await stack?.stop();
});

describe('the ledger as a file', () => {
  const check = (text: string, secrets = stack.secrets) =>
    checkLedgerFile(
      (async function* () {
        yield await Promise.resolve(Buffer.from(text));
      })(),
      secrets,
    );
  let text: string;
  beforeAll(async () => {
    // What reads leave in the ledger is written some time after their answer.
    const written = async (): Promise<void> => {
      await stack.services.governance.ledger.close();
      await committedVisible(stack.db);
    };
    await written();
    await stack.services.governance.chain.sealAll();
    for (let i = 0; i < 3; i += 1) await stack.ok(pm, 'system.tool.list', {});
    await written();
    text = (await desk.fetched(await desk.take(pm, {}, 'system.ledger.export'))).toString('utf8');
  });

  it('holds against its chain without the database', async () => {
    const found = await check(text);
    expect(found).toMatchObject({ intact: true, whole: true, breaches: [] });
    expect(found.links).toBeGreaterThanOrEqual(2);
    const events = await asTenant('acme', () =>
      stack.db.query<{ n: number }>(`select count(*)::int as n from ledger_events where tenant_id = 'acme'`),
    );
    expect(found.events).toBeGreaterThan(20);
    expect(found.events).toBeLessThanOrEqual(events[0]!.n);
    expect(text).not.toContain('globex');
    const live = await asTenant('acme', () => stack.services.governance.chain.verify('acme'));
    expect(Number(live.head!.link)).toBeGreaterThanOrEqual(Number(found.head!.link));
  });

  it('shows what was done to it', async () => {
    const lines = text.trimEnd().split('\n');
    const event = lines.findIndex((line) => line.includes('"kind":"event"'));
    const link = lines.findIndex((line) => line.includes('"kind":"link"'));
    const kinds = async (changed: string[]) => (await check(`${changed.join('\n')}\n`)).breaches.map(({ kind }) => kind);
    expect(
      await kinds(
        lines.with(event, lines[event]!.replace('"principal":"pm"', '"principal":"me"').replace('"front":"mcp"', '"front":"a2a"')),
      ),
    ).toEqual(['edited', 'edited']);
    expect(await kinds(lines.toSpliced(event, 1))).toEqual(['missing', 'edited']);
    expect(await kinds(lines.toSpliced(event, 0, lines[event]!))).toEqual(['inserted', 'edited']);
    expect(await kinds(lines.toSpliced(link, 1))).toContain('broken_link');
    expect(await kinds(lines.slice(0, -1))).toEqual(['missing']);
    expect(await kinds([...lines, lines[event]!])).toEqual(['inserted']);
    expect((await check(text, secretBox('another', ''))).intact).toBe(false);
    await expect(check('{"a":1}\n')).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    await expect(check('no json')).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    await expect(check('')).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it('of a time is widened to whole links and hangs on the one before', async () => {
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, string>);
    const first = lines.findIndex(({ kind }) => kind === 'link');
    const later = lines.slice(first + 1).find(({ kind }) => kind === 'event')!;
    const part = (await desk.fetched(await desk.take(pm, { since: later['at'] }, 'system.ledger.export'))).toString('utf8');
    expect(await check(part)).toMatchObject({ intact: true, whole: true });
    expect(part.split('\n')[0]).toContain(lines[first]!['hash']);
    const early = (await desk.fetched(await desk.take(pm, { until: later['at'] }, 'system.ledger.export'))).toString('utf8');
    expect(await check(early)).toMatchObject({ intact: true, whole: true });
    const none = (await desk.fetched(await desk.take(pm, { since: '2099-01-01T00:00:00Z' }, 'system.ledger.export'))).toString('utf8');
    expect(await check(none)).toMatchObject({ intact: true, events: 0, links: 0 });
    const swapped = { since: '2026-02-01T00:00:00Z', until: '2026-01-01T00:00:00Z' };
    expect((await stack.call(pm, 'system.ledger.export', swapped)).error?.code).toBe('VALIDATION_ERROR');
  });

  it('of some calls has no links, and is signed as a whole', async () => {
    const part = (await desk.fetched(await desk.take(pm, { tool: 'system.tool.list' }, 'system.ledger.export'))).toString('utf8');
    expect(await check(part)).toMatchObject({ intact: true, whole: false, links: 0, head: null });
    expect(
      part
        .trimEnd()
        .split('\n')
        .slice(1, -1)
        .every((line) => line.includes('system.tool.list')),
    ).toBe(true);
    const lines = part.trimEnd().split('\n');
    expect(await check(`${lines.toSpliced(1, 1).join('\n')}\n`)).toMatchObject({ intact: false, breaches: [{ kind: 'edited' }] });
  });
});

describe('the command', () => {
  it('writes the ledger and records into files, and checks the file offline', async () => {
    await desk.app.listen({ host: '127.0.0.1', port: 0 });
    const { apiKey } = await stack.caller({ name: 'operator', kind: 'human' });
    const folder = stack.config.SIGNALBOX_DATA_DIR;
    const cli = fileURLToPath(new URL('../../cli/signalbox.js', import.meta.url));
    const env = {
      ...process.env,
      SIGNALBOX_URL: `http://127.0.0.1:${(desk.app.server.address() as AddressInfo).port}`,
      SIGNALBOX_API_KEY: apiKey,
      SIGNALBOX_DATA_DIR: folder,
    };
    const run = async (...args: string[]) =>
      JSON.parse((await promisify(execFile)(process.execPath, [cli, ...args, '--json'], { env, cwd: folder })).stdout) as Record<
        string,
        unknown
      >;

    const file = join(folder, 'ledger.jsonl');
    expect(await run('ledger', 'export', '--out', file)).toMatchObject({ status: 'completed', export_type: 'ledger', file });
    expect(await run('ledger', 'verify', '--file', file)).toMatchObject({ intact: true, whole: true });

    const records = await run('export', 'entities', '--from', '2026-01-01');
    expect(records).toMatchObject({ status: 'completed', filename: expect.stringMatching(/\.json$/) });
    expect(JSON.parse(readFileSync(join(folder, records['filename'] as string), 'utf8'))).toMatchObject({ export: { tenant: 'acme' } });
    await expect(run('export', 'passwords')).rejects.toMatchObject({ code: 2 });
  }, 120_000);
});
