import { ok } from './client.ts';
import { facts, sayJson } from './output.ts';
import { aside } from './tools.ts';

export async function recount(json: boolean): Promise<void> {
  const answer = await ok<{ signals: number; counts: number; corrected: number; approval_id?: string }>('insight.count.rebuild', {});
  const { data } = answer;
  // An agent's key has asked for approval.
  if (data.approval_id !== undefined) aside(answer);
  if (json) return sayJson(data);
  if (data.approval_id !== undefined) return;
  facts([
    ['signals', data.signals],
    ['counts', data.counts],
    ['corrected', data.corrected],
  ]);
}
