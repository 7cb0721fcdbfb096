import { DefaultFailureConverter } from '@temporalio/common';
import { encryptMark } from '../../contracts/temporal.ts';

/** Of all workflows. The worker replaces the mark in its copy of the bundle, where it encrypts payloads. */
export const failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: (encryptMark as string) === 'true' });
