import { createRequire } from 'node:module';
import type * as Undici from 'undici';

let loaded: typeof Undici | undefined;

/** The HTTP client, 2 MB of code, loaded with the first request. */
export const undici = (): typeof Undici => (loaded ??= createRequire(import.meta.url)('undici') as typeof Undici);
