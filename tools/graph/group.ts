import { z } from 'zod';

/** What Graphiti's clients send and the key tells already. */
export const groupId = z.string().max(256).optional().describe("Ignored: always your tenant's");
export const groupIds = z.array(z.string().max(256)).max(100).optional().describe("Ignored: always your tenant's");

/** How many results Graphiti's clients may ask for; more is cut. */
export const wanted = (most: number) => z.number().int().min(1).default(10).describe(`At most ${most}`);
