/** Builds the workflow code into the installation, for a package or an image: `node workers/prebuild.ts`. */
import { shipped, workflowBundle } from './bundle.ts';

await Promise.all([workflowBundle(shipped, false), workflowBundle(shipped, true)]);
