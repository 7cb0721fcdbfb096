import { z } from 'zod';

/** Sent by Graphiti's clients, but determined by the key. */
export const groupId = z.string().max(256).optional().describe("Ignored: always your tenant's");
export const groupIds = z.array(z.string().max(256)).max(100).optional().describe("Ignored: always your tenant's");

/** Number of results that Graphiti's clients may request; larger values are reduced. */
export const wanted = (most: number) => z.number().int().min(1).default(10).describe(`At most ${most}`);
