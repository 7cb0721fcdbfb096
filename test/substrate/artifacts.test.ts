/** Content named by its hash: stored once, never lost to a concurrent delete, passed by reference. */
import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Caller } from '../../contracts/caller.ts';
import type { SearchHit } from '../../contracts/knowledge/knowledge.ts';
import type { Artifact, Uploaded } from '../../contracts/substrate/substrate.ts';
import { dropUnreferenced } from '../../services/kernel/blobs.ts';
import { testStack, type TestStack } from '../setup/stack.ts';

let stack: TestStack;
let pm: Caller;
beforeAll(async () => {
  stack = await testStack({ model: false });
  pm = await stack.caller({ name: 'pm' });
});
afterAll(() => stack?.stop());

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const upload = (args: object, caller = pm) =>
  stack.ok<Uploaded>(caller, 'substrate.artifact.upload', { media_type: 'text/plain', ...args });
const get = (sha256: string, extra: object = {}, caller = pm) => stack.call(caller, 'substrate.artifact.get', { sha256, ...extra });

describe('artifacts', () => {
  it('are named by their bytes, text or not', async () => {
    const text = 'Grüße, and a pangolin.';
    const sha256 = hashOf(Buffer.from(text));
    const answer = await stack.call(pm, 'substrate-artifact-upload', { content: text, media_type: 'text/markdown', filename: 'a.md' });
    expect(answer.data).toEqual({ sha256, size: Buffer.byteLength(text), existed: false });
    expect(answer.envelope.refs).toEqual([{ type: 'artifact', id: sha256, sha256 }]);
    expect(await upload({ content_base64: Buffer.from(text).toString('base64'), media_type: 'application/pdf' })).toMatchObject({
      sha256,
      existed: true,
    });
    const { artifact } = (await get(sha256, { include_content: true })).data as { artifact: Artifact & { content: string } };
    expect(artifact).toEqual({
      sha256,
      media_type: 'text/markdown',
      filename: 'a.md',
      size: Buffer.byteLength(text),
      created_by: 'pm',
      created_at: expect.any(String),
      content: text,
    });

    const bytes = randomBytes(5_000);
    const binary = await upload({ content_base64: bytes.toString('base64'), media_type: 'application/octet-stream' });
    expect(binary).toEqual({ sha256: hashOf(bytes), size: 5_000, existed: false });
    const kept = await asTenant('acme', () => stack.services.substrate.artifacts.get('acme', binary.sha256));
    expect(Buffer.from(kept.bytes)).toEqual(bytes);
    const shown = await get(binary.sha256, { include_content: true });
    expect(shown.data).not.toHaveProperty('artifact.content');
    expect(shown.envelope.warnings.join()).toMatch(/not text/);
    expect(await upload({ content: '' })).toEqual({ sha256: hashOf(Buffer.alloc(0)), size: 0, existed: false });
  });

  it('of much text come in parts that end with a line, or between two characters', async () => {
    const parts = async (sha256: string): Promise<string[]> => {
      const read: string[] = [];
      let cursor: string | undefined;
      do {
        const { data, envelope } = await get(sha256, { include_content: true, cursor });
        read.push((data as { artifact: { content: string } }).artifact.content);
        cursor = envelope.metadata.next_cursor;
        expect(envelope.warnings.join()).toMatch(cursor === undefined ? /^$/ : /goes on after byte/);
      } while (cursor !== undefined);
      return read;
    };
    const lines = `${'line with an ä\n'.repeat(30_000)}end`;
    const inLines = await parts((await upload({ content: lines })).sha256);
    expect([inLines.length, inLines.join('') === lines]).toEqual([3, true]);
    expect(inLines.slice(0, -1).every((part) => part.endsWith('\n'))).toBe(true);
    const oneLine = `x${'€'.repeat(100_000)}`;
    const cut = await parts((await upload({ content: oneLine })).sha256);
    expect([cut.length, cut.join('') === oneLine]).toEqual([2, true]);
    const { sha256 } = await upload({ content: 'short' });
    expect((await get(sha256, { include_content: true, cursor: '99' })).data).toMatchObject({ artifact: { content: '' } });
  });

  it('uploaded by many at once exist once', async () => {
    const all = await Promise.all(Array.from({ length: 8 }, () => upload({ content: 'At once.' })));
    expect(all.filter((one) => !one.existed)).toHaveLength(1);
    expect(await asTenant('acme', () => stack.db.query('select size from artifacts where sha256 = $1', [all[0]!.sha256]))).toHaveLength(1);
  });

  it("are their tenant's", async () => {
    const gil = await stack.caller({ tenant: 'globex', name: 'gil' });
    const { sha256 } = await upload({ content: 'Ours alone.' });
    expect((await get(sha256, {}, gil)).error).toMatchObject({ code: 'NOT_FOUND' });
    await expect(asTenant('globex', () => stack.services.substrate.artifacts.get('globex', sha256))).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    expect(await upload({ content: 'Ours alone.' }, gil)).toMatchObject({ sha256, existed: false });
  });

  it('are refused with what to do instead', async () => {
    const { artifacts } = stack.services.substrate;
    for (const wrong of [
      {},
      { content: 'a', content_base64: 'YQ==' },
      { content_base64: 'not base64!' },
      { content_base64: 'YQ=YQ' },
      { content_base64: 'abcde' },
      { content: 'a', media_type: 'text' },
    ]) {
      const answer = await stack.call(pm, 'substrate.artifact.upload', { media_type: 'text/plain', ...wrong });
      expect(answer.error, JSON.stringify(wrong)).toMatchObject({ code: 'VALIDATION_ERROR' });
    }
    await expect(
      asTenant('acme', () => artifacts.upload(pm, Buffer.alloc(50 * 1024 * 1024 + 1), { mediaType: 'text/plain' })),
    ).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
    expect((await get('0'.repeat(64))).error).toMatchObject({ code: 'NOT_FOUND' });
    expect((await get('../../etc/passwd')).error).toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it('uploaded while the same bytes are being deleted are there afterwards', async () => {
    const drop = (sha256: string) => asTenant('acme', () => dropUnreferenced(stack.db, stack.blobs, 'acme', [sha256]));
    for (let round = 0; round < 25; round += 1) {
      const content = `Contested bytes, round ${round}.`;
      // Bytes without a reference, as after the deletion of a source.
      const sha256 = await stack.blobs.put('acme', Buffer.from(content));
      await Promise.all([drop(sha256), upload({ content }), drop(sha256)]);
      const { artifact } = (await get(sha256, { include_content: true })).data as { artifact: { content: string } };
      expect(artifact.content, `round ${round}`).toBe(content);
      expect(await drop(sha256)).toBe(0);
    }
    const orphan = await stack.blobs.put('acme', Buffer.from('Nobody refers to me.'));
    expect(await drop(orphan)).toBe(1);
    await expect(stack.blobs.get('acme', orphan)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('are taken in by their hash', async () => {
    const { sha256 } = await upload({
      content: '# Binturong\n\nIt smells of popcorn.',
      media_type: 'text/markdown',
      filename: 'binturong.md',
    });
    const taken = await stack.services.substrate.artifacts.get.call(stack.services.substrate.artifacts, 'acme', sha256).catch(() => null);
    // Without a tenant row-level security shows nothing.
    expect(taken).toBeNull();
    const { answer } = await asTenant('acme', () =>
      stack.services.knowledge.commands.submit(pm, { kind: 'document', artifact: sha256 }, { waitMs: 60_000 }),
    );
    expect(answer.status).toBe('completed');
    const { hits } = await stack.ok<{ hits: SearchHit[] }>(pm, 'index.chunk.search', { query: 'popcorn' });
    expect(hits[0]).toMatchObject({ source_id: answer.source_id });
    await stack.ok(pm, 'knowledge.source.delete', { source_id: answer.source_id });
    expect(await stack.blobs.has('acme', sha256)).toBe(true);
  });
});
