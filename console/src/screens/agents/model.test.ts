import { describe, expect, it } from 'vitest';
import { dollars, foldCalls, pauseText, presenceRows, shares, slosText, stateOf } from './model.ts';

const slo = (met: boolean | null) => ({ name: 'coherence', target: 0.8, actual: null, met });
const piece = (state: 'healthy' | 'offline' | 'paused', hour: number, hours: number, reason: string | null = null) => ({
  state,
  from: `2026-11-24T${String(hour).padStart(2, '0')}:00:00.000Z`,
  to: `2026-11-24T${String(hour + hours).padStart(2, '0')}:00:00.000Z`,
  seconds: hours * 3600,
  reason,
});

describe('an agent', () => {
  it('that is paused is shown as paused, whatever its health', () => {
    expect(stateOf({ status: 'paused', health: 'offline' })).toBe('paused');
    expect(stateOf({ status: 'active', health: 'unhealthy' })).toBe('unhealthy');
  });

  it('meets objectives of which something is known', () => {
    expect(slosText([])).toBeNull();
    expect(slosText([slo(null)])).toEqual({ aspect: 'out', text: 'no data yet' });
    expect(slosText([slo(true), slo(false), slo(null)])).toEqual({ aspect: 'stop', text: '1 of 2 met' });
    expect(slosText([slo(true)])).toEqual({ aspect: 'clear', text: '1 of 1 met' });
  });

  it('costs something even where it costs little', () => {
    expect([0, 0.0004, 0.25, 1234.5].map(dollars)).toEqual(['$0', '< $0.01', '$0.25', '$1,234.50']);
  });

  it('keeps what it holds when it is paused', () => {
    const task = { task_id: 'task_1', phase_id: 1, title: '', started_at: null, lease_expires_at: 'x' };
    expect(pauseText({ tasks: [] }, () => '')).toContain('It holds no task now.');
    expect(pauseText({ tasks: [task] }, () => '12:09')).toContain('It holds task_1 until 12:09');
  });
});

describe('presence', () => {
  const spans = [piece('healthy', 0, 6), piece('offline', 6, 2), piece('healthy', 8, 8), piece('paused', 16, 2, 'lunch')];
  it('is the same in numbers', () => {
    expect(
      presenceRows(
        spans,
        (at) => at.slice(11, 16),
        (ms) => `${ms / 1000} s`,
      ),
    ).toEqual([
      ['healthy', '00:00', '06:00', '21600 s', ''],
      ['offline', '06:00', '08:00', '7200 s', ''],
      ['healthy', '08:00', '16:00', '28800 s', ''],
      ['paused', '16:00', '18:00', '7200 s', 'lunch'],
    ]);
    expect(shares(spans).map(({ state, share }) => [state, Math.round(share * 18)])).toEqual([
      ['healthy', 14],
      ['offline', 2],
      ['paused', 2],
    ]);
    expect(shares([])).toEqual([]);
  });
});

it('a call is one line: its end, else its beginning', () => {
  const event = (tool_call_id: string, type: string) => ({
    event_id: `${tool_call_id}${type}`,
    tool_call_id,
    type: `tool.call.${type}`,
    tool: 't',
    front: 'mcp',
    error_code: null,
    duration_ms: null,
    at: '',
  });
  const told = foldCalls([
    event('c3', 'started'),
    event('c2', 'failed'),
    event('c2', 'started'),
    event('c1', 'approved'),
    event('c1', 'completed'),
  ]);
  expect(told.map(({ tool_call_id, type }) => `${tool_call_id} ${type}`)).toEqual([
    'c3 tool.call.started',
    'c2 tool.call.failed',
    'c1 tool.call.approved',
    'c1 tool.call.completed',
  ]);
});
