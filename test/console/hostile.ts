/** Direction marks, an invisible character, a tag character, markup, and a word without end. */
export const hostile = `<img src=x onerror=alert(1)> \u202eevil\u202c \u200b \u{e0041} ${'w'.repeat(20_000)}`;
