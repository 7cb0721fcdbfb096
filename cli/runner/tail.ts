/** Reads lines of a file that grows. */
import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';

const chunkBytes = 256 * 1024;
/** Longer lines are passed over: they are no events, and would fill the memory. */
const longestLine = 16 * 1024 * 1024;

export interface Line {
  text: string;
  /** Where the next line begins, in bytes. */
  end: number;
}

export class Tail {
  /** Bytes read so far. */
  position = 0;
  private readonly path: string;
  private rest: Buffer[] = [];
  private restBytes = 0;
  private overlong = false;

  constructor(path: string) {
    this.path = path;
  }

  /** The next lines, at most one chunk of them. Empty: nothing new. @param atEnd also a last line without line end */
  read(atEnd = false): Line[] {
    if (!existsSync(this.path)) return [];
    const file = openSync(this.path, 'r');
    try {
      const size = fstatSync(file).size;
      const buffer = Buffer.alloc(Math.max(0, Math.min(chunkBytes, size - this.position)));
      const count = buffer.length === 0 ? 0 : readSync(file, buffer, 0, buffer.length, this.position);
      const begin = this.position;
      this.position += count;
      const lines = this.split(buffer.subarray(0, count), begin);
      if (atEnd && this.position >= size && this.restBytes > 0) lines.push(this.take(this.position));
      return lines;
    } finally {
      closeSync(file);
    }
  }

  /** Whether a whole chunk has been read, so that there may be more. */
  get behind(): boolean {
    try {
      const file = openSync(this.path, 'r');
      try {
        return fstatSync(file).size > this.position;
      } finally {
        closeSync(file);
      }
    } catch {
      return false;
    }
  }

  private split(chunk: Buffer, begin: number): Line[] {
    const lines: Line[] = [];
    let from = 0;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      this.keep(chunk.subarray(from, at));
      from = at + 1;
      lines.push(this.take(begin + from));
    }
    this.keep(chunk.subarray(from));
    return lines.filter(({ text }) => text !== '');
  }

  private keep(part: Buffer): void {
    if (part.length === 0) return;
    if (this.restBytes + part.length > longestLine) [this.rest, this.restBytes, this.overlong] = [[], 0, true];
    if (this.overlong) return;
    this.rest.push(part);
    this.restBytes += part.length;
  }

  private take(end: number): Line {
    const text = this.overlong ? '' : Buffer.concat(this.rest).toString('utf8').replace(/\r$/, '');
    [this.rest, this.restBytes, this.overlong] = [[], 0, false];
    return { text, end };
  }
}

/** The first and last bytes of a file, for a person. */
export function ends(path: string, head: number, tail: number): string {
  if (!existsSync(path)) return '';
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    const part = (from: number, length: number): string => {
      const buffer = Buffer.alloc(length);
      return buffer.subarray(0, readSync(file, buffer, 0, length, from)).toString('utf8');
    };
    if (size <= head + tail) return part(0, size);
    return `${part(0, head)}\n… ${size - head - tail} bytes left out …\n${part(size - tail, tail)}`;
  } finally {
    closeSync(file);
  }
}
