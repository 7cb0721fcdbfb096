import { expect, it } from 'vitest';
import { AppError } from '../../contracts/errors.ts';
import { translate } from './errors.ts';

const withCode = (code: string): Error => Object.assign(new Error('x'), { code });

it('tells a database that is away from a statement that is wrong', () => {
  const away = [
    ...['57P01', '57P03', '08006', '53300', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'P1001'].map(withCode),
    new Error('Connection terminated unexpectedly'),
    new Error('Client has encountered a connection error and is not queryable'),
    new Error('timeout exceeded when trying to connect'),
    new Error('Raw query failed. Code: `57P01`. Message: `terminating connection`'),
    new Error("Can't reach database server at `127.0.0.1:1`"),
  ];
  for (const error of away) {
    const told = translate(error);
    expect(told, error.message).toBeInstanceOf(AppError);
    expect(told).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryable: true, cause: error });
  }
  for (const error of ['40P01', '55P03', '57014'].map(withCode)) {
    expect(translate(error)).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      retryable: true,
      hint: expect.stringContaining('try again'),
      cause: error,
    });
  }
  for (const error of ['22021', '22P05'].map(withCode)) expect(translate(error)).toMatchObject({ code: 'VALIDATION_ERROR', cause: error });
  for (const error of [withCode('23505'), withCode('42P01'), new Error('syntax error')]) expect(translate(error)).toBe(error);
});
