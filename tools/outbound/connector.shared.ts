import { z } from 'zod';
import type { Called } from '../../services/outbound/index.ts';
import type { ToolResult } from '../catalogue/define.ts';

/** Shared by the connectors' answers. */
export const unsent = {
  dry_run: z.boolean(),
  would_send: z.record(z.string(), z.unknown()).optional().describe('In dry run: what would have been sent'),
  job_id: z.string().optional().describe('It goes on: system.job.get tells how it ended'),
};

interface Unsent {
  dry_run: boolean;
  would_send?: Record<string, unknown>;
  job_id?: string;
}

export function answered<D>(called: Called<unknown>, request: Record<string, unknown>, data: D): ToolResult<D & Unsent> {
  if (called.dryRun) {
    return {
      data: { ...data, dry_run: true, would_send: request },
      warnings: ['Dry run: nothing was sent. connector.mount.set with {"dry_run": false} makes it real.'],
    };
  }
  if (called.response !== null) return { data: { ...data, dry_run: false }, refs: called.refs };
  return {
    data: { ...data, dry_run: false, ...(called.job ? { job_id: called.job.job_id } : {}) },
    status: 'accepted',
    refs: called.refs,
    warnings: ['Not answered yet. Do not send it again: system.job.get shows how it ends.'],
  };
}
