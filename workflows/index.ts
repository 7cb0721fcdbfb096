/** Every workflow type this platform runs. The bundle is built from here. */
export { agent } from './agent/workflow.ts';
export { a2aTask } from './a2a-task/workflow.ts';
export { clearGraph } from './clear-graph/workflow.ts';
export { connectorCall } from './connector-call/workflow.ts';
export { delegation } from './delegation/workflow.ts';
export { received } from './received/workflow.ts';
export { episodes } from './episodes/workflow.ts';
export { ingest } from './ingest/workflow.ts';
export { ingestRun } from './ingest-run/workflow.ts';
export { pipeline } from './pipeline/workflow.ts';
export { removal } from './removal/workflow.ts';
export { merge, split } from './entity-change/workflow.ts';
export { review } from './review/workflow.ts';
export { tableLink } from './table-link/workflow.ts';
export { toolCall } from './tool-call/workflow.ts';
export { task } from './task/workflow.ts';
export { graphProjection, projection } from './projection/workflow.ts';
export { sweep } from './sweep/workflow.ts';
