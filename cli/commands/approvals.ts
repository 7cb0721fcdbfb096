import type { Command } from 'commander';
import { examples, isJson, number } from './help.ts';

export interface ApprovalFilters {
  status: string;
  limit: number;
}

export function addApprovalCommands(program: Command): void {
  const approvals = program
    .command('approvals')
    .summary('calls that wait for a person')
    .description('Calls that wait for a person, and what became of them. Approving runs a call once, with just the arguments shown.');
  const load = () => import('../approvals.ts');

  approvals
    .command('ls')
    .summary('list them, newest first')
    .option('--status <status>', 'pending, approved, rejected, completed, failed, ambiguous, … or all', 'pending')
    .option('--limit <n>', 'at most', number(1, 100), 25)
    .addHelpText(
      'after',
      examples(['signalbox approvals ls', ''], ['signalbox approvals ls --status ambiguous', 'whose outcome nobody knows']),
    )
    .action(async (options: ApprovalFilters, command: Command) => (await load()).listApprovals(options, isJson(command)));

  approvals
    .command('get <id>')
    .summary('what a call asks for, and its answer')
    .addHelpText('after', examples(['signalbox approvals get apr_01jd3f8k2m9x4v7qn5ra', '']))
    .action(async (id: string, _options: object, command: Command) => (await load()).getApproval(id, isJson(command)));

  for (const [verb, summary] of [
    ['approve', 'let it run, once'],
    ['reject', 'it never runs'],
  ] as const) {
    approvals
      .command(`${verb} <id>`)
      .summary(summary)
      .option('--note <text>', 'why; the caller reads it')
      .addHelpText('after', examples([`signalbox approvals ${verb} apr_01jd3f8k2m9x4v7qn5ra --note "as agreed"`, '']))
      .action(async (id: string, options: { note?: string }, command: Command) =>
        (await load()).decideApproval(verb, id, options.note, isJson(command)),
      );
  }
}
