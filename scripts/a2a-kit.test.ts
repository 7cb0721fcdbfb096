import { expect, it } from 'vitest';
import { checksOf, fallsShort, kitsIn } from './a2a-kit.ts';

const report = `<?xml version="1.0" encoding="utf-8"?><testsuites><testsuite name="pytest">
<testcase classname="tests.core.test_a.TestA" name="test_must_requirement[CORE-SEND-003-jsonrpc]"><failure message="AssertionError: CORE-SEND-003 failed&#10;more">trace</failure></testcase>
<testcase classname="tests.core.test_b" name="test_fine" time="0.1" />
<testcase classname="tests.core.test_b" name="test_left_out"><skipped type="pytest.skip" message="not offered">x</skipped></testcase>
<testcase classname="tests.core.test_b" name="test_broken"><error message="failed on setup">trace</error></testcase>
</testsuite></testsuites>`;

it('reads a report, and tells what falls short from what is the fault of the kit', () => {
  const checks = checksOf(report, true);
  expect(checks.map(({ name, outcome }) => [name, outcome])).toEqual([
    ['TestA::test_must_requirement[CORE-SEND-003-jsonrpc]', 'failed'],
    ['test_b::test_fine', 'passed'],
    ['test_b::test_left_out', 'skipped'],
    ['test_b::test_broken', 'failed'],
  ]);
  expect(fallsShort('1.0', checks)).toEqual(['1.0 test_b::test_broken: failed on setup']);
  expect(fallsShort('0.3', checks)).toHaveLength(2);
  expect(
    fallsShort(
      '1.0',
      checks.map((check) => ({ ...check, outcome: 'passed' as const })),
    ),
  ).toEqual([expect.stringContaining('but passes')]);
  expect(fallsShort('0.3', checksOf(report, false))).toEqual([]);
});

it('says what is missing when no kit is given', () => {
  expect(() => kitsIn(undefined)).toThrow(/A2A_TCK_DIR must name the folder.*1\.0-dev.*0\.3\.x/);
  expect(() => kitsIn(import.meta.dirname)).toThrow(/is not a checkout of the kit/);
});
