import { pino } from 'pino';
import { expect, test } from 'vitest';
import { AppError } from '../contracts/errors.ts';
import { untilReachable } from './reachable.ts';

const lines: string[] = [];
const log = pino({ base: null, timestamp: false }, { write: (line: string) => void lines.push((JSON.parse(line) as { msg: string }).msg) });
const failing = (...errors: Error[]) => {
  const left = [...errors];
  return () => {
    const error = left.shift();
    return error ? Promise.reject(error) : Promise.resolve('there');
  };
};
const coded = (code: string | number, extra: object = {}): Error => Object.assign(new Error(`failed with ${code}`), { code, ...extra });

test('waits for a connection, and says that it is the connection', async () => {
  lines.length = 0;
  const away = [
    coded('ECONNREFUSED'),
    coded('EAI_AGAIN'),
    new AppError('SERVICE_UNAVAILABLE', 'away'),
    coded(14, { details: '', metadata: {} }),
  ];
  expect(await untilReachable('Postgres', log, failing(...away))).toBe('there');
  expect(lines).toEqual(away.map(() => 'Postgres is not reachable yet'));
});

test('waits for whoever sets Postgres up, and says so', async () => {
  lines.length = 0;
  expect(await untilReachable('Postgres', log, failing(coded('42P01')))).toBe('there');
  expect(lines).toEqual(['Postgres is not set up yet']);
});

test.each([
  ['a folder that does not exist', coded('ENOENT')],
  ['a bad setting', new Error('Bad configuration: OIDC_ISSUER needs OIDC_AUDIENCE')],
  ['a defect', new TypeError('undefined is not a function')],
  ['a refusal', new AppError('FORBIDDEN', 'This role bypasses row-level security.')],
])('%s is told at once', async (_what, error) => {
  lines.length = 0;
  await expect(untilReachable('Postgres', log, failing(error))).rejects.toBe(error);
  expect(lines).toEqual([]);
});
