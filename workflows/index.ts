/** Every workflow type this platform runs. The bundle is built from here. */
export { ingest } from './ingest/workflow.ts';
export { task } from './task/workflow.ts';
export { sweep } from './sweep/workflow.ts';
