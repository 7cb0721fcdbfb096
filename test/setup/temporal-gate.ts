/** TLS and an API key in front of a Temporal, as Temporal Cloud and clusters have them: a proxy that knows no payload. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { connect, constants, createSecureServer, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';

export interface Authority {
  caFile: string;
  /** Makes a certificate and its key. @returns their files; those of the same name are replaced */
  issue(name: string): { certFile: string; keyFile: string };
}

const openssl = (...args: string[]): void => void execFileSync('openssl', args, { stdio: 'pipe' });

/** A certificate authority of a test, in a folder. */
export function authority(folder: string): Authority {
  mkdirSync(folder, { recursive: true });
  const file = (name: string): string => join(folder, name);
  const [caFile, caKey] = [file('ca.pem'), file('ca.key')];
  const ec = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  openssl('req', '-x509', ...ec, '-days', '2', '-subj', '/CN=test authority', '-keyout', caKey, '-out', caFile);
  return {
    caFile,
    issue(name) {
      const [key, request, cert, extensions] = ['key', 'csr', 'crt', 'ext'].map((end) => file(`${name}.new.${end}`));
      writeFileSync(extensions!, `subjectAltName=DNS:${name}\n`);
      openssl('req', ...ec, '-subj', `/CN=${name}`, '-keyout', key!, '-out', request!);
      openssl('x509', '-req', '-in', request!, '-CA', caFile, '-CAkey', caKey, '-CAcreateserial', '-days', '2', '-extfile', extensions!, '-out', cert!); // prettier-ignore
      const [certFile, keyFile] = [file(`${name}.pem`), file(`${name}.key`)];
      renameSync(key!, keyFile);
      renameSync(cert!, certFile);
      return { certFile, keyFile };
    },
  };
}

export interface Gate {
  address: string;
  /** Serial numbers of the client certificates it has seen. */
  serials: Set<string>;
  /** Keys it accepts; empty: none is needed. */
  keys: Set<string>;
  /** Methods that it refuses, with this status of gRPC. */
  denies: Map<string, number>;
  close(): Promise<void>;
}

/** @param mutual whether clients need a certificate of this authority */
export async function temporalGate(target: string, from: Authority, { mutual = true }: { mutual?: boolean } = {}): Promise<Gate> {
  const { certFile, keyFile } = from.issue('temporal.test');
  const upstream = connect(`http://${target}`);
  const server = createSecureServer({
    cert: readFileSync(certFile),
    key: readFileSync(keyFile),
    ...(mutual ? { ca: readFileSync(from.caFile), requestCert: true, rejectUnauthorized: true } : {}),
  });
  const gate: Gate = {
    address: '',
    serials: new Set(),
    keys: new Set(),
    denies: new Map(),
    async close() {
      for (const session of sessions) session.destroy();
      upstream.close();
      await new Promise((done) => server.close(done));
    },
  };
  const sessions = new Set<{ destroy(): void }>();
  server.on('session', (session) => {
    sessions.add(session);
    const serial = (session.socket as TLSSocket).getPeerCertificate().serialNumber;
    if (serial) gate.serials.add(serial);
  });
  server.on('stream', (stream, headers) => {
    stream.on('error', () => {});
    const method = String(headers[':path']).split('/').at(-1)!;
    const key = String(headers['authorization'] ?? '').replace(/^Bearer /, '');
    if (gate.keys.size > 0 && !gate.keys.has(key)) return refuse(stream, 16, 'Request unauthorized.');
    const denied = gate.denies.get(method);
    if (denied !== undefined) return refuse(stream, denied, 'not here');
    forward(stream, headers);
  });
  function forward(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void {
    const onward = upstream.request({ ...headers, ':scheme': 'http' });
    let trailers: IncomingHttpHeaders = {};
    onward.on('error', () => stream.close(constants.NGHTTP2_INTERNAL_ERROR));
    // A refusal is headers alone.
    onward.on('response', (answer, flags) =>
      stream.respond(answer, flags & constants.NGHTTP2_FLAG_END_STREAM ? { endStream: true } : { waitForTrailers: true }),
    );
    onward.on('trailers', (given) => (trailers = given));
    stream.on('wantTrailers', () => stream.sendTrailers(trailers));
    stream.on('close', () => onward.close(constants.NGHTTP2_CANCEL));
    stream.pipe(onward);
    onward.pipe(stream);
  }
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  gate.address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return gate;
}

const refuse = (stream: ServerHttp2Stream, status: number, message: string): void =>
  stream.respond({ ':status': 200, 'content-type': 'application/grpc', 'grpc-status': String(status), 'grpc-message': message }, { endStream: true }); // prettier-ignore
