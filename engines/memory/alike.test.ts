import { expect, it } from 'vitest';
import { apart, readSaid, type ApartReason } from './alike.ts';

/** Merging keeps the first. */
const judge = (longer: string, shorter: string, cosine?: number): ApartReason | null => apart(readSaid(longer), readSaid(shorter), cosine);

it.each([
  ['We deploy on Tuesdays only.', 'We deploy on Tuesdays only'],
  ['We always deploy on Tuesdays.', 'we deploy on Tuesdays'],
  ['Auth results are cached in Redis for 5 minutes.', 'auth results are cached in redis for 5 minutes'],
  ['We deploy on Tuesdays only and never on Fridays.', 'We deploy on Tuesdays only, never on Fridays.'],
  ['Clients must never get stack traces.', 'Clients never get stack traces.'],
  ['Use tabs for indentation in all Go files.', 'Use tabs for indentation in all Go files'],
  ['Invoices are numbered by the billing service. It counts per customer.', 'Invoices are numbered by the billing service.'],
  ['Call `resetCache()` before the tests.', 'Please call `resetCache()` before the tests!'],
  ['Ann owns the release process for the mobile app.', 'Ann owns the release process for the mobile app'],
  ['Errors go to the channel "alerts"; Ann reads it.', 'errors go to the channel "alerts"'],
])('one memory takes the place of the other: %s / %s', (longer, shorter) => {
  expect(judge(longer, shorter)).toBeNull();
  expect(judge(longer, shorter, 0.95)).toBeNull();
  // Vectors only confirm.
  expect(judge(longer, shorter, 0.7)).toBe('meanings differ');
});

it.each([
  // Opposites.
  ['Use tabs for indentation.', 'Do not use tabs for indentation.'],
  ['We deploy on Fridays.', "We don't deploy on Fridays."],
  ['Deploy without a review.', 'Deploy with a review.'],
  ['Run the linter before the tests.', 'Run the linter after the tests.'],
  ['Enable the cache in staging.', 'Disable the cache in staging.'],
  ['Turn the flag on in production.', 'Turn the flag off in production.'],
  ['Always squash commits.', 'Never squash commits.'],
  ['The cache may be shared.', 'The cache must be shared.'],
  ['Retry only when the call is idempotent.', 'Retry when the call is idempotent.'],
  ['Avoid global state in the workers.', 'Prefer global state in the workers.'],
  ['Log the name and the address.', 'Log the name or the address.'],
  // Numbers, dates, versions.
  ['The timeout is 30 seconds.', 'The timeout is 60 seconds.'],
  ['We use Node 22.1 in CI.', 'We use Node 22.2 in CI.'],
  ['The contract ends on 2026-03-01.', 'The contract ends on 2027-03-01.'],
  ['We release on Monday.', 'We release on Tuesday.'],
  ['Two people approve a release.', 'Three people approve a release.'],
  ['The port is 8080, then 9090.', 'The port is 9090, then 8080.'],
  // Names, identifiers.
  ['Ann reports to Bob.', 'Bob reports to Ann.'],
  ['We chose Redis for the queue.', 'We chose Kafka for the queue.'],
  ['Use HTTPS for internal calls.', 'Use HTTP for internal calls.'],
  ['Call getUser in the handler.', 'Call getUsers in the handler.'],
  ['Errors go to "alerts".', 'Errors go to "noise".'],
  ['The team uses src/api for routes.', 'The team uses src/web for routes.'],
  // Other words.
  ['Use tabs for indentation.', 'Use spaces for indentation.'],
  ['Cats chase dogs.', 'Dogs chase cats.'],
  ['The service reads from the replica and writes to the primary.', 'The service writes to the replica and reads from the primary.'],
  ['We cache results in redis.', 'We cache results in memcached.'],
  ['Do we cache results?', 'We cache results.'],
  ['Use mocks? No.', 'Use mocks.'],
  ['Data is copied to the replica.', 'Data is copied from the replica.'],
  ['Ann approved the release.', 'Ann approves the release.'],
  ['Allow anonymous reads.', 'Disallow anonymous reads.'],
  ['Cost is 5 EUR.', 'Cost is 5 USD.'],
  ['Cost is $5 per seat.', 'Cost is €5 per seat.'],
  ['The API should cache results.', 'The API may cache results.'],
  // One word more.
  ['The old API stays.', 'The API stays.'],
  ['Use the staging key id.', 'Use the staging key.'],
  ['The job barely fits in memory.', 'The job fits in memory.'],
  ['We deploy on Tuesdays in staging.', 'We deploy on Tuesdays.'],
  ['This is outdated. Use port 80.', 'Use port 80.'],
  ['Use port 80. That was reverted.', 'Use port 80.'],
  ['Deploys need two approvals.', 'Deploys need two approvals, are announced in the channel and end with a smoke test of all regions.'],
])('two memories stay apart: %s / %s', (one, other) => {
  for (const [a, b] of [
    [one, other],
    [other, one],
  ] as const) {
    expect(judge(a, b), `${a} | ${b}`).not.toBeNull();
    // However near their vectors are.
    expect(judge(a, b, 0.999), `${a} | ${b}`).not.toBeNull();
  }
});
