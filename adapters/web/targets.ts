import { lookup as systemLookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { AppError } from '../../contracts/errors.ts';

export interface ResolvedAddress {
  address: string;
  family: 4 | 6;
}

/** All addresses of a host name. Rejects with ENOTFOUND or EAI_AGAIN as Node's own does. */
export type Resolver = (hostname: string) => Promise<ResolvedAddress[]>;

export const systemResolver: Resolver = async (hostname) =>
  (await systemLookup(hostname, { all: true, order: 'verbatim' })).map(({ address, family }) => ({
    address,
    family: family === 6 ? 6 : 4,
  }));

/**
 * `public`: on the internet. `private`: loopback, private, unique local and carrier-grade NAT, which a development
 * switch may allow. `forbidden`: never a web server: link-local (including cloud metadata), multicast, reserved,
 * tunnels.
 */
export function addressKind(address: string): 'public' | 'private' | 'forbidden' {
  if (!ipaddr.isValid(address)) return 'forbidden';
  const parsed = ipaddr.parse(address);
  if (parsed instanceof ipaddr.IPv6) {
    if (parsed.isIPv4MappedAddress()) return addressKind(parsed.toIPv4Address().toString());
    const [first = 0, second = 0, third, fourth, fifth, sixth, high = 0, low = 0] = parsed.parts;
    // NAT64 (64:ff9b::/96) gives hosts without IPv4 access to the internet; the embedded address counts.
    if (first === 0x64 && second === 0xff9b && third === 0 && fourth === 0 && fifth === 0 && sixth === 0) {
      return addressKind([high >> 8, high & 255, low >> 8, low & 255].join('.'));
    }
    const range = parsed.range();
    if (range === 'loopback' || range === 'uniqueLocal') return 'private';
    // Global unicast is 2000::/3 only; ::10.0.0.1 and other unassigned space is "unicast" to the library.
    return range === 'unicast' && (first & 0xe000) === 0x2000 ? 'public' : 'forbidden';
  }
  // Azure's host agent uses a public address, reachable only from its own machines.
  if (address === '168.63.129.16') return 'forbidden';
  const range = parsed.range();
  if (range === 'loopback' || range === 'private' || range === 'carrierGradeNat') return 'private';
  return range === 'unicast' ? 'public' : 'forbidden';
}

/** Ports of one address, inclusive. */
interface PrivateTarget {
  address: string;
  from: number;
  to: number;
}

/** Which `private` addresses may be reached: all, none, or listed ones that are numeric in the URL. */
export type AllowPrivate = boolean | readonly PrivateTarget[];

/** Ports of services with other protocols that could misinterpret a request as commands. */
const forbiddenPorts = new Set([
  1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 79, 87, 95, 109, 110, 111, 113, 119, 123, 135, 137, 139, 143, 161,
  179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 993, 995, 1719, 1720, 1723, 2049,
  3306, 3659, 4045, 4190, 5060, 5061, 5432, 6000, 6379, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 11211,
]);

const maxUrlLength = 8_192;

export const refusedUrl = (reason: string, message: string, hint: string, details: Record<string, unknown> = {}): AppError =>
  new AppError('VALIDATION_ERROR', message, { hint, details: { reason, ...details } });

const refusedAddress = (hostname: string): AppError =>
  refusedUrl(
    'private_address',
    `${hostname} is not on the public internet, so it is not fetched.`,
    'Give a public address, or have this one listed in PRIVATE_TARGETS. On a development machine ALLOW_PRIVATE_NETWORK=true opens all of them.',
    { host: hostname },
  );

/** Host and path without query, for messages and logs. */
export const displayUrl = (url: URL): string => `${url.host}${url.pathname}`.slice(0, 200);

/**
 * Parses a URL to be fetched and refuses what can be refused without DNS. Decimal, octal and hexadecimal addresses
 * are covered, because URL normalizes them. The fragment is dropped.
 * @throws {AppError} VALIDATION_ERROR, `details.reason`: invalid | too_long | scheme | credentials | port |
 * private_address
 */
export function parseTarget(text: string, allowPrivate: AllowPrivate, base?: URL): URL {
  if (text.length > maxUrlLength) {
    throw refusedUrl('too_long', `The URL is longer than ${maxUrlLength} characters.`, 'Give a shorter URL.');
  }
  if (!URL.canParse(text, base?.href)) {
    throw refusedUrl('invalid', 'This is not a URL.', 'Give a complete URL such as https://example.com/page.');
  }
  const url = new URL(text, base);
  url.hash = '';
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw refusedUrl('scheme', `${url.protocol.slice(0, 20)} URLs are not fetched.`, 'Only http and https are.');
  }
  if (url.username !== '' || url.password !== '') {
    throw refusedUrl('credentials', 'The URL carries a user name or password.', 'Give the URL without them.');
  }
  if (url.port !== '' && forbiddenPorts.has(Number(url.port))) {
    throw refusedUrl('port', `Port ${url.port} belongs to another protocol.`, 'Give the port of a web server.');
  }
  const hostname = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(hostname) !== 0 && !isReachable(hostname, allowPrivate) && !isListed(hostname, url, allowPrivate))
    throw refusedAddress(hostname);
  return url;
}

function isReachable(address: string, allowPrivate: AllowPrivate): boolean {
  const kind = addressKind(address);
  return kind === 'public' || (kind === 'private' && allowPrivate === true);
}

/** Names are never listed: their address is known only at connection time. */
function isListed(address: string, url: URL, allowed: AllowPrivate): boolean {
  if (typeof allowed === 'boolean' || addressKind(address) !== 'private') return false;
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  return allowed.some((target) => target.address === address && target.from <= port && port <= target.to);
}

/**
 * A `lookup` for sockets. It is the only resolution, and the socket connects to the address checked here, so a name
 * that changes its address between check and use has no effect. One bad address among good ones refuses the name.
 */
export function checkedLookup(resolve: Resolver, allowPrivate: AllowPrivate): LookupFunction {
  const checked = async (hostname: string, family: number): Promise<ResolvedAddress[]> => {
    const addresses = await resolve(hostname);
    for (const { address } of addresses) if (!isReachable(address, allowPrivate)) throw refusedAddress(hostname);
    const wanted = family === 0 ? addresses : addresses.filter((one) => one.family === family);
    if (wanted.length === 0) throw Object.assign(new Error(`${hostname} has no address`), { code: 'ENOTFOUND' });
    return wanted;
  };
  return (hostname, options, callback) => {
    const family = options.family === 'IPv4' ? 4 : options.family === 'IPv6' ? 6 : (options.family ?? 0);
    checked(hostname, family).then(
      (addresses) => {
        if (options.all === true) callback(null, addresses);
        else callback(null, addresses[0]!.address, addresses[0]!.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, '', 0),
    );
  };
}
