import { mergeWays } from '../../contracts/work/runs.ts';
import { choice, number, option, repeated, word } from '../fields.ts';
import { type Given, type Rows, verb } from '../table.ts';
import { InvalidArgumentError } from 'commander';

const amount = (text: string): number => {
  const value = Number(text);
  if (!(value > 0)) throw new InvalidArgumentError('An amount above zero is needed.');
  return value;
};

const here = {
  repo: option('--repo <folder>', 'the git repository; default: this folder'),
  data: option('--data <folder>', 'where worktrees and output are kept; default: below ~/.local/state'),
};

const working = {
  command: '[command...]',
  // Not mandatory for the parser, which would want it of `work ls`, too.
  phase: option('--phase <n>', 'needed: whose ready tasks are taken: 1 plan, 2 implement, 3 verify', number(1, 1000)),
  agent: option('--agent <name>', 'claude, codex, gemini, opencode, qwen, copilot; default: the program after --'),
  ...here,
  base: option('--base <branch>', 'where finished work goes; default: the branch that is checked out'),
  max: option('--max <n>', 'tasks at once', number(1, 64), 1),
  model: option('--model <name>', 'for the agent'),
  merge: choice(
    '--merge <way>',
    mergeWays,
    'merge, rebase, patch (leave the base branch alone) or pull_request (of approved work); default: as the phase says',
  ),
  push: choice('--push <what>', ['base', 'branch'], 'push the base branch, or the branch of each finished task'),
  remote: option('--remote <name>', 'of --push; default: origin'),
  setup: option('--setup <command>', 'run in each new worktree, e.g. "npm ci"; may be repeated', repeated),
  check: option('--check <command>', 'that finished work must pass; may be repeated', repeated),
  timeout: option('--timeout <seconds>', 'for one task', number(1, 604_800), 3_600),
  idle: option('--idle <seconds>', 'without output and CPU time, until the agent is ended', number(1, 86_400), 600),
  commandTimeout: option('--command-timeout <seconds>', 'for one command of setup or checks', number(1, 86_400), 900),
  budgetUsd: option('--budget-usd <amount>', 'for one task, where the agent tells its price', amount),
  tokens: option('--tokens <n>', 'for one task', number(1, 1_000_000_000)),
  dayUsd: option('--day-usd <amount>', 'for all tasks of this runner on one day', amount),
  dayTokens: option('--day-tokens <n>', 'for all tasks of this runner on one day', number(1, 1_000_000_000_000)),
  lease: option('--lease <seconds>', 'until the task of a lost runner goes to another', number(4, 3_600), 120),
  env: option('--env <name>', 'pass this variable on to the agent; may be repeated', repeated),
  name: option('--name <name>', 'of this runner, when several work on one repository'),
  once: option('--once', 'take one task and end'),
  untilEmpty: option('--until-empty', 'end when nothing is left to do'),
  keep: option('--keep', 'leave worktrees, branches and output of finished tasks'),
} as const;
export type WorkGiven = Given<typeof working>;

const listing = {
  state: choice('--state <state>', ['running', 'review', 'approved', 'completed', 'failed', 'returned', 'lost']),
  task: option('--task <id>', 'of this task'),
  phase: option('--phase <n>', 'of this phase', number(1, 1000)),
  limit: option('--limit <n>', 'at most', number(1, 100), 20),
};
export type RunListing = Given<typeof listing>;

const one = { run: '<run>' } as const;

/** Commands that let coding agents work on tasks. */
export const workRunnerRows: Rows = {
  work: verb({
    help: 'let a coding agent work on the tasks of a phase\nTakes ready tasks, starts a coding agent for each in a git worktree of its own, checks its work and merges it. It works until Ctrl-C. What follows -- goes to the agent as it is.',
    takes: working,
    examples: [
      'signalbox work --phase 2 --agent claude --max 2 --setup "npm ci" --check "npm test"',
      'signalbox work --phase 2 --agent codex --merge patch # leave my branches alone',
      'signalbox work --phase 2 --until-empty -- ./my-agent {prompt_file} # any program',
    ],
    run: async (given) => (await import('../runner/command.ts')).workCommand(given),
  }),
  'work ls': verb({
    help: 'list runs\nLists runs of coding agents, the latest first.',
    takes: listing,
    examples: ['signalbox work ls', 'signalbox work ls --state review'],
    run: async (given) => (await import('../runner/show.ts')).listRuns(given),
  }),
  'work show': verb({
    help: 'everything about a run\nShows how a run went: checks, commits, tokens, price, how it ended.',
    takes: one,
    examples: ['signalbox work show wrun_01jd3f8k2m9x'],
    run: async (given) => (await import('../runner/show.ts')).showRun(given),
  }),
  'work tail': verb({
    help: 'follow what an agent does\nPrints what the agent of a run says and does, until the run ends.',
    takes: one,
    examples: ['signalbox work tail wrun_01jd3f8k2m9x'],
    run: async (given) => (await import('../runner/show.ts')).tailRun(given),
  }),
  'work diff': verb({
    help: 'the changes of a run\nPrints the changes that a run made, as a patch.',
    takes: one,
    examples: ['signalbox work diff wrun_01jd3f8k2m9x | less', 'signalbox work diff wrun_01jd3f8k2m9x > fix.patch # for git apply'],
    run: async (given) => (await import('../runner/show.ts')).diffRun(given),
  }),
  'work stop': verb({
    help: 'end the agent of a run\nAsks the runner of a run on this machine to end its agent. The task goes to review.',
    takes: { ...one, ...here },
    examples: ['signalbox work stop wrun_01jd3f8k2m9x'],
    run: async (given) => (await import('../runner/show.ts')).stopRun(given),
  }),
  'work review': verb({
    help: 'approve finished work, or send it back\nDecides about the work of a run that waits for review. A runner of the repository merges what is approved; the next attempt reads why it was sent back.',
    takes: {
      ...one,
      verdict: word('<verdict>', 'what you decide', ['approve', 'send-back']),
      note: option('--note <text>', 'why'),
    },
    examples: [
      'signalbox work review wrun_01jd3f8k2m9x approve',
      'signalbox work review wrun_01jd3f8k2m9x send-back --note "Handle empty files"',
    ],
    run: async (given) => (await import('../runner/show.ts')).reviewRun(given),
  }),
  'work clean': verb({
    help: 'remove what finished runs have left\nRemoves worktrees and branches of finished tasks, and output of ended runs. Unfinished work stays unless --all is given.',
    takes: { ...here, all: option('--all', 'also folders of unfinished work that no runner goes on with; its branches stay') },
    examples: ['signalbox work clean', 'signalbox work clean --all'],
    run: async (given) => (await import('../runner/show.ts')).cleanRuns(given),
  }),
};
