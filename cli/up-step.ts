/** Steps of `up`, each in a separate process. */
import type { Config } from '../platform/config.ts';
import { answerStep } from '../platform/embedded/step.ts';

/** `migrate` connects as the database's owner; `key` creates the key of this machine's user; `blobs` tries the store. */
export type UpStep = { step: 'migrate'; url: string } | { step: 'key'; url: string; config: Config } | { step: 'blobs'; config: Config };

answerStep<UpStep>(async (given) => {
  if (given.step === 'migrate') return await (await import('../deploy/database.ts')).prepareDatabase(given.url);
  if (given.step === 'key') return await (await import('./local-key.ts')).ensureLocalKey(given.config, given.url);
  await (await (await import('../adapters/blobs/open.ts')).openCheckedBlobs(given.config)).close();
  return null;
});
