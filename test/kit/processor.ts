/**
 * Processor time of this thread that the work takes, in ms: for texts that are made to be slow. Time on the clock would
 * depend on what else the machine does.
 */
export function processorMs(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}
