// Runs first in each thread that runs workflow code (threads.ts). Plain JavaScript, because a thread starts sooner with it.
import v8 from 'node:v8';
import vm from 'node:vm';

// The SDK records where each promise of a workflow was made, for the query `__stack_trace`. It goes on without it if Node has no
// such hooks, with a warning that would tell nobody anything here.
v8.promiseHooks.createHook = () => {
  const { warn } = console;
  Object.assign(console, { warn: () => Object.assign(console, { warn }) });
  throw new Error('stack traces of waiting workflows are switched off');
};

// A time limit costs a thread of the system for each call. What these calls run is the SDK's alone: the workflow's own code has
// come to rest before.
const withoutOwnCode = new Set(['concludeActivation', 'dispose']);
const { runInContext } = vm.Script.prototype;
vm.Script.prototype.runInContext = function (context, options) {
  return runInContext.call(this, context, withoutOwnCode.has(context.__temporal_args?.[1]) ? { ...options, timeout: undefined } : options);
};
