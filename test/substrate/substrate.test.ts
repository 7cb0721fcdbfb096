/** Manifests and pointers: sets of artifacts named by their content, and names that move between them by compare-and-swap. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Caller } from '../../contracts/caller.ts';
import { canonicalJson } from '../../contracts/ids.ts';
import type {
  Artifact,
  Manifest,
  ManifestEntry,
  Pointer,
  PointerMove,
  PointerSummary,
  Uploaded,
} from '../../contracts/substrate/substrate.ts';
import { dropUnreferenced } from '../../services/kernel/blobs.ts';
import { testStack, type TestStack } from '../setup/stack.ts';

let stack: TestStack;
let pm: Caller;
let other: Caller;
beforeAll(async () => {
  stack = await testStack({ workers: false, model: false });
  pm = await stack.caller({ name: 'pm' });
  other = await stack.caller({ tenant: 'globex', name: 'hank' });
});
afterAll(() => stack?.stop());

const upload = async (content: string, media_type = 'text/plain', caller = pm): Promise<string> =>
  (await stack.ok<Uploaded>(caller, 'substrate.artifact.upload', { content, media_type })).sha256;
const none = 'f'.repeat(64);

interface Made {
  manifest_sha256: string;
  entries: number;
  size: number;
  existed: boolean;
}
const manifestOf = async (files: Record<string, string>, metadata = {}): Promise<string> => {
  const entries = await Promise.all(Object.entries(files).map(async ([path, text]) => ({ path, artifact_sha256: await upload(text) })));
  return (await stack.ok<Made>(pm, 'substrate.manifest.create', { entries, metadata })).manifest_sha256;
};
const pointerAt = async (name: string, manifest: string): Promise<Pointer> =>
  (await stack.ok<{ pointer: Pointer }>(pm, 'substrate.pointer.create', { name, manifest_sha256: manifest })).pointer;
const advance = (pointer: string, from: string, to: string, extra: object = {}, caller = pm) =>
  stack.call(caller, 'substrate.pointer.advance', {
    pointer_id: pointer,
    expected_manifest_sha256: from,
    new_manifest_sha256: to,
    ...extra,
  });

describe('manifests', () => {
  it('are named by the SHA-256 of their canonical JSON, once, whoever puts them together and in whatever order', async () => {
    const [a, b] = [await upload('a'), await upload('bb', 'text/markdown')];
    const entries = [
      { path: 'b.md', artifact_sha256: b },
      { path: './docs//a.txt', artifact_sha256: a },
    ];
    const made = await stack.ok<Made>(pm, 'substrate.manifest.create', { entries, metadata: { build: 7 } });
    const canonical = canonicalJson({
      entries: [
        { path: 'b.md', artifact_sha256: b, media_type: 'text/markdown', size: 2 },
        { path: 'docs/a.txt', artifact_sha256: a, media_type: 'text/plain', size: 1 },
      ],
      metadata: { build: 7 },
    });
    expect(made).toEqual({ manifest_sha256: createHash('sha256').update(canonical).digest('hex'), entries: 2, size: 3, existed: false });
    const many = await Promise.all(
      Array.from({ length: 8 }, () =>
        stack.ok<Made>(pm, 'substrate.manifest.create', { entries: entries.toReversed(), metadata: { build: 7 } }),
      ),
    );
    for (const again of many) expect(again).toEqual({ ...made, existed: true });
    const { manifest } = await stack.ok<{ manifest: Manifest }>(pm, 'substrate.manifest.get', { manifest_sha256: made.manifest_sha256 });
    expect(manifest).toMatchObject({ entries: 2, size: 3, metadata: { build: 7 }, created_by: 'pm' });
    const otherwise = await stack.ok<Made>(pm, 'substrate.manifest.create', { entries, metadata: { build: 8 } });
    expect(otherwise.manifest_sha256).not.toBe(made.manifest_sha256);
  });

  it('hold only artifacts of their tenant, and say which are missing', async () => {
    const mine = await upload('mine');
    const theirs = await upload('theirs', 'text/plain', other);
    const answer = await stack.call(pm, 'substrate.manifest.create', {
      entries: [
        { path: 'ok', artifact_sha256: mine },
        { path: 'theirs', artifact_sha256: theirs },
        { path: 'none', artifact_sha256: none },
      ],
    });
    expect(answer.error).toMatchObject({ code: 'NOT_FOUND', details: { missing_count: 2 } });
    expect(answer.error!.details!['missing']).toEqual([
      { path: 'none', artifact_sha256: none },
      { path: 'theirs', artifact_sha256: theirs },
    ]);
  });

  it('refuse paths that lead out, or twice to the same place', async () => {
    const sha = await upload('x');
    for (const paths of [['../x'], ['/x'], ['a', './a'], ['a', 'a/b'], ['a\\b']]) {
      const answer = await stack.call(pm, 'substrate.manifest.create', { entries: paths.map((path) => ({ path, artifact_sha256: sha })) });
      expect(answer.error, paths.join()).toMatchObject({ code: 'VALIDATION_ERROR' });
    }
  });

  it('are checked out by hash or pointer, in pages, whole or some paths of them', async () => {
    const sha = await upload('shared');
    const entries = Array.from({ length: 1_200 }, (_, i) => ({ path: `src/${i % 7}/file${i}.txt`, artifact_sha256: sha }));
    const { manifest_sha256 } = await stack.ok<Made>(pm, 'substrate.manifest.create', {
      entries: [...entries, { path: 'README', artifact_sha256: await upload('read me') }],
    });
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const answer = await stack.call(pm, 'checkout_manifest', { manifest_sha256, limit: 500, cursor });
      const data = answer.data as { manifest_sha256: string; entries: ManifestEntry[] };
      expect(data.manifest_sha256).toBe(manifest_sha256);
      seen.push(...data.entries.map((entry) => entry.path));
      cursor = answer.envelope.metadata.next_cursor;
    } while (cursor !== undefined);
    expect(seen).toEqual(['README', ...entries.map((entry) => entry.path).sort()]);

    const pointer = await pointerAt('checkout/here', manifest_sha256);
    const some = await stack.call(pm, 'substrate.manifest.checkout', {
      pointer_id: pointer.id,
      paths: ['src/3/', 'README', 'nowhere'],
      limit: 500,
    });
    const found = (some.data as { entries: ManifestEntry[] }).entries;
    expect(found).toHaveLength(1 + entries.filter((entry) => entry.path.startsWith('src/3/')).length);
    expect(found[0]).toEqual({ path: 'README', artifact_sha256: expect.any(String), media_type: 'text/plain', size: 7 });
    expect(some.envelope.warnings).toEqual(['Nothing is at "nowhere".']);
    expect((await stack.call(pm, 'substrate.manifest.checkout', {})).error).toMatchObject({ code: 'VALIDATION_ERROR' });
    const forged = await stack.call(pm, 'substrate.manifest.checkout', { manifest_sha256, cursor: 'bm9uc2Vuc2U' });
    expect(forged.error).toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it('take 10,000 entries and no more', async () => {
    const sha = await upload('one of many');
    const entries = Array.from({ length: 10_000 }, (_, i) => ({ path: `p/${i}`, artifact_sha256: sha }));
    expect(await stack.ok<Made>(pm, 'substrate.manifest.create', { entries })).toMatchObject({ entries: 10_000, existed: false });
    const more = await stack.call(pm, 'substrate.manifest.create', { entries: [...entries, { path: 'q', artifact_sha256: sha }] });
    expect(more.error).toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it('hold their artifacts: neither a sweep nor a delete takes one away', async () => {
    const sha = await upload('held by a manifest');
    await stack.ok(pm, 'substrate.manifest.create', { entries: [{ path: 'held', artifact_sha256: sha }] });
    await asTenant('acme', async () => {
      expect(await dropUnreferenced(stack.db, stack.blobs, 'acme', [sha])).toBe(0);
      await expect(stack.db.query('delete from artifacts where tenant_id = $1 and sha256 = $2', ['acme', sha])).rejects.toThrow(
        /foreign key/,
      );
    });
    expect(await stack.ok(pm, 'substrate.artifact.get', { sha256: sha, include_content: true })).toMatchObject({
      artifact: { content: 'held by a manifest' },
    });
  });
});

describe('artifacts', () => {
  it('are listed newest first, by media type, in pages', async () => {
    const lister = await stack.caller({ tenant: 'initech', name: 'peter' });
    const made: string[] = [];
    for (let i = 0; i < 5; i++) made.unshift(await upload(`n${i}`, i % 2 ? 'text/csv' : 'text/plain', lister));
    const first = await stack.call(lister, 'substrate.artifact.list', { limit: 3 });
    const second = await stack.call(lister, 'substrate.artifact.list', { limit: 3, cursor: first.envelope.metadata.next_cursor });
    const hashes = [first, second].flatMap((answer) => (answer.data as { artifacts: Artifact[] }).artifacts.map((one) => one.sha256));
    expect(hashes).toEqual(made);
    expect(second.envelope.metadata.next_cursor).toBeUndefined();
    const csv = await stack.ok<{ artifacts: Artifact[] }>(lister, 'substrate.artifact.list', { media_type: 'text/csv' });
    expect(csv.artifacts).toHaveLength(2);
  });
});

describe('pointers', () => {
  it('are resolved by id and by name, under the old names too', async () => {
    const at = await manifestOf({ f: 'resolve' });
    const pointer = await pointerAt('resolve/me', at);
    expect(pointer).toMatchObject({ name: 'resolve/me', manifest_sha256: at, rev: 1, updated_by: 'pm' });
    for (const by of [{ pointer_id: pointer.id }, { name: 'resolve/me' }]) {
      expect(await stack.ok(pm, 'resolve_pointer', by)).toEqual({ pointer, manifest_sha256: at });
    }
    expect((await stack.call(pm, 'substrate.pointer.resolve', {})).error).toMatchObject({ code: 'VALIDATION_ERROR' });
    expect((await stack.call(pm, 'substrate.pointer.resolve', { name: 'nobody' })).error).toMatchObject({ code: 'NOT_FOUND' });
  });

  it('have a name that is theirs alone', async () => {
    const [a, b] = [await manifestOf({ f: 'a' }), await manifestOf({ f: 'b' })];
    const made = await Promise.all(
      Array.from({ length: 6 }, () =>
        stack.ok<{ pointer: Pointer; existed: boolean }>(pm, 'substrate.pointer.create', { name: 'mine', manifest_sha256: a }),
      ),
    );
    expect(new Set(made.map((one) => one.pointer.id)).size).toBe(1);
    expect(made.filter((one) => !one.existed)).toHaveLength(1);
    const taken = await stack.call(pm, 'substrate.pointer.create', { name: 'mine', manifest_sha256: b });
    expect(taken.error).toMatchObject({ code: 'CONFLICT', details: { pointer_id: made[0]!.pointer.id, current_manifest_sha256: a } });
    expect((await stack.call(pm, 'substrate.pointer.create', { name: 'lost', manifest_sha256: none })).error).toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  it('are listed by name, by their beginning, in pages', async () => {
    const at = await manifestOf({ f: 'list' });
    const names = ['list/A', 'list/B', 'list/a', 'list/b', 'list/c'];
    for (const name of names.toReversed()) await pointerAt(name, at);
    const first = await stack.call(pm, 'list_pointers', { prefix: 'list/', limit: 2 });
    const rest = await stack.call(pm, 'substrate.pointer.list', {
      prefix: 'list/',
      limit: 50,
      cursor: first.envelope.metadata.next_cursor,
    });
    const listed = [first, rest].flatMap((answer) => (answer.data as { pointers: PointerSummary[] }).pointers);
    expect(listed.map((one) => one.name)).toEqual(names);
    expect(Object.keys(listed[0]!).sort()).toEqual(['id', 'manifest_sha256', 'name', 'updated_at']);
  });

  it('move only from where they are expected, and one of many wins', async () => {
    const start = await manifestOf({ f: 'start' });
    const goals = await Promise.all(Array.from({ length: 8 }, (_, i) => manifestOf({ f: `goal ${i}` })));
    const pointer = await pointerAt('race', start);
    const answers = await Promise.all(goals.map((goal) => advance(pointer.id, start, goal, { reason: `to ${goal}` })));
    const won = answers.filter((answer) => !answer.error);
    expect(won).toHaveLength(1);
    const now = (won[0]!.data as { pointer: Pointer; previous_manifest_sha256: string }).pointer;
    expect(won[0]!.data).toMatchObject({ previous_manifest_sha256: start, pointer: { rev: 2 } });
    for (const lost of answers.filter((answer) => answer.error)) {
      expect(lost.error).toMatchObject({
        code: 'CONFLICT',
        details: { pointer_id: pointer.id, expected_manifest_sha256: start, current_manifest_sha256: now.manifest_sha256, rev: 2 },
      });
    }
    // Back again is a move like any other.
    expect((await advance(pointer.id, now.manifest_sha256, start, { reason: 'bad' })).error).toBeUndefined();
    const first = await stack.call(pm, 'substrate.pointer.history', { pointer_id: pointer.id, limit: 2 });
    const last = await stack.call(pm, 'substrate.pointer.history', { pointer_id: pointer.id, cursor: first.envelope.metadata.next_cursor });
    const moves = [first, last].flatMap((answer) => (answer.data as { moves: PointerMove[] }).moves);
    expect(
      moves.map(({ rev, from_manifest_sha256, to_manifest_sha256, reason }) => [rev, from_manifest_sha256, to_manifest_sha256, reason]),
    ).toEqual([
      [3, now.manifest_sha256, start, 'bad'],
      [2, start, now.manifest_sha256, `to ${now.manifest_sha256}`],
      [1, null, start, null],
    ]);
    const told = await asTenant('acme', () =>
      stack.db.query<{ type: string }>('select type from outbox where tenant_id = $1 and subject = $2 order by xid, id', [
        'acme',
        pointer.id,
      ]),
    );
    expect(told.map((event) => event.type)).toEqual(['pointer.created', 'pointer.advanced', 'pointer.advanced']);
  });

  it('are moved once by a repeat, with a key or without', async () => {
    const [a, b] = [await manifestOf({ f: 'once a' }), await manifestOf({ f: 'once b' })];
    const pointer = await pointerAt('once', a);
    const args = { pointer_id: pointer.id, expected_manifest_sha256: a, new_manifest_sha256: b };
    for (let i = 0; i < 2; i++) {
      const answer = await stack.call(pm, 'substrate.pointer.advance', args, { idempotencyKey: 'move-once' });
      expect(answer.data).toMatchObject({ pointer: { rev: 2, manifest_sha256: b } });
    }
    const again = await stack.call(pm, 'substrate.pointer.advance', args);
    expect(again.data).toMatchObject({ pointer: { rev: 2 } });
    expect(again.envelope.warnings[0]).toContain('before');
    const colleague = await stack.caller({ name: 'colleague' });
    expect((await stack.call(colleague, 'substrate.pointer.advance', args)).error).toMatchObject({ code: 'CONFLICT' });
    expect((await advance(pointer.id, b, b)).error).toMatchObject({ code: 'VALIDATION_ERROR' });
    expect((await advance(pointer.id, b, none)).error).toMatchObject({ code: 'NOT_FOUND' });
  });

  it('and manifests of another tenant are not there', async () => {
    const [at, to] = [await manifestOf({ f: 'private' }), await manifestOf({ f: 'private too' })];
    const pointer = await pointerAt('private', at);
    const asked = [
      stack.call(other, 'substrate.manifest.get', { manifest_sha256: at }),
      stack.call(other, 'substrate.manifest.checkout', { manifest_sha256: at }),
      stack.call(other, 'substrate.manifest.checkout', { pointer_id: pointer.id }),
      stack.call(other, 'substrate.pointer.resolve', { pointer_id: pointer.id }),
      stack.call(other, 'substrate.pointer.resolve', { name: 'private' }),
      stack.call(other, 'substrate.pointer.history', { pointer_id: pointer.id }),
      stack.call(other, 'substrate.pointer.create', { name: 'x', manifest_sha256: at }),
      advance(pointer.id, at, to, {}, other),
    ];
    for (const answer of await Promise.all(asked)) expect(answer.error).toMatchObject({ code: 'NOT_FOUND' });
    expect(await stack.ok(other, 'substrate.pointer.list')).toEqual({ pointers: [] });
  });
});
