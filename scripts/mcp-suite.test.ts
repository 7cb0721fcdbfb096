import { describe, expect, it } from 'vitest';
import { outcomeOf, required, revisions, shortcomings, type Outcome } from './mcp-suite.ts';

const passed: Outcome[] = revisions.flatMap((revision) =>
  [...required(revision)].map((scenario) => outcomeOf(revision, scenario, true, [{ id: 'one', status: 'SUCCESS' }])),
);

describe('the outcome of the MCP suite', () => {
  it('names each failed check by its id', () => {
    const broken = outcomeOf('2026-07-28', 'tools-list', true, [
      { id: 'one', status: 'SUCCESS' },
      { id: 'two', status: 'FAILURE', errorMessage: 'no name' },
    ]);
    const others = passed.filter(({ revision, scenario }) => revision !== '2026-07-28' || scenario !== 'tools-list');
    expect(shortcomings(passed)).toEqual([]);
    expect(shortcomings([...others, broken])).toEqual(['2026-07-28 tools-list / two: no name']);
  });

  it('counts a required scenario without a check, or without a run, as not tested', () => {
    const silent = outcomeOf('2025-11-25', 'tools-list', true, [{ id: 'one', status: 'SKIPPED' }]);
    const others = passed.filter(({ revision, scenario }) => revision !== '2025-11-25' || scenario !== 'tools-list');
    expect(silent.untested).toBe(true);
    expect(shortcomings([...others, silent])).toEqual(['2025-11-25 tools-list: was not tested']);
    expect(shortcomings(others)).toEqual(['2025-11-25 tools-list: was not tested']);
  });
});
