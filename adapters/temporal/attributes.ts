import { TypedSearchAttributes, defineSearchAttributeKey } from '@temporalio/common';
import { searchAttributes } from '../../contracts/temporal.ts';

/** Values of the four search attributes, for starting a workflow. */
export const attributesOf = (values: Partial<Record<keyof typeof searchAttributes, string>>): TypedSearchAttributes =>
  new TypedSearchAttributes(
    (Object.keys(values) as (keyof typeof searchAttributes)[]).map((name) => ({
      key: defineSearchAttributeKey(searchAttributes[name], 'KEYWORD'),
      value: values[name] ?? '',
    })),
  );
