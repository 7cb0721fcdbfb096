/** Steps of `up`, each in a separate process. */
import type { Config } from '../platform/config.ts';
import { answerStep } from '../platform/embedded/step.ts';

/** `migrate` connects as the database's owner; `key` creates the key of this machine's user. */
export type UpStep = { step: 'migrate'; url: string } | { step: 'key'; url: string; config: Config };

answerStep<UpStep>(async (given) =>
  given.step === 'migrate'
    ? await (await import('../deploy/database.ts')).prepareDatabase(given.url)
    : await (await import('./local-key.ts')).ensureLocalKey(given.config, given.url),
);
