import { TypedSearchAttributes, defineSearchAttributeKey, type Priority } from '@temporalio/common';
import { hashOf } from '../../contracts/ids.ts';
import { searchAttributes } from '../../contracts/temporal.ts';

/** Values of the four search attributes, for starting a workflow. */
export const attributesOf = (values: Partial<Record<keyof typeof searchAttributes, string>>): TypedSearchAttributes =>
  new TypedSearchAttributes(
    (Object.keys(values) as (keyof typeof searchAttributes)[]).map((name) => ({
      key: defineSearchAttributeKey(searchAttributes[name], 'KEYWORD'),
      value: values[name] ?? '',
    })),
  );

/** Temporal's limit for a key, in bytes. */
const longestKey = 64;

/**
 * Fairness key for starting a workflow: its tasks and activities take turns with those of other tenants, so that a
 * tenant waits only behind its own backlog.
 */
export const fairShare = (tenant: string): Priority => ({
  fairnessKey: Buffer.byteLength(tenant) <= longestKey ? tenant : hashOf(tenant).slice(0, longestKey),
});
