/** The workflows of this release and a process that is easily kept under way. */
export * from '../../workflows/index.ts';
export { held } from './held-workflow.ts';
