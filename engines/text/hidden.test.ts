import { expect, it } from 'vitest';
import { withHidden } from './hidden.ts';

it('hidden characters become their codes, at every second place', () => {
  expect(withHidden('plain')).toEqual(['plain']);
  expect(withHidden('a\u202eb\u200bc')).toEqual(['a', 'U+202E', 'b', 'U+200B', 'c']);
  expect(withHidden('\u{e0041}x\0')).toEqual(['', 'U+E0041', 'x', 'U+0000', '']);
  // Line breaks, accents, letters of other scripts and emoji are seen.
  expect(withHidden('é\n\tשלום ✔️')).toEqual(['é\n\tשלום ✔️']);
});
