/**
 * Where browsers find the console. On this machine it has a name of its own, which browsers resolve to loopback: its
 * cookie then does not reach other services of localhost, because cookies ignore ports.
 */
export function consoleAddress(api: string): string {
  const url = new URL(api);
  if (['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname)) url.hostname = 'signalbox.localhost';
  return url.href.replace(/\/$/, '');
}
