import { z } from 'zod';
import { plainText } from '../json.ts';
import { taskFilter } from './work.ts';

export const boardName = plainText(100).trim().min(1);
export const savedFilter = taskFilter;
export type SavedFilter = z.infer<typeof savedFilter>;

export const savedBoard = z.object({ name: z.string(), filter: savedFilter, created_by: z.string(), updated_at: z.string() });
export type SavedBoard = z.infer<typeof savedBoard>;
