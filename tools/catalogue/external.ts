import { z } from 'zod';
import { AppError } from '../../contracts/errors.ts';
import type { Caller, Front } from '../../contracts/caller.ts';
import type { Services } from '../../services/index.ts';
import type { ExternalTool, Snapshot } from '../../services/governance/index.ts';
import type { Resolved } from './catalogue.ts';
import type { AnyTool, ToolContext } from './define.ts';
import { barrier } from './policy.ts';

const anyInput = z.looseObject({});
const anyOutput = z.looseObject({});

const made = new WeakMap<ExternalTool, AnyTool>();
const lists = new WeakMap<Snapshot, readonly AnyTool[]>();
const none: readonly AnyTool[] = [];

/** A tool of another server in the shape of ours, so that rights, policy, approval and ledger apply to it. */
export function externalTool(found: ExternalTool): AnyTool {
  let tool = made.get(found);
  if (!tool) {
    const { name, server, definition } = found;
    const title = definition.title ?? definition.annotations?.['title'];
    tool = {
      name,
      ...(found.listedAs === name ? {} : { listedAs: found.listedAs }),
      title: typeof title === 'string' ? title : found.tool,
      description: definition.description ?? `"${found.tool}" of the external server "${server}".`,
      effect: found.effect,
      idempotent: found.idempotent,
      external: true,
      provider: server,
      approval: found.approval,
      scopes: ['external:use'],
      latency: 'L3',
      input: anyInput,
      output: anyOutput,
      foreign: {
        input: definition.inputSchema,
        ...(definition.outputSchema ? { output: definition.outputSchema } : {}),
        check: (args) => found.check(args, name),
      },
      intents: [],
      aliases: [],
      handler: (args, { caller, services, signal, progress }: ToolContext<'external'>) =>
        services.external.call(caller, name, args as Record<string, unknown>, { signal, onProgress: progress }),
    };
    made.set(found, tool);
  }
  return tool;
}

export const isExternalName = (name: string): boolean => /^external[._-]/.test(name);

/**
 * The tool of another server with this name; undefined when there is none.
 * @throws AppError FORBIDDEN; CONFLICT or GONE when it exists but cannot be called now
 */
export async function externalNamed(
  services: Pick<Services, 'external'>,
  caller: Caller,
  name: string,
  front?: Front,
): Promise<Resolved | undefined> {
  const found = await services.external.find(caller.tenant, name);
  if (!found) return undefined;
  const tool = externalTool(found);
  const barred = barrier(tool, caller, front);
  if (barred) throw new AppError('FORBIDDEN', barred.reason, barred.hint === undefined ? {} : { hint: barred.hint });
  await services.external.assertCallable(caller.tenant, found);
  return { tool, name: tool.name };
}

/** Other servers' tools that this tenant can call. Returns the same list as long as nothing changes. */
export async function externalTools(services: Pick<Services, 'external'>, caller: Caller): Promise<readonly AnyTool[]> {
  const snapshot = await services.external.snapshot(caller.tenant);
  if (snapshot.callable.length === 0) return none;
  let list = lists.get(snapshot);
  if (!list) lists.set(snapshot, (list = snapshot.callable.map(externalTool)));
  return list;
}
