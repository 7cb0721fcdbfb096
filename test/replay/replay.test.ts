import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { load, replay } from '../setup/replay.ts';

const folder = fileURLToPath(new URL('./histories', import.meta.url));

// A change of workflow code that breaks running processes shows here; guard it with patched().
it('replays every recorded history with the workflow code as it stands', async () => {
  const recorded = [...load(folder)];
  expect(recorded.length).toBeGreaterThan(0);
  expect(await replay(recorded)).toBe(recorded.length);
}, 300_000);
