/** Collects warnings, with a limit for hostile files. */
export class Warnings {
  private readonly kept: string[];
  private dropped = 0;

  constructor(initial: readonly string[] = []) {
    this.kept = [...initial];
  }

  add(warning: string): void {
    if (this.kept.length < 20) this.kept.push(warning);
    else this.dropped++;
  }

  /** To be spread into metadata: empty without warnings. */
  toMetadata(): { warnings?: string[] } {
    if (this.kept.length === 0) return {};
    return { warnings: this.dropped === 0 ? this.kept : [...this.kept, `… and ${this.dropped} more.`] };
  }
}
