/** A receiver of webhooks that checks their signature as the Standard Webhooks specification says. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  path: string;
  id: string;
  headers: Record<string, string | string[] | undefined>;
  body: any;
  /** Whether it was signed with this secret, in the last five minutes. */
  signedWith(secret: string): boolean;
}

/** The outcome of the next request: this answer, stored with a lost connection, or no answer. */
export type WebhookMishap = { status: number; headers?: Record<string, string> } | 'lost_after' | 'silent';

export interface WebhookDouble {
  url: string;
  received: Received[];
  mishaps: WebhookMishap[];
  close(): Promise<void>;
}

export async function webhookDouble(): Promise<WebhookDouble> {
  const double: WebhookDouble = { url: '', received: [], mishaps: [], close: async () => {} };
  const server = createServer((request, reply) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const { headers } = request;
      double.received.push({
        path: request.url ?? '/',
        id: String(headers['webhook-id']),
        headers,
        body: JSON.parse(body),
        signedWith(secret) {
          const at = String(headers['webhook-timestamp']);
          const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
          const wanted = createHmac('sha256', key).update(`${headers['webhook-id']}.${at}.${body}`).digest();
          const given = Buffer.from(String(headers['webhook-signature']).replace(/^v1,/, ''), 'base64');
          return Math.abs(Date.now() / 1_000 - Number(at)) < 300 && given.length === wanted.length && timingSafeEqual(given, wanted);
        },
      });
      const mishap = double.mishaps.shift();
      if (mishap === 'lost_after') return void request.socket.destroy();
      if (mishap === 'silent') return;
      reply.writeHead(mishap?.status ?? 204, mishap?.headers).end();
    });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  double.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  double.close = async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  };
  return double;
}
