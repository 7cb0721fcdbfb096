/** The process that links tables (started by child.ts). */
import { serve } from '../../platform/pool/serve.ts';
import { linkSources, type LinkRequest } from './run.ts';

await serve(() => (request: LinkRequest) => ({
  ...linkSources(request),
  peakMb: Math.round(process.resourceUsage().maxRSS / 1024),
}));
