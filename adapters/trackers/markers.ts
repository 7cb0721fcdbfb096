/** Marks in comments that we wrote, for trackers whose comments keep HTML comments. */
const mark = /<!-- signalbox:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}) -->/;

export const markerIn = (body: string): string | null => mark.exec(body)?.[1] ?? null;

/** A comment with the marker by which it is found again. */
export const marked = (text: string, marker: string): string => `${text}\n\n<!-- signalbox:${marker} -->`;
