/** A file that is to be read, or is being read. */
export interface WaitingFile {
  tenant: string;
  input: { bytes: Uint8Array };
}

/**
 * Which file is read next. Files may take minutes each, so a tenant's come after those of tenants that have fewer under
 * way; of one tenant the smallest comes first, and of equals the one that came first.
 * @param waiting in the order in which they came
 * @param most files read at once; one more, for a tenant that has none under way
 * @returns undefined: none can begin now
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
