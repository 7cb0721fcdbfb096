import { z } from 'zod';
import { freshness } from '../../contracts/governance/policy.ts';

export const teamName = z
  .string()
  .trim()
  .min(1)
  .max(128)
  .describe('As keys name it: signalbox keys create --team NAME')
  .meta({ examples: ['sales'] });

export const stakeholderScope = z.object({
  team: z.string(),
  product_areas: z.array(z.string()).describe('Empty: all'),
  entity_types: z.array(z.string()).describe('Empty: all'),
  data_freshness: z.enum(freshness),
  updated_by: z.string(),
  updated_at: z.string(),
});
