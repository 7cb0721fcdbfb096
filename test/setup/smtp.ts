/** A fake mail server, with failures. */
import { createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

export interface Mail {
  from: string;
  to: string;
  /** As it came, headers and body, dots undone. */
  raw: string;
}

/** What becomes of the next mail: refused at its recipient, or taken and never confirmed, or the connection cut before it. */
export type MailMishap = { refuse: string } | 'lost_after' | 'lost_before';

export interface SmtpDouble {
  url: string;
  mails: Mail[];
  mishaps: MailMishap[];
  close(): Promise<void>;
}

export async function smtpDouble(): Promise<SmtpDouble> {
  const sockets = new Set<Socket>();
  const double: SmtpDouble = { url: '', mails: [], mishaps: [], close: async () => {} };
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {});
    serve(socket, double);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  double.url = `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`;
  double.close = async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((closed) => server.close(closed));
  };
  return double;
}

function serve(socket: Socket, double: SmtpDouble): void {
  let [buffer, from, to] = ['', '', ''];
  let inData = false;
  const say = (line: string): void => void socket.write(`${line}\r\n`);
  const command = (line: string): void => {
    const verb = line.slice(0, 4).toUpperCase();
    const mishap = double.mishaps[0];
    if (verb === 'EHLO' || verb === 'HELO') return say('250 double');
    if (verb === 'MAIL') [, from = ''] = /<(.*?)>/.exec(line) ?? [];
    if (verb === 'RCPT') {
      [, to = ''] = /<(.*?)>/.exec(line) ?? [];
      if (mishap === 'lost_before') return (double.mishaps.shift(), void socket.destroy());
      if (typeof mishap === 'object') return (double.mishaps.shift(), say(mishap.refuse));
    }
    if (verb === 'DATA') inData = true;
    say(verb === 'DATA' ? '354 go on' : verb === 'QUIT' ? '221 bye' : '250 ok');
  };
  socket.on('data', (chunk: Buffer) => {
    buffer += chunk.toString('utf8');
    for (;;) {
      const end = buffer.indexOf(inData ? '\r\n.\r\n' : '\r\n');
      if (end < 0) return;
      const text = buffer.slice(0, end);
      buffer = buffer.slice(end + (inData ? 5 : 2));
      if (!inData) command(text);
      else {
        inData = false;
        double.mails.push({ from, to, raw: text.replaceAll('\r\n..', '\r\n.') });
        if (double.mishaps[0] === 'lost_after') return (double.mishaps.shift(), void socket.destroy());
        say('250 taken');
      }
    }
  });
  say('220 double');
}
