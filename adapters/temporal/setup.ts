/** Prepares a namespace for Signalbox: checks what is there, and creates what is missing where the server permits. */
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../contracts/errors.ts';
import { searchAttributes } from '../../contracts/temporal.ts';
import type { Temporal } from './client.ts';
import { grpcCode } from './errors.ts';
import { connectionProblem } from './refusals.ts';

/** `by hand`: this server does not let us; `what` says what to create. */
export interface SetupStep {
  name: 'namespace' | 'retention' | 'search attributes' | 'schedule';
  state: 'there' | 'created' | 'changed' | 'by hand';
  what: string;
}

/** As long as temporal's own default for a namespace made by its command line, in days. */
const defaultRetentionDays = 7;
const secondsPerDay = 86_400;

/** Unimplemented, permission denied, unauthenticated: Temporal Cloud administers namespaces by its own API. */
const notPermitted = (error: unknown): boolean => [7, 12, 16].includes(grpcCode(error) ?? -1);
const keyword = 2;
const knownWithin = 30_000;

/**
 * @param retentionDays how long ended processes are kept; undefined: as it is, seven days for a new namespace
 * @throws AppError that names the setting to look at, when Temporal does not answer
 */
export async function setUpNamespace(temporal: Temporal, retentionDays: number | undefined): Promise<SetupStep[]> {
  try {
    const steps = await namespaceSteps(temporal, retentionDays);
    const [namespace] = steps;
    if (namespace!.state === 'by hand')
      return [...steps, { name: 'search attributes', state: 'by hand', what: byHand(temporal.namespace, Object.values(searchAttributes)) }];
    return [...steps, await onceKnown(() => attributeStep(temporal))];
  } catch (error) {
    throw connectionProblem(error, temporal.target);
  }
}

/** Every part of a server knows a new namespace only after some seconds. */
async function onceKnown<T>(ask: () => Promise<T>): Promise<T> {
  for (const until = Date.now() + knownWithin; ; await sleep(200)) {
    try {
      return await ask();
    } catch (error) {
      if (grpcCode(error) !== 5 || Date.now() > until) throw error;
    }
  }
}

async function namespaceSteps({ client, namespace }: Temporal, wanted: number | undefined): Promise<SetupStep[]> {
  const { workflowService } = client.connection;
  const period = (days: number) => ({ seconds: days * secondsPerDay });
  const described = await workflowService.describeNamespace({ namespace }).catch((error: unknown) => {
    if (grpcCode(error) === 5) return null;
    throw error;
  });
  if (described === null) {
    const days = wanted ?? defaultRetentionDays;
    try {
      await workflowService.registerNamespace({
        namespace,
        description: 'Signalbox',
        workflowExecutionRetentionPeriod: period(days) as never,
      });
      return [{ name: 'namespace', state: 'created', what: `${namespace}, ended processes are kept for ${days} days` }];
    } catch (error) {
      // Created by somebody else in this moment.
      if (grpcCode(error) === 6) return [{ name: 'namespace', state: 'there', what: namespace }];
      if (!notPermitted(error)) throw error;
      return [
        {
          name: 'namespace',
          state: 'by hand',
          what: `temporal operator namespace create --namespace ${namespace} --retention ${days}d; in Temporal Cloud: tcld namespace create --namespace ${namespace} --retention-days ${days}`,
        },
      ];
    }
  }
  const days = Number(described.config?.workflowExecutionRetentionTtl?.seconds ?? 0) / secondsPerDay;
  const found: SetupStep = { name: 'namespace', state: 'there', what: `${namespace}, ended processes are kept for ${days} days` };
  if (wanted === undefined || wanted === days) return [found];
  try {
    await workflowService.updateNamespace({ namespace, config: { workflowExecutionRetentionTtl: period(wanted) as never } });
    return [
      { ...found, what: namespace },
      { name: 'retention', state: 'changed', what: `from ${days} to ${wanted} days` },
    ];
  } catch (error) {
    if (!notPermitted(error)) throw error;
    return [
      found,
      { name: 'retention', state: 'by hand', what: `tcld namespace retention set --namespace ${namespace} --retention-days ${wanted}` },
    ];
  }
}

/** The search attributes that the namespace lacks. */
export async function missingAttributes({ client, namespace }: Temporal): Promise<string[]> {
  const names = Object.values(searchAttributes);
  const { connection } = client;
  const custom = await connection.operatorService.listSearchAttributes({ namespace }).then(
    ({ customAttributes }) => customAttributes ?? {},
    async (error: unknown) => {
      if (!notPermitted(error)) throw error;
      // Temporal Cloud has no operator API; it lists them here.
      return (await connection.workflowService.getSearchAttributes({})).keys ?? {};
    },
  );
  const wrong = names.filter((name) => name in custom && custom[name] !== keyword);
  if (wrong.length > 0) {
    throw new AppError('CONFLICT', `The search attribute ${wrong.join(', ')} exists with another type than Keyword.`, {
      hint: 'Remove it from the namespace (`temporal operator search-attribute remove`), or use another namespace: TEMPORAL_NAMESPACE.',
    });
  }
  return names.filter((name) => !(name in custom));
}

async function attributeStep(temporal: Temporal): Promise<SetupStep> {
  const { client, namespace } = temporal;
  const name = 'search attributes';
  const missing = await missingAttributes(temporal);
  if (missing.length === 0) return { name, state: 'there', what: Object.values(searchAttributes).join(', ') };
  try {
    await client.connection.operatorService.addSearchAttributes({
      namespace,
      searchAttributes: Object.fromEntries(missing.map((each) => [each, keyword])),
    });
    return { name, state: 'created', what: missing.join(', ') };
  } catch (error) {
    if (grpcCode(error) === 6) return { name, state: 'there', what: missing.join(', ') };
    if (!notPermitted(error)) throw error;
    return { name, state: 'by hand', what: byHand(namespace, missing) };
  }
}

/** How a person creates them in Temporal Cloud. */
const byHand = (namespace: string, missing: readonly string[]): string =>
  `tcld namespace search-attributes add --namespace ${namespace} ${missing.map((each) => `--search-attribute "${each}=Keyword"`).join(' ')}`;
