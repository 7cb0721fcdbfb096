import type { ListedEntity } from '../../../../contracts/graph/graph.ts';

/** As entity.record.get tells it. */
export interface EntityDetail extends ListedEntity {
  description: string | null;
  area: string | null;
  state_source: string | null;
  mention_count: number;
  first_seen_at: string | null;
  last_seen_at: string | null;
  created_at: string;
  history: { event: string; at: string; by: string; change_id: string | null; undoable: boolean; data: Record<string, unknown> }[];
}

/** An entity that is mentioned together with this one. */
export interface Linked {
  name: string;
  entity_id: string;
  signals?: number;
  passages?: number;
  sentiment?: number | null;
  state?: string | null;
}
