/** Lays graphs out beside the page, so that it stays responsive. */
import { layOut, type Laid } from './layout.ts';

const scope = self as unknown as { onmessage: (event: MessageEvent<Laid & { turn: number }>) => void; postMessage(message: unknown): void };
scope.onmessage = ({ data: { turn, ids, links } }) => scope.postMessage({ turn, spots: layOut(ids, links) });
