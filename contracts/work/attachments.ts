import { z } from 'zod';

export const attachment = z.object({
  artifact_sha256: z.string().describe('substrate.artifact.get returns its content'),
  name: z.string(),
  attached_by: z.string(),
  attached_at: z.string(),
});
export type Attachment = z.infer<typeof attachment>;
