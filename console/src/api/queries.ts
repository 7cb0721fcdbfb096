import { QueryClient } from '@tanstack/react-query';
import { CallError } from './errors.ts';

/** All records that screens show, by tool and arguments. Events make them stale; nothing polls. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // The live stream notices a lost server and asks for everything again when it is back.
      retry: (failures, error) => error instanceof CallError && error.passing && error.status !== 0 && failures < 2,
      retryDelay: (_failures, error) => (error instanceof CallError && error.retryAfter ? error.retryAfter * 1000 : 1000),
      networkMode: 'always',
    },
  },
});
