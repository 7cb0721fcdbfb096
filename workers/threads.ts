/** What threads of workflow code do without. */
import threads from 'node:worker_threads';

const start = new URL('./thread-start.js', import.meta.url).href;
const { Worker } = threads;
let light = false;

/**
 * From now on, threads of the SDK record no stack traces of waiting workflows, which took a third of their time
 * (docs/decisions/0075). The SDK has no option for it. May be called again.
 */
export function lightThreads(): void {
  if (light) return;
  light = true;
  threads.Worker = class extends Worker {
    constructor(file: string | URL, options?: threads.WorkerOptions) {
      const ofWorkflows = /workflow-worker-thread(\.js)?$/.test(String(file));
      super(file, ofWorkflows ? { ...options, execArgv: ['--import', start] } : options);
    }
  };
}
