/** Finds free ports. */
import { createServer } from 'node:net';
import { AppError } from '../../contracts/errors.ts';

export interface PortOptions {
  /** Owner of the port, for the message that it moved ("Postgres"). */
  name?: string;
  /** Ports reserved for servers that do not listen yet; the found port is added. */
  taken?: Set<number>;
  /** Receives one line when the wanted port was not free. */
  onMoved?: (line: string) => void;
}

function canListen(port: number, host: string): Promise<number | null> {
  return new Promise((done) => {
    const server = createServer();
    server.unref();
    server.on('error', (error: NodeJS.ErrnoException) =>
      // A machine without IPv6 has no `::`.
      done(error.code === 'EAFNOSUPPORT' || error.code === 'EADDRNOTAVAIL' ? port : null),
    );
    server.listen({ port, host, exclusive: true }, () => {
      const address = server.address();
      const got = typeof address === 'object' && address !== null ? address.port : port;
      server.close(() => done(got));
    });
  });
}

/** Whether nothing listens on the port, on loopback or on all addresses. */
export async function isPortFree(port: number): Promise<boolean> {
  // Each separately: some systems let a loopback listener and a wildcard listener share a port.
  for (const host of ['127.0.0.1', '0.0.0.0', '::']) {
    if ((await canListen(port, host)) === null) return false;
  }
  return true;
}

/**
 * The first free port from `wanted` upward; 0 means any free port.
 * @throws Error when none of the 200 ports from `wanted` is free.
 */
export async function freePort(wanted: number, options: PortOptions = {}): Promise<number> {
  const taken = options.taken ?? new Set<number>();
  if (wanted === 0) {
    for (let attempt = 0; attempt < 50; attempt += 1) {
      const port = await canListen(0, '127.0.0.1');
      if (port === null || taken.has(port) || !(await isPortFree(port))) continue;
      taken.add(port);
      return port;
    }
    throw new Error('No free port found.');
  }
  for (let port = wanted; port < wanted + 200 && port < 65536; port += 1) {
    if (taken.has(port) || !(await isPortFree(port))) continue;
    taken.add(port);
    if (port !== wanted) options.onMoved?.(`Port ${wanted} is taken; ${options.name ?? 'it'} moves to ${port}`);
    return port;
  }
  throw new Error(`No free port from ${wanted} upward${options.name ? ` for ${options.name}` : ''}.`);
}

/** The error of a server that found its port taken. */
export const portTaken = (message: string, hint: string): AppError =>
  new AppError('SERVICE_UNAVAILABLE', message, { hint, details: { reason: 'port_taken' } });

const isTaken = (error: unknown): boolean => error instanceof AppError && error.details?.['reason'] === 'port_taken';

/**
 * Starts a server on free ports. A free port may be taken a moment later, also by a port that the server chooses
 * itself: then it starts on others. After the first start its ports are known to others and stay.
 */
export function onFreePorts<T>(
  wanted: readonly (Pick<PortOptions, 'name'> & { port: number })[],
  options: PortOptions & { taken: Set<number> },
  start: (ports: number[]) => Promise<T>,
): () => Promise<T> {
  let ports: number[] | null = null;
  const chosen = async (): Promise<number[]> => {
    const found: number[] = [];
    for (const { port, ...named } of wanted) found.push(await freePort(port, { ...options, ...named }));
    return found;
  };
  return async () => {
    if (ports !== null) return await start(ports);
    for (let attempt = 1; ; attempt += 1) {
      const candidates = await chosen();
      try {
        const started = await start(candidates);
        ports = candidates;
        return started;
      } catch (error) {
        if (!isTaken(error) || attempt === 3) throw error;
        candidates.forEach((port) => options.taken.delete(port));
      }
    }
  };
}
