import { expect, test } from 'vitest';
import { AppError } from '../../contracts/errors.ts';
import { addressKind, checkedLookup, parseTarget, type AllowPrivate } from './targets.ts';

test.each([
  ['93.184.215.14', 'public'],
  ['2606:2800:21f:cb07:6820:80da:af6b:8b2c', 'public'],
  ['127.0.0.1', 'private'],
  ['127.255.255.254', 'private'],
  ['10.0.0.1', 'private'],
  ['172.31.255.255', 'private'],
  ['192.168.1.1', 'private'],
  ['100.64.0.1', 'private'],
  ['::1', 'private'],
  ['fd12:3456::1', 'private'],
  ['0.0.0.0', 'forbidden'],
  ['169.254.169.254', 'forbidden'],
  ['168.63.129.16', 'forbidden'],
  ['192.0.0.192', 'forbidden'],
  ['198.18.0.1', 'forbidden'],
  ['203.0.113.5', 'forbidden'],
  ['224.0.0.1', 'forbidden'],
  ['240.0.0.1', 'forbidden'],
  ['255.255.255.255', 'forbidden'],
  ['::', 'forbidden'],
  ['fe80::1', 'forbidden'],
  ['fec0::1', 'forbidden'],
  ['ff02::1', 'forbidden'],
  ['2001:db8::1', 'forbidden'],
  ['::a00:1', 'forbidden'],
  ['::ffff:10.0.0.1', 'private'],
  ['::ffff:169.254.169.254', 'forbidden'],
  ['::ffff:93.184.215.14', 'public'],
  ['64:ff9b::10.0.0.1', 'private'],
  ['64:ff9b::169.254.169.254', 'forbidden'],
  ['64:ff9b::93.184.215.14', 'public'],
  ['64:ff9b:1::a00:1', 'forbidden'],
  ['2002:a00:1::', 'forbidden'],
  ['2001::1', 'forbidden'],
  ['no address', 'forbidden'],
])('%s is %s', (address, kind) => {
  expect(addressKind(address)).toBe(kind);
});

const reason = (url: string, allowPrivate: AllowPrivate = false): unknown => {
  try {
    return parseTarget(url, allowPrivate).href;
  } catch (error) {
    expect(error).toBeInstanceOf(AppError);
    expect((error as AppError).code).toBe('VALIDATION_ERROR');
    expect((error as AppError).hint).toBeTruthy();
    return (error as AppError).details?.['reason'];
  }
};

test.each([
  ['http://127.0.0.1/', 'private_address'],
  ['http://0x7f000001/', 'private_address'],
  ['http://2130706433/', 'private_address'],
  ['http://0177.0.0.1/', 'private_address'],
  ['http://127.1/', 'private_address'],
  ['http://[::1]/', 'private_address'],
  ['http://[::ffff:10.0.0.1]/', 'private_address'],
  ['http://[0:0:0:0:0:ffff:7f00:1]/', 'private_address'],
  ['http://169.254.169.254/latest/meta-data', 'private_address'],
  ['http://１２７.0.0.1/', 'private_address'],
  ['http://0/', 'private_address'],
  ['ftp://example.com/', 'scheme'],
  ['file:///etc/passwd', 'scheme'],
  ['javascript:alert(1)', 'scheme'],
  ['https://user:secret@example.com/', 'credentials'],
  ['https://user@example.com/', 'credentials'],
  ['http://example.com:25/', 'port'],
  ['http://example.com:6379/', 'port'],
  ['example.com', 'invalid'],
  ['http://', 'invalid'],
  [`https://example.com/${'a'.repeat(9000)}`, 'too_long'],
  ['https://example.com:8443/a?b=c#d', 'https://example.com:8443/a?b=c'],
])('%s → %s', (url, expected) => {
  expect(reason(url)).toBe(expected);
});

test('the development switch opens loopback and private addresses, not the cloud metadata', () => {
  expect(reason('http://127.0.0.1:8080/x', true)).toBe('http://127.0.0.1:8080/x');
  expect(reason('http://10.1.2.3/', true)).toBe('http://10.1.2.3/');
  expect(reason('http://169.254.169.254/', true)).toBe('private_address');
  expect(reason('http://[::ffff:169.254.169.254]/', true)).toBe('private_address');
});

test('secrets of the URL are not passed on', () => {
  try {
    parseTarget('https://user:hunter2@example.com/?key=abc', false);
    expect.unreachable();
  } catch (error) {
    const told = JSON.stringify([(error as AppError).message, (error as AppError).hint, (error as AppError).details]);
    expect(told).not.toMatch(/hunter2|abc/);
  }
});

test('listed addresses are opened on their ports alone, and nothing that merely leads there', async () => {
  const listed = [
    { address: '127.0.0.1', from: 8390, to: 8399 },
    { address: '10.0.0.5', from: 443, to: 443 },
    { address: '169.254.169.254', from: 80, to: 80 },
  ];
  expect(reason('http://127.0.0.1:8390/feed.xml', listed)).toBe('http://127.0.0.1:8390/feed.xml');
  expect(reason('http://2130706433:8399/', listed)).toBe('http://127.0.0.1:8399/');
  expect(reason('https://10.0.0.5/', listed)).toBe('https://10.0.0.5/');
  for (const url of [
    'http://127.0.0.1:8400/',
    'http://127.0.0.1/',
    'http://10.0.0.5/',
    'http://127.0.0.2:8390/',
    'http://169.254.169.254/',
  ]) {
    expect(reason(url, listed), url).toBe('private_address');
  }
  const lookup = checkedLookup(async () => [{ address: '127.0.0.1', family: 4 }], listed);
  const error = await new Promise((resolve) => lookup('localhost', { all: true }, (failed) => resolve(failed)));
  expect(error).toMatchObject({ details: { reason: 'private_address' } });
});
