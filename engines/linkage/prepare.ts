import { replaced } from './displaced.ts';
import { withIdentifiers } from './identifiers.ts';
import type { Table } from './table.ts';
import { withViews } from './views.ts';

/** Tables as they are compared: displaced values restored, with columns of what their texts hold. */
export function prepared(left: Table, right: Table | null): { left: Table; right: Table | null } {
  const restored = replaced(left, right);
  const identified = withIdentifiers(restored.left, restored.right);
  return withViews(identified.left, identified.right);
}
