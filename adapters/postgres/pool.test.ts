import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { afterEach, expect, it } from 'vitest';
import { TenantPool } from './pool.ts';

let stop: (() => Promise<void>) | undefined;
afterEach(async () => {
  await stop?.();
  stop = undefined;
});

const message = (type: string, ...parts: (Buffer | string)[]): Buffer => {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part as string)));
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
};
const welcome = [message('R', Buffer.alloc(4)), message('Z', 'I')];
const killed = message('E', 'SFATAL\0C57P01\0Mterminating connection due to unexpected postmaster exit\0\0');

it('survives a server that is killed in the moment in which it lets a connection in', async () => {
  // The end of the startup and the last word of the server in one packet.
  const server = createServer((socket) => socket.once('data', () => socket.end(Buffer.concat([...welcome, killed]))));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const pool = new TenantPool({
    host: '127.0.0.1',
    port: (server.address() as AddressInfo).port,
    user: 'anyone',
    database: 'any',
    ssl: false,
  });
  stop = async () => {
    await pool.end();
    server.close();
  };
  await expect(pool.query('select 1')).rejects.toThrow(/connection error|terminat/i);
});
