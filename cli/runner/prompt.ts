/** What the agent is told. Plain Markdown, because every agent reads it. */
import type { Briefing, RunCheck, WorkRun } from '../../contracts/work/runs.ts';

export interface Place {
  worktree: string;
  branch: string;
  base: string;
  /** It begins with the commits of a former attempt. */
  continues: boolean;
  /** Signalbox's own tools are there. */
  tools: boolean;
}

/** One result or comment; longer ones are cut, so that a few of them cannot push the task out of sight. */
const longest = 20_000;
const clip = (text: string, most = longest): string => (text.length > most ? `${text.slice(0, most)}\n… (cut)` : text);
const quoted = (text: string): string =>
  clip(text)
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');
const section = (title: string, body: string): string => (body.trim() === '' ? '' : `## ${title}\n\n${body.trim()}\n`);
const list = (items: readonly string[]): string => items.map((item) => `- ${item}`).join('\n');

const ending = `When you have finished, the last line of your answer must be one of these, and nothing may follow it:

- \`DONE\` when the task is finished. If the repository is as the task wants it already, write "No change needed" and why in the line before.
- \`BLOCKED <why>\` when something outside of your reach keeps you from finishing.
- \`QUESTION <question>\` when you need a decision of a person.`;

export function prompt({ task, phase, blockers, comments, earlier }: Briefing, place: Place): string {
  return [
    `# Task ${task.id}\n\n${task.description.trim()}\n`,
    section('Done means', list(phase.done_definitions)),
    section('Notes for this phase', phase.additional_notes ?? ''),
    section(
      'What the task waited for',
      blockers
        .map(({ id, description, result }) => `${id}: ${clip(description, 500)}\n\n${quoted(result ?? '(no result was noted)')}`)
        .join('\n\n'),
    ),
    section('Comments, the oldest first', comments.map(comment).join('\n\n')),
    section('Earlier attempts, the latest first', earlier.slice(0, 5).map(attempt).join('\n\n')),
    section('Where you are', where(place)),
    section('Checks that your work must pass', list(phase.checks.map((command) => `\`${command}\``))),
    section('How to end', ending),
  ]
    .filter(Boolean)
    .join('\n');
}

function comment({ author, body, created_at, path, line }: Briefing['comments'][number]): string {
  const at = path === null ? '' : `, about ${path}${line === null ? '' : ` line ${line}`}`;
  return `${author}, ${created_at}${at}:\n\n${quoted(body)}`;
}

function attempt(run: WorkRun): string {
  const how = [run.outcome ?? run.state, run.reason, run.review?.verdict === 'send_back' ? `Sent back by ${run.review.by}.` : null];
  const lines = [`Attempt ${run.attempt} by ${run.agent} ended: ${how.filter(Boolean).join('. ')}`];
  if (run.review?.note) lines.push(quoted(run.review.note));
  if (run.summary) lines.push(quoted(run.summary));
  const failed = run.checks.filter(({ exit_code }) => exit_code !== 0);
  if (failed.length > 0) lines.push(failedChecks(failed));
  return lines.join('\n\n');
}

const where = ({ worktree, branch, base, continues, tools }: Place): string =>
  list([
    `Your folder is ${worktree}, a git worktree of your own. Change nothing outside of it.`,
    `You are on the branch ${branch}, made for this attempt from ${base}.${continues ? ' It has the commits of a former attempt: look at them first, and go on from there.' : ''}`,
    'You may commit. What you leave uncommitted is committed for you. Do not push, do not merge, do not switch branches.',
    `The task is held for you: do not claim, complete, fail or release it.${tools ? ' With the tools of the server "signalbox" you can search what is known and comment on the task.' : ''}`,
    'Nobody can answer you while you work.',
  ]);

export const failedChecks = (checks: readonly RunCheck[]): string =>
  checks
    .map(
      ({ command, exit_code, output }) =>
        `\`${command}\` ${exit_code === null ? 'was stopped at its time limit' : `ended with ${exit_code}`}:\n\n${quoted(output)}`,
    )
    .join('\n\n');

/** What an agent is sent back with. */
export const backFor = {
  conflict: (base: string, files: readonly string[]): string =>
    `Your work conflicts with what was merged into ${base} meanwhile. The merge of ${base} has been begun in your folder, and these files have conflict markers:\n\n${list(files)}\n\nResolve them so that both changes keep their purpose, and check the result. Do not abort the merge; it is committed for you.\n\n${ending}`,
  checks: (checks: readonly RunCheck[]): string =>
    `Your work does not pass its checks:\n\n${failedChecks(checks)}\n\nMend it.\n\n${ending}`,
  unsaid: `You ended without saying how. If the task is not finished, go on.\n\n${ending}`,
  empty: `You said DONE, but nothing in your folder has changed. If the task is not finished, go on.\n\n${ending}`,
};

export const backAnew = (first: string, message: string): string =>
  `${first}\n## You have worked on this before\n\nWhat you did is in your folder.\n\n${message}\n`;

const noChange = /\bno (?:code |further |file )?changes? (?:is |are |was |were )?(?:needed|necessary|required)\b/i;
export const saysNoChange = (...texts: (string | null)[]): boolean => texts.some((text) => text !== null && noChange.test(text));
