import { defineSearchAttributeKey } from '@temporalio/common';
import { searchAttributes } from '../../contracts/temporal.ts';

const keys = {
  tenant: defineSearchAttributeKey(searchAttributes.tenant, 'KEYWORD'),
  kind: defineSearchAttributeKey(searchAttributes.kind, 'KEYWORD'),
  status: defineSearchAttributeKey(searchAttributes.status, 'KEYWORD'),
  owner: defineSearchAttributeKey(searchAttributes.owner, 'KEYWORD'),
};

/** Search attributes as Temporal's typed pairs; operators filter by them in its UI. */
export const attributes = (values: Partial<Record<keyof typeof keys, string>>) =>
  (Object.keys(keys) as (keyof typeof keys)[])
    .filter((name) => values[name] !== undefined)
    .map((name) => ({ key: keys[name], value: values[name] as string }));
