import { AppError } from '../../../contracts/errors.ts';
import { changesOf } from './rules.ts';
import type { ExternalTool } from './snapshot.ts';

export const disabled = (server: string): AppError =>
  new AppError('CONFLICT', `The external server "${server}" is switched off.`, {
    hint: 'external.server.update with {"enabled": true} switches it on.',
    details: { reason: 'server_disabled', server },
  });

/** @throws AppError when an existing tool cannot be called now */
export function assertCallable(tool: ExternalTool, others: Iterable<ExternalTool>): void {
  if (!tool.enabled) throw disabled(tool.server);
  if (tool.state === 'approved') return;
  const details = { server: tool.server, tool: tool.tool };
  if (tool.state === 'gone') {
    const successors = [...others].filter((each) => each.server === tool.server && each.state === 'waiting').map(({ name }) => name);
    throw new AppError('GONE', `"${tool.server}" offers "${tool.tool}" no longer.`, {
      hint:
        successors.length > 0
          ? 'It may have been renamed: a person has to approve the new one.'
          : 'external.tool.list shows what it offers.',
      alternatives: successors.slice(0, 5),
      details: { reason: 'tool_gone', ...details },
    });
  }
  if (tool.state === 'waiting') {
    throw new AppError('CONFLICT', `"${tool.name}" has not been approved yet.`, {
      hint: 'A person approves it with external.tool.approve, or `signalbox servers approve`.',
      details: { reason: 'not_approved', ...details },
    });
  }
  throw new AppError('CONFLICT', `The definition of "${tool.name}" has changed since it was approved.`, {
    hint: 'A person must review the changes and approve it again with external.tool.approve.',
    details: { reason: 'definition_changed', ...details, changes: changesOf(tool.row.pinned_definition!, tool.row.definition) },
  });
}
