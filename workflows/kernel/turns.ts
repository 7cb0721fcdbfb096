/** Runs what may not overlap one after the other, in the order of its arrival. */
export class Turns {
  private last: Promise<unknown> = Promise.resolve();

  async take<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.last.then(work);
    this.last = turn.catch(() => {});
    return await turn;
  }
}
