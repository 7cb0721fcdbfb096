/** Skills and subagents about Signalbox, from one text in the form of each coding agent. Pure: cli/skill-files.ts writes them. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { ClientName } from '../tools/system/clients.shared.ts';

export const skillClients = ['claude-code', 'codex', 'opencode'] as const satisfies readonly ClientName[];
export type SkillClient = (typeof skillClients)[number];

export interface SkillFile {
  /** What it defines: a skill or a subagent, by its name in the client. */
  kind: 'skill' | 'agent';
  name: string;
  path: string;
  content: string;
}

interface Text {
  name: string;
  /** When the client's model should use it. */
  description: string;
  body: string;
}

const task: Text = {
  name: 'signalbox-task',
  description:
    'Work on tasks of the Signalbox board: claim one, keep its lease, ask a person, complete it or give it back. Use it when you are asked to take the next task, to work on the board, or on a task_… id.',
  body: `# Work on a task

## Take it

1. \`work-task-claim\` with \`phase_id\` gives you the next ready task, with \`task_id\` that one. Set \`lease_seconds\` to more than your longest command takes. Keep \`id\` and \`fencing_token\` of the answer: every change of the task needs both.
2. No task in the answer means that nothing is ready. Say so and stop. \`already_held\` means that you claimed it before: go on with it.
3. \`work-task-get\` shows comments and what earlier attempts left. \`memory-record-search\` and \`index-chunk-search\` show what is known about the matter.

## Keep it

- Call \`work-task-heartbeat\` with \`task_id\`, \`fencing_token\` and one line of \`progress\` before a third of the lease is over, and around long commands.
- When the answer is CONFLICT or NOT_FOUND, the task is no longer yours, and somebody else may work on it. Change nothing more, and say so.

## Ask a person

- When a decision is needed that neither the task nor the repository answers: write the question, the choices and what you advise with \`work-task-comment\`. Then call \`work-task-fail\` with a \`reason\` that begins with "QUESTION" and \`retry\` false. The task goes to review; a person answers and makes it ready again.
- \`pending_approval\` in an answer means that a person decides about that call. Do not repeat it and do not work around it; \`approval-request-get\` shows the decision.

## Finish

- All of it is done and checked: \`work-task-complete\` with \`result\`: what was achieved, where it is (branch, commit), how it was checked.
- It cannot be done: \`work-task-fail\` with the reason. \`retry\` true only if another attempt may succeed.
- You have to stop: comment how far you are, then \`work-task-release\`.
- Claim the next task only after that: you hold one at a time.`,
};

const evidence: Text = {
  name: 'signalbox-evidence',
  description:
    'Record what proves work or a statement in Signalbox: outputs of checks, files, comments, claims, memories. Use it when a result has to be shown, or when you learn something that others should know.',
  body: `# Record evidence

- **Outputs and files.** \`substrate-artifact-upload\` with \`content\`, \`media_type\` and \`filename\` stores a log, a patch or a report, and answers with its SHA-256. \`work-task-attach\` with \`task_id\` and \`artifact_sha256\` shows it at the task.
- **What the next one must know.** \`work-task-comment\`: what you tried, what you saw, with file, line and command. One comment for each finding.
- **What holds beyond the task.** \`memory-record-save\` with \`content\` and \`category\` (decision, convention, problem, pattern). Look with \`memory-record-search\` first, and save nothing twice.
- **A statement to be proved.** \`claim-record-create\` with \`statement\`, then \`claim-evidence-link\` with \`claim_id\` and \`evidence\`: for each piece its \`ref\` and the stance supports, refutes or context. Link what speaks against it, too. \`claim-record-decide\` is for people.

Write what you saw, not what you expect. Never put keys, passwords or personal data into any of these.`,
};

const worker: Text = {
  name: 'signalbox-worker',
  description:
    'Does one task of the Signalbox board from claim to completion, and reports how it ended. Give it a phase or a task id. Several may work at once on different tasks.',
  body: `You do one task of the Signalbox board and then end. Work in the folder you are in, and change only what the task needs. Do not start on a second task. Your last message says how the task ended, its id, what you changed and how you checked it.

${task.body}

${evidence.body}`,
};

