/** A waiting or running file. */
export interface WaitingFile {
  tenant: string;
  input: { bytes: Uint8Array };
}

/**
 * Chooses the next file. Files may take minutes, so tenants with fewer running files come first; within a tenant the
 * smallest file, then the oldest.
 * @param waiting in order of arrival
 * @param most maximum running files; one more for a tenant without running files
 * @returns undefined: none can start now
 */
export function nextFile<F extends WaitingFile>(waiting: readonly F[], busy: readonly WaitingFile[], most: number): F | undefined {
  const underWay = new Map<string, number>();
  for (const { tenant } of busy) underWay.set(tenant, (underWay.get(tenant) ?? 0) + 1);
  const of = ({ tenant }: WaitingFile): number => underWay.get(tenant) ?? 0;
  let best: F | undefined;
  for (const file of waiting) {
    const room = busy.length < most || (busy.length === most && of(file) === 0);
    if (!room) continue;
    if (best === undefined || of(file) < of(best) || (of(file) === of(best) && file.tenant === best.tenant && size(file) < size(best)))
      best = file;
  }
  return best;
}

const size = ({ input }: WaitingFile): number => input.bytes.length;
