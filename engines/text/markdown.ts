/** Escapes Markdown: no markup, no HTML, no automatic links. */
export const escaped = (text: string): string =>
  clean(text)
    .replace(/[\\`*[\]<>|~]/g, '\\$&')
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
    .replace(/&(?=#?\w+;)/g, '\\&')
    .replace(/^[-+#=]/, '\\$&')
    .replace(/^(\d+)\./, '$1\\.')
    .replace(/:(?=\/\/)/g, '\\:')
    .replace(/\bwww\./gi, (found) => `${found.slice(0, -1)}\\.`)
    .replaceAll('@', '\\@');

/** One line without characters that change the display, and without mentions for chat programs. */
export const clean = (text: string): string =>
  text
    .replace(/\s+/gu, ' ')
    .replace(/[\p{Cc}\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/gu, '')
    .replace(/<(?=[!@#])/g, '< ')
    .trim();