const words = ({ body }: Text): string =>
  `${body}

## Names of tools

\`work-task-claim\` and the others are tools of the MCP server \`signalbox\`. Your client may show them with a prefix or with underscores: \`mcp__signalbox__work-task-claim\`, \`signalbox_work-task-claim\`, \`work_task_claim\`. Call one that is not in your list through \`system-tool-call\`: \`{"name": "work-task-comment", "arguments": {…}}\`. \`system-tool-describe\` shows its arguments. An error says in \`suggestion\` what to do.
`;

interface Form {
  skills: string;
  agents: string;
  agent(text: Text): { name: string; file: string; content: string };
}

/** A quoted string of JSON is one of YAML and TOML, too. */
const quoted = (text: string): string => JSON.stringify(text);
const markdown = (fields: Record<string, string>, body: string): string =>
  marked(
    (mark) => `---
${Object.entries(fields)
  .map(([name, value]) => `${name}: ${value}`)
  .join('\n')}
${mark}---

${body}`,
  );

/** Folders below the project, or below the user's own folder. */
const forms: Record<SkillClient, (user: boolean) => Form> = {
  'claude-code': () => ({
    skills: join('.claude', 'skills'),
    agents: join('.claude', 'agents'),
    agent: (text) => ({
      name: text.name,
      file: `${text.name}.md`,
      content: markdown({ name: text.name, description: quoted(text.description) }, words(text)),
    }),
  }),
  codex: () => ({
    skills: join('.agents', 'skills'),
    agents: join('.codex', 'agents'),
    agent(text) {
      // Its tool that starts subagents takes no hyphens.
      const name = text.name.replaceAll('-', '_');
      const content = marked(
        (mark) =>
          `${mark}name = ${quoted(name)}\ndescription = ${quoted(text.description)}\ndeveloper_instructions = '''\n${words(text)}'''\n`,
      );
      return { name, file: `${name}.toml`, content };
    },
  }),
  opencode: (user) => {
    const folder = user ? join('.config', 'opencode') : '.opencode';
    return {
      skills: join(folder, 'skills'),
      agents: join(folder, 'agents'),
      // It takes the name from the file.
      agent: (text) => ({
        name: text.name,
        file: `${text.name}.md`,
        content: markdown({ description: quoted(text.description), mode: 'subagent' }, words(text)),
      }),
    };
  },
};

/** @param root the project's folder, or the user's own with `user` */
export function skillFiles(client: SkillClient, root: string, user: boolean): SkillFile[] {
  const form = forms[client](user);
  const skills = [task, evidence].map((text): SkillFile => {
    const content = markdown({ name: text.name, description: quoted(text.description) }, words(text));
    return { kind: 'skill', name: text.name, path: join(root, form.skills, text.name, 'SKILL.md'), content };
  });
  const { name, file, content } = form.agent(worker);
  return [...skills, { kind: 'agent', name, path: join(root, form.agents, file), content }];
}

const markLine = /^# signalbox ([0-9a-f]{16}): .*\n/m;

/** Git may change line ends, and editors the end of the file. */
const hash = (text: string): string => createHash('sha256').update(text.replaceAll('\r\n', '\n').trimEnd()).digest('hex').slice(0, 16);

/** Puts a comment into the file that tells whether somebody has changed it. */
const marked = (withMark: (mark: string) => string): string =>
  withMark(`# signalbox ${hash(withMark(''))}: written by \`signalbox connect --skills\`, which replaces it unless you change it\n`);

/** The file is as some version of this program wrote it. */
export function isUntouched(content: string): boolean {
  const plain = content.replaceAll('\r\n', '\n');
  const [line, told] = markLine.exec(plain) ?? [];
  return line !== undefined && hash(plain.replace(line, '')) === told;
}
