/** Loaded by its path by client and worker, where payloads are encrypted: texts of failures become payloads. */
import { DefaultFailureConverter } from '@temporalio/common';

export const failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true });
