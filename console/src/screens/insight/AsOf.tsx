import { TextField } from '../../ui/Field.tsx';
import type { Url } from './model.ts';

/** Nothing said after that day counts. */
export const AsOf = ({ url, set }: { url: Url; set: (change: Partial<Url>) => void }) => (
  <TextField label="As of" type="date" value={url.as_of} onChange={(as_of) => set({ as_of })} />
);
