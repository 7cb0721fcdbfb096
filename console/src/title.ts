/** The title and the icon of the tab: they show what waits for the user while another tab is open. */
import { capped } from './ui/words.ts';

let screen = '';
let waits = 0;

export const titled = (title: string, waiting: number): string =>
  `${waiting > 0 ? `(${capped(waiting)}) ` : ''}${title === '' ? '' : `${title} · `}Signalbox`;

function show(): void {
  document.title = titled(screen, waits);
  const link = document.querySelector<HTMLLinkElement>('link[rel=icon]');
  const icon = `/console/favicon${waits > 0 ? '-waiting' : ''}.svg`;
  if (link && link.getAttribute('href') !== icon) link.setAttribute('href', icon);
}

export function showTitle(title: string): void {
  screen = title;
  show();
}

export function showWaiting(count: number): void {
  waits = count;
  show();
}
