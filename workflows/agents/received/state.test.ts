import { expect, it } from 'vitest';
import { Relay } from './state.ts';

it('passes news on one at a time, what comes meanwhile together, and no news not at all', async () => {
  const open: (() => void)[] = [];
  let passed = 0;
  const relay = new Relay(() => {
    passed += 1;
    return new Promise<void>((done) => open.push(done));
  });
  relay.tell('in_progress', null);
  relay.tell('in_progress', 'a');
  relay.tell('in_progress', 'b');
  relay.tell('in_progress', 'b');
  expect(passed).toBe(1);
  open.shift()!();
  await Promise.resolve();
  await Promise.resolve();
  expect(passed).toBe(2);
  open.shift()!();
  await relay.idle();
  relay.tell('in_progress', 'b');
  expect(passed).toBe(2);
  relay.tell('done', 'b');
  expect(passed).toBe(3);
  open.shift()!();
  await relay.idle();
});
