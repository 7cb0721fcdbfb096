/** Characters that change how a text is shown, or are not shown at all. `console/src/ui/Outside.tsx` has the same. */
const hidden =
  /([\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]|[\u{e0000}-\u{e0fff}]|\u034f|(?!\ufe0f)\p{Variation_Selector})/u;

/** The text in pieces: every second one is a hidden character, as its code, e.g. `U+202E`. */
export const withHidden = (text: string): string[] =>
  text.split(hidden).map((piece, i) => (i % 2 === 1 ? `U+${piece.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}` : piece));
