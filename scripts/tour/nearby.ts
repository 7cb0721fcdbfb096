import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Ports of this machine that `npm start` allows for outgoing requests (PRIVATE_TARGETS). */
const [first, last] = [8390, 8399];

/** Listens on one of these ports, or on any port when all are in use. @returns its address */
export async function listenNearby(server: Server): Promise<string> {
  for (let port = first; port <= last + 1; port += 1) {
    const heard = await new Promise<boolean>((resolve, reject) => {
      const failed = (error: NodeJS.ErrnoException): void => (error.code === 'EADDRINUSE' ? resolve(false) : reject(error));
      server.once('error', failed);
      server.listen(port > last ? 0 : port, '127.0.0.1', () => {
        server.off('error', failed);
        resolve(true);
      });
    });
    if (heard) break;
  }
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
