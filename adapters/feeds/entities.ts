import { decodeHTML } from 'entities';

const ofXml: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const reference = /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([A-Za-z][\w.-]{0,40}));/g;
const windows1252 = new TextDecoder('windows-1252');

/** Undoes character references, with what a document declares itself. */
export class Entities {
  private readonly own = new Map<string, string>();

  /** Declared entities: short texts, without references to others. */
  declare(name: string, text: string): void {
    if (this.own.size < 500 && text.length <= 200) this.own.set(name, this.decode(text.replace(/&(?!#)[^;]{0,50};/g, '')));
  }

  /** Decodes once; unknown references stay. */
  decode(text: string): string {
    if (!text.includes('&')) return text;
    return text.replace(reference, (whole, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return ofXml[name] ?? this.own.get(name) ?? decodeHTML(whole);
      const code = decimal === undefined ? Number.parseInt(hex!, 16) : Number(decimal);
      // 128 to 159 are control characters; authors mean Windows-1252.
      if (code >= 0x80 && code <= 0x9f) return windows1252.decode(Uint8Array.of(code));
      return (code >= 0x20 || code === 9 || code === 10) && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
        ? String.fromCodePoint(code)
        : '';
    });
  }
}

export const encodeText = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
export const encodeAttribute = (text: string): string => encodeText(text).replaceAll('"', '&quot;');
