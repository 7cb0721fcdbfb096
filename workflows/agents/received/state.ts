/** Sends progress one message at a time; changes in between are combined. */
export class Relay {
  private readonly pass: () => Promise<void>;
  private latest = '';
  private dirty = false;
  private running: Promise<void> | null = null;

  constructor(pass: () => Promise<void>) {
    this.pass = pass;
  }

  /** Unchanged progress is not sent again. */
  tell(status: string, progress: string | null): void {
    const news = JSON.stringify([status, progress]);
    if (news === this.latest) return;
    this.latest = news;
    this.dirty = true;
    this.running ??= this.drain();
  }

  private async drain(): Promise<void> {
    while (this.dirty) {
      this.dirty = false;
      await this.pass();
    }
    this.running = null;
  }

  async idle(): Promise<void> {
    await this.running;
  }
}
