import type { MessageJson } from '../../../contracts/agents/a2a.ts';
import type { A2aTaskDetail, A2aTaskView } from '../../../contracts/agents/a2a-tools.ts';
import type { A2aTaskRow } from './tasks-records.ts';

const firstText = 200;

/** What a list shows of a message: its text, else its structured request. */
const textOf = (message: MessageJson | undefined): string =>
  (message?.parts ?? [])
    .map(({ text, data, url, filename }) => text ?? (data === undefined ? (filename ?? url ?? '') : JSON.stringify(data)))
    .join(' ')
    .slice(0, firstText);

export const viewOf = (row: A2aTaskRow): A2aTaskView => ({
  task_id: row.id,
  context_id: row.context_id,
  state: row.state,
  changed_at: row.status_at.toISOString(),
  asked_by: row.principal,
  skill: row.skill,
  tool: row.tool,
  work_task_id: row.work_task_id,
  first_text: textOf(row.history[0]),
});

export const detailOf = (row: A2aTaskRow): A2aTaskDetail => ({
  ...viewOf(row),
  history: row.history as A2aTaskDetail['history'],
  status_message: row.status_message as A2aTaskDetail['status_message'],
  answer: row.answer as A2aTaskDetail['answer'],
  artifacts: row.artifacts as A2aTaskDetail['artifacts'],
});
