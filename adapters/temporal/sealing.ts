/**
 * Seals the payloads that our processes send to Temporal. Its port has no authentication: any program that can
 * connect can start workflows, send updates and answer as a worker. Only processes with SIGNALBOX_SECRET_KEY can make
 * a seal; `workflows/kernel/sealed.ts` and `workers/sealed.ts` refuse payloads without one.
 */
import type { WorkflowClientInterceptor } from '@temporalio/client';
import type { Payload, PayloadCodec } from '@temporalio/common';
import { createHash, randomUUID } from 'node:crypto';
import { stampFor, type Stamp } from '../../contracts/temporal.ts';
import type { SecretBox } from '../secrets/box.ts';

type Context = NonNullable<Parameters<PayloadCodec['encode']>[1]>;

const stampStart = Buffer.from('{"signalboxStamp":');
const encoding = (payload: Payload): string => Buffer.from(payload.metadata?.['encoding'] ?? []).toString('latin1');
const bytesOf = ({ data }: Payload): Buffer => (data ? Buffer.from(data.buffer, data.byteOffset, data.byteLength) : Buffer.alloc(0));

const isStamp = (payload: Payload | undefined): payload is Payload =>
  payload !== undefined && encoding(payload) === 'json/plain' && bytesOf(payload).subarray(0, stampStart.length).equals(stampStart);

/**
 * Signs argument lists that end with a stamp, for one workflow; on arrival marks whether the seal is valid. Texts
 * stay readable.
 */
export function sealingCodec(secrets: Pick<SecretBox, 'mac' | 'verifies'>): PayloadCodec {
  const signed = (payloads: Payload[], context: Context | undefined): string => {
    const parts = payloads.map((payload) =>
      createHash('sha256')
        .update(`${encoding(payload)}\0`)
        .update(bytesOf(payload))
        .digest('hex'),
    );
    return JSON.stringify(['temporal', context?.type, context?.namespace, context?.workflowId, ...parts]);
  };
  return {
    encode(payloads, context) {
      const last = payloads.at(-1);
      if (!isStamp(last)) return Promise.resolve(payloads);
      const seal = secrets.mac(signed(payloads, context));
      return Promise.resolve([...payloads.slice(0, -1), { ...last, metadata: { ...last.metadata, seal } }]);
    },
    decode(payloads, context) {
      const last = payloads.at(-1);
      if (!isStamp(last)) return Promise.resolve(payloads.map(readable));
      const sealed = secrets.verifies(signed(payloads, context), last.metadata?.['seal'] ?? Buffer.alloc(0));
      const stamp: Stamp = sealed
        ? { ...(JSON.parse(bytesOf(last).toString()) as Stamp), sealed }
        : { signalboxStamp: 'not sealed by this installation', sealed };
      const { seal: _, ...metadata } = last.metadata ?? {};
      return Promise.resolve([
        ...(sealed ? payloads.slice(0, -1) : payloads.slice(0, -1).map(readable)),
        { ...last, metadata, data: Buffer.from(JSON.stringify(stamp)) },
      ]);
    },
  };
}

const nothing: Payload = { metadata: { encoding: Buffer.from('binary/null') } };

/**
 * An unreadable payload becomes undefined: in a signal or an answer it would otherwise fail every later workflow
 * task.
 */
function readable(payload: Payload): Payload {
  const kind = encoding(payload);
  if (kind === 'binary/null' || kind === 'binary/plain') return payload;
  if (kind !== 'json/plain') return nothing;
  try {
    JSON.parse(bytesOf(payload).toString());
    return payload;
  } catch {
    return nothing;
  }
}

/** Appends the stamp to the arguments of every start, update and signal. */
export function sealingInterceptor(): WorkflowClientInterceptor {
  const stamp = (what: string, id?: string): Stamp => ({ signalboxStamp: what, ...(id === undefined ? {} : { id }), at: Date.now() });
  const start = <O extends { args: unknown[] }>(workflow: string, options: O): O => ({
    ...options,
    args: [...options.args, stamp(stampFor.start(workflow))],
  });
  return {
    startWithDetails: (input, next) => next({ ...input, options: start(input.workflowType, input.options) }),
    signalWithStart: (input, next) =>
      next({
        ...input,
        signalArgs: [...input.signalArgs, stamp(stampFor.signal(input.signalName))],
        options: start(input.workflowType, input.options),
      }),
    signal: (input, next) => next({ ...input, args: [...input.args, stamp(stampFor.signal(input.signalName))] }),
    startUpdate(input, next) {
      const updateId = input.options.updateId ?? randomUUID();
      const args = [...input.args, stamp(stampFor.update(input.updateName), updateId)];
      return next({ ...input, args, options: { ...input.options, updateId } });
    },
    startUpdateWithStart(input, next) {
      const updateId = input.updateOptions.updateId ?? randomUUID();
      return next({
        ...input,
        workflowStartOptions: start(input.workflowType, input.workflowStartOptions),
        updateArgs: [...input.updateArgs, stamp(stampFor.update(input.updateName), updateId)],
        updateOptions: { ...input.updateOptions, updateId },
      });
    },
  };
}
