/** Whether an agent does anything. */
import { cpuOf } from './process.ts';

/** A process that only waits uses less of a core than this. */
const idleShare = 0.02;
const ticksPerSecond = 100;

/** Signs of life: new output, or CPU time of the run's processes. */
export class Life {
  private at = Date.now();
  private looked = Date.now();
  private bytes = -1;
  private cpu: number;
  private readonly run: string;
  private readonly size: () => number;
  private readonly idleMs: number;

  constructor(run: string, size: () => number, idleMs: number) {
    this.run = run;
    this.size = size;
    this.idleMs = idleMs;
    this.cpu = cpuOf(run);
  }

  shown(): boolean {
    const now = Date.now();
    const bytes = this.size();
    if (bytes !== this.bytes) [this.bytes, this.at] = [bytes, now];
    // Looking through all processes costs some milliseconds.
    if (now - this.looked >= Math.min(10_000, this.idleMs / 4)) {
      const cpu = cpuOf(this.run);
      const share = (cpu - this.cpu) / ticksPerSecond / ((now - this.looked) / 1_000);
      if (share > idleShare) this.at = now;
      [this.cpu, this.looked] = [cpu, now];
    }
    return now - this.at < this.idleMs;
  }
}
