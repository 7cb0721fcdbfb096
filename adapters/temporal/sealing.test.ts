import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import { expect, it } from 'vitest';
import { secretBox } from '../secrets/box.ts';
import { sealingCodec } from './sealing.ts';

const keyed = (key: string) => sealingCodec(secretBox(key, ''));
const codec = keyed('ours');
const context = { type: 'workflow', namespace: 'default', workflowId: 'call/acme/1' } as const;
const stamp = { signalboxStamp: 'update decide', id: 'u1', at: 5 };
const payloads = (...values: unknown[]): Payload[] => values.map((value) => defaultPayloadConverter.toPayload(value));
const values = (list: Payload[]): unknown[] => list.map((payload) => defaultPayloadConverter.fromPayload(payload));
const sealed = () => codec.encode(payloads({ decision: 'approved' }, stamp), context);
const opened = async (list: Payload[], by = codec, where: Parameters<typeof codec.decode>[1] = context) =>
  values(await by.decode(list, where)).at(-1);
const unsealed = { signalboxStamp: 'not sealed by this installation', sealed: false };

it('seals what ends with a stamp, readable as before, and nothing else', async () => {
  const list = await sealed();
  expect(values(list)).toEqual([{ decision: 'approved' }, stamp]);
  expect(values(await codec.decode(list, context))).toEqual([{ decision: 'approved' }, { ...stamp, sealed: true }]);
  const plain = payloads({ decision: 'approved' }, 'signalboxStamp');
  expect(await codec.encode(plain, context)).toBe(plain);
  expect(await codec.decode(await codec.encode([], context), context)).toEqual([]);
});

it('opens no copy for another process, no change, no part, and nothing of another key', async () => {
  const list = await sealed();
  expect(await opened(list, codec, { ...context, workflowId: 'call/acme/2' })).toEqual(unsealed);
  expect(await opened(list, codec, { ...context, namespace: 'other' })).toEqual(unsealed);
  expect(await opened(list, codec, { ...context, type: 'activity', isLocal: false })).toEqual(unsealed);
  expect(await opened([...payloads({ decision: 'rejected' }), list[1]!])).toEqual(unsealed);
  expect(await opened([list[1]!])).toEqual(unsealed);
  expect(await opened([list[0]!, list[0]!, list[1]!])).toEqual(unsealed);
  const renamed = { ...list[1]!, data: Buffer.from(JSON.stringify({ ...stamp, signalboxStamp: 'update cancel' })) };
  expect(await opened([list[0]!, renamed])).toEqual(unsealed);
  expect(await opened(list, keyed('theirs'))).toEqual(unsealed);
});

it('believes no stamp that calls itself sealed', async () => {
  expect(await opened(payloads({ decision: 'approved' }, { ...stamp, sealed: true }))).toEqual(unsealed);
  expect(await opened(await keyed('theirs').encode(payloads({}, { ...stamp, sealed: true }), context))).toEqual(unsealed);
});

it('makes nothing of what nobody can read, which would fail the step that reads it', async () => {
  const json = { encoding: Buffer.from('json/plain') };
  const bad: Payload[] = [{ metadata: json, data: Buffer.from('{"a":') }, { metadata: { encoding: Buffer.from('json/else') } }, {}];
  expect(values(await codec.decode(bad, context))).toEqual([undefined, undefined, undefined]);
  expect(await opened([...bad, { metadata: json, data: Buffer.from('{"signalboxStamp":') }])).toEqual(unsealed);
});
