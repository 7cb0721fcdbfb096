/** Imports nothing, so that workflow code may use it. */

export interface FloorRow {
  id: string;
  status: 'ready' | 'in_progress' | 'done';
  agent: string | null;
  token: number;
  rev: number;
}

export interface FloorActivities {
  write(row: FloorRow): Promise<void>;
}

export const floorQueue = 'bench-floor';
