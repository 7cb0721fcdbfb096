/** The process that reads files (started by bounded.ts). */
import { serve } from '../../platform/pool/serve.ts';
import { parse } from './index.ts';
import type { ParseInput, ParseLimits } from './types.ts';

await serve(
  ({ limits }: { limits: ParseLimits }) =>
    (input: ParseInput) =>
      parse(input, limits),
);
