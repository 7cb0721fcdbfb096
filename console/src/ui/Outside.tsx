import { hostOf } from './words.ts';

/** Text from outside: direction marks and invisible characters are shown as marked chips, never obeyed. */
const hidden =
  /([\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]|[\u{e0000}-\u{e0fff}]|\u034f|(?!\ufe0f)\p{Variation_Selector})/u;

const code = (character: string): string => `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;

/** The same for places that take a string alone, such as the title of a page. */
export const visible = (text: string, most = 160): string =>
  (text.length > most ? `${text.slice(0, most)}…` : text)
    .split(hidden)
    .map((piece, i) => (i % 2 === 1 ? ` ${code(piece)} ` : piece))
    .join('');

export function Outside({ text, most = 300 }: { text: string; most?: number }) {
  const shown = text.length > most ? `${text.slice(0, most)}…` : text;
  return (
    <bdi title={text.length > most ? `${text.length} characters` : undefined}>
      {shown.split(hidden).map((piece, i) =>
        i % 2 === 1 ? (
          <span key={i} className="mx-0.5 rounded border border-caution px-1 font-mono text-xs text-caution">
            {code(piece)}
          </span>
        ) : (
          piece
        ),
      )}
    </bdi>
  );
}

/** A link to another server, which names the server. Whatever is no page of the web is text. */
export function OutsideLink({ url, text, most = 300 }: { url: string | null | undefined; text: string; most?: number }) {
  const host = url ? hostOf(url) : null;
  if (!url || host === null) return <Outside text={text} most={most} />;
  return (
    <a href={url} rel="noreferrer noopener" target="_blank" className="hit min-w-0">
      <span>
        <Outside text={text} most={most} /> <span className="text-xs text-soft">({host})</span>
      </span>
    </a>
  );
}
