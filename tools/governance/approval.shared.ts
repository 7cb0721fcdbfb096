import { z } from 'zod';
import { plainText } from '../../contracts/json.ts';
import { approval } from '../../contracts/governance/policy.ts';

/** Shared by the approval tools. */
export const approvalId = z.string().min(1).max(64).describe('Of approval.request.list, or of the answer that said pending_approval');
export const note = plainText(2_000).trim().optional().describe('Why; the caller reads it');
export const inputHash = z.string().max(64).optional().describe('Hash of the arguments that you reviewed; refused if the call has others');
export const output = z.object({ approval });
