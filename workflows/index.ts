/** Every workflow type this platform runs. The bundle is built from here. */
export { ingest } from './ingest/workflow.ts';
export { ingestRun } from './ingest-run/workflow.ts';
export { pipeline } from './pipeline/workflow.ts';
export { removal } from './removal/workflow.ts';
export { task } from './task/workflow.ts';
export { projection } from './projection/workflow.ts';
export { sweep } from './sweep/workflow.ts';
