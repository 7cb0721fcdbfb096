import { describe, expect, it } from 'vitest';
import type { GraphTask } from '../contracts/work/graph.ts';
import { treeOf } from './trees.ts';

const task = (id: string, fields: Partial<GraphTask> = {}): GraphTask => ({
  id,
  title: `Task ${id}`,
  description: '',
  status: 'ready',
  phase_id: 2,
  priority: 'medium',
  assigned_agent_id: null,
  cancelled: false,
  distance: 0,
  ...fields,
});
const edge = (task_id: string, blocker_id: string, waits = true) => ({ task_id, blocker_id, waits });
const looks = { status: (status: string) => status, dim: (text: string) => text };

describe('a tree of dependencies', () => {
  const graph = {
    tasks: [task('a'), task('b', { status: 'done' }), task('c'), task('d', { title: null, description: 'Line one\u001b[31m\nLine two' })],
    edges: [edge('a', 'b', false), edge('a', 'c'), edge('b', 'd'), edge('c', 'd')],
    more: false,
  };

  it('stands below what leads to it, each part once', () => {
    expect(treeOf(graph, 'a', 'up', looks)).toEqual([
      '├─ b done Task b (no longer waited for)',
      '│  └─ d ready Line one',
      '└─ c ready Task c',
      '   └─ d ready Line one',
    ]);
    expect(treeOf(graph, 'd', 'down', looks)).toEqual([
      '├─ b done Task b',
      '│  └─ a ready Task a (no longer waited for)',
      '└─ c ready Task c',
      '   └─ a ready Task a',
    ]);
    expect(treeOf(graph, 'a', 'down', looks)).toEqual([]);
  });
});
