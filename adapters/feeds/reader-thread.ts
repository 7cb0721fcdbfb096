/** The thread that reads one large feed (started by reader.ts). */
import { serve } from '../../platform/pool/serve.ts';
import { articlesOf } from './articles.ts';
import { readFeed } from './read.ts';
import type { FeedInput } from './types.ts';

await serve(
  () =>
    ({ input, max }: { input: FeedInput; max: number }) =>
      articlesOf(readFeed(input), max),
);
