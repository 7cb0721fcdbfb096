/** A value from an earlier step's answer, by the step's number and the path in the answer. */
export type Said = (step: number, ...path: (string | number)[]) => unknown;

/** The agent's next intent, the tool for it, and its arguments. */
export interface Step {
  want: string;
  tool: string;
  args(said: Said, run: string): Record<string, unknown>;
}

export interface Story {
  title: string;
  steps: readonly Step[];
}

/** Typical pieces of work, which are really executed. `run` makes names unique per evaluation. */
export const stories: readonly Story[] = [
  {
    title: 'A task is filed, claimed, commented on and completed',
    steps: [
      { want: 'say what this stage of the work is for', tool: 'work.phase.set', args: () => ({ phase_id: 1, name: 'Documentation' }) },
      {
        want: 'file a task',
        tool: 'work.task.create',
        args: () => ({ phase_id: 1, description: 'Describe the export, on one page of the handbook.' }),
      },
      { want: 'get the next task', tool: 'work.task.claim', args: () => ({ phase_id: 1 }) },
      {
        want: 'leave a note for whoever comes after me',
        tool: 'work.task.comment',
        args: (said) => ({ task_id: said(2, 'task', 'id'), body: 'The old page is still linked from the start page.' }),
      },
      {
        want: 'hand in the result',
        tool: 'work.task.complete',
        args: (said) => ({
          task_id: said(2, 'task', 'id'),
          fencing_token: said(2, 'task', 'fencing_token'),
          result: 'It is at handbook/export.',
        }),
      },
    ],
  },
  {
    title: 'A text is kept, found again and tagged',
    steps: [
      {
        want: 'make these notes searchable',
        tool: 'ingest.document.submit',
        args: (_, run) => ({
          title: `Export notes ${run}`,
          content: 'The export writes one CSV per month. Files older than a year are moved to the archive every Sunday.',
        }),
      },
      { want: 'what do our notes say about it', tool: 'index.chunk.search', args: () => ({ query: 'how long are exported files kept' }) },
      { want: 'which documents do we have', tool: 'knowledge.source.list', args: () => ({ limit: 5 }) },
      {
        want: 'put a tag on a document',
        tool: 'knowledge.source.update',
        args: (said) => ({ source_id: said(2, 'sources', 0, 'id'), tags: ['export'] }),
      },
    ],
  },
  {
    title: 'Files are stored, bundled and published under a name',
    steps: [
      {
        want: 'store a file',
        tool: 'substrate.artifact.upload',
        args: (_, run) => ({ content: `month,total\n2026-01,${run}\n`, media_type: 'text/csv' }),
      },
      {
        want: 'bundle stored files into an unchangeable set',
        tool: 'substrate.manifest.create',
        args: (said) => ({ entries: [{ path: 'totals.csv', artifact_sha256: said(0, 'sha256') }] }),
      },
      {
        want: 'give the set a name that can be moved later',
        tool: 'substrate.pointer.create',
        args: (said, run) => ({ name: `totals-${run}`, manifest_sha256: said(1, 'manifest_sha256') }),
      },
      { want: 'what does the name stand for now', tool: 'substrate.pointer.resolve', args: (_, run) => ({ name: `totals-${run}` }) },
    ],
  },
  {
    title: 'A piece of work is recorded step by step',
    steps: [
      {
        want: 'open a record of what I am about to do',
        tool: 'run.record.create',
        args: () => ({ name: 'Evaluation', kind: 'evaluation' }),
      },
      { want: 'begin it', tool: 'run.record.start', args: (said) => ({ run_id: said(0, 'run_id') }) },
      {
        want: 'note that a step is done',
        tool: 'run.step.log',
        args: (said) => ({ run_id: said(0, 'run_id'), step: 'read' }),
      },
      {
        want: 'save my progress in case of a crash',
        tool: 'run.checkpoint.save',
        args: (said) => ({ run_id: said(0, 'run_id'), state: { row: 500 } }),
      },
      {
        want: 'finish with the outcome',
        tool: 'run.record.complete',
        args: (said) => ({ run_id: said(0, 'run_id'), status: 'completed', outputs: { rows: 900 } }),
      },
    ],
  },
];
