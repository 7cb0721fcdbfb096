import { expect, test } from 'vitest';
import { Turns } from './turns.ts';

test('each begins when the one before it has ended, however that ended', async () => {
  const turns = new Turns();
  const seen: string[] = [];
  const end: (() => void)[] = [];
  const slow = (name: string) => async (): Promise<string> => {
    seen.push(`${name} begins`);
    await new Promise<void>((done) => end.push(done));
    seen.push(`${name} ends`);
    return name;
  };
  const first = turns.take(slow('first'));
  const failing = turns.take(async () => {
    seen.push('failing');
    throw new Error('failed');
  });
  const third = turns.take(slow('third'));
  await Promise.resolve();
  expect(seen).toEqual(['first begins']);
  end.shift()!();
  expect(await first).toBe('first');
  await expect(failing).rejects.toThrow('failed');
  expect(seen).toEqual(['first begins', 'first ends', 'failing', 'third begins']);
  end.shift()!();
  expect(await third).toBe('third');
});
