import type { Ref } from '../../contracts/envelope.ts';
import type { ExportAnswer } from '../../contracts/governance/exports.ts';
import type { ToolResult } from '../catalogue/define.ts';

/** Answer of export tools: with the link, or `accepted`. */
export function stillAtIt(answer: ExportAnswer, refs: Ref[], warnings: string[] = []): ToolResult<ExportAnswer> {
  if (answer.link !== undefined) return { data: answer, refs, warnings };
  const told = `It is being written: system.export.get with ${answer.job_id} gives the link when it is done.`;
  return { data: answer, refs, status: 'accepted', warnings: [...warnings, told] };
}
