/** Temporal's core of this process, for all its test files: it is installed once, before anything uses it. */
import { Runtime } from '@temporalio/worker';

const none = (): void => {};
Runtime.install({ shutdownSignals: [], logger: { log: none, trace: none, debug: none, info: none, warn: none, error: none } });
