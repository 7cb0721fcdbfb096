import { expect, it } from 'vitest';
import { AgentState } from './state.ts';

it('doubts after one silence, gives up after the second, and takes it back at any sign of life', () => {
  const state = new AgentState({ health: 'healthy', rev: 4 });
  expect([state.silent(), state.snapshot()]).toEqual([false, { health: 'unhealthy', rev: 5 }]);
  state.alive();
  expect(state.snapshot()).toEqual({ health: 'healthy', rev: 6 });
  expect([state.silent(), state.silent(), state.snapshot()]).toEqual([false, true, { health: 'offline', rev: 8 }]);
  expect([state.watched, state.offline, state.silent()]).toEqual([false, true, false]);
  state.alive();
  state.alive();
  expect(state.snapshot()).toEqual({ health: 'healthy', rev: 9 });
});

it('watches nobody who has not shown itself yet, and ends when it has left', () => {
  const state = new AgentState({ health: 'none', rev: 0 });
  expect([state.watched, state.silent(), state.snapshot()]).toEqual([false, false, { health: 'none', rev: 0 }]);
  state.alive();
  expect([state.watched, state.over]).toEqual([true, false]);
  state.left();
  expect(state.over).toBe(true);
});

it('goes beyond a row that is ahead of it', () => {
  const state = new AgentState({ health: 'healthy', rev: 1 });
  state.overtake(7);
  expect(state.snapshot().rev).toBe(8);
});
