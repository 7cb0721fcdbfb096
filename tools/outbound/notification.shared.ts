import { z } from 'zod';
import { channels, notificationStatuses } from '../../contracts/outbound/notifications.ts';
import type { Sent } from '../../services/outbound/index.ts';
import type { ToolResult } from '../catalogue/define.ts';

export const sentAnswer = z.object({
  notification_id: z.string(),
  channel: z.enum(channels),
  sent_at: z.string().describe('When it was delivered; before that, when it was taken'),
  status: z.enum(notificationStatuses),
  job_id: z.string().nullable().describe('Of its delivery'),
});

export function sentResult({ refs, ...data }: Sent): ToolResult<z.input<typeof sentAnswer>> {
  if (data.status === 'dry_run') {
    return { data, refs, warnings: ['Dry run: nothing was sent. notification.message.get shows what would have been.'] };
  }
  if (data.status !== 'queued') return { data, refs };
  if (data.job_id === null) return { data, refs, warnings: ['It will be sent with the next digest.'] };
  return { data, refs, status: 'accepted', warnings: ['Not delivered yet. Do not send it again: system.job.get shows how it ends.'] };
}

export const webhookUrl = z
  .string()
  .max(2_048)
  .describe('Address of the webhook; left out: all that have no secret of their own')
  .meta({ examples: ['https://example.com/hooks/signalbox'] });
