/**
 * Each stack has a namespace of its own. It is made when the stack starts: in every namespace Temporal's server runs
 * workers of its own all the time.
 */
import { randomBytes } from 'node:crypto';
import { openTemporal, type Temporal } from '../../adapters/temporal/client.ts';
import { setUpNamespace } from '../../adapters/temporal/setup.ts';

const oneDay = { seconds: 86_400 };
const deleted = 3;

/** @returns its name, which nobody else can have: processes that run at once and those that are restarted ask nobody */
export async function makeNamespace(address: string): Promise<string> {
  const namespace = `test-${randomBytes(8).toString('hex')}`;
  await inNamespace(address, namespace, async (temporal) => {
    // Not looked for first: a name that was asked for in vain stays unknown for a second.
    await temporal.client.connection.workflowService.registerNamespace({
      namespace,
      workflowExecutionRetentionPeriod: oneDay as never,
    });
    await setUpNamespace(temporal, undefined);
  });
  return namespace;
}

/**
 * Ends the server's workers in it, and with them its schedules. Its processes stay, and go with the server's folder: to
 * delete them costs more processor time than they do.
 */
export const leaveNamespace = (address: string, namespace: string): Promise<void> =>
  inNamespace(address, namespace, async ({ client }) => {
    await client.connection.workflowService.updateNamespace({ namespace, updateInfo: { state: deleted } });
  });

async function inNamespace(address: string, namespace: string, act: (temporal: Temporal) => Promise<void>): Promise<void> {
  const temporal = openTemporal({ address, namespace, secrets: null });
  try {
    await act(temporal);
  } finally {
    await temporal.close();
  }
}
