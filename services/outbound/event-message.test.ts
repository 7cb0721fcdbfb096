import { describe, expect, it } from 'vitest';
import { eventTypes } from '../../contracts/outbound/events.ts';
import { notificationMessage } from '../../contracts/outbound/notifications.ts';
import { messageOf } from './event-message.ts';

const at = '2026-11-22T09:00:00.000Z';

describe('an event as a message', () => {
  it.each([...eventTypes, 'ping' as const])('%s is short and fits', (type) => {
    const message = messageOf({ type, subject: 'x_1', occurred_at: at, data: { name: 'n'.repeat(5_000), reason: 'r'.repeat(5_000) } });
    expect(notificationMessage.parse(message)).toEqual(message);
    expect(message.body.length).toBeLessThan(2_000);
    expect(message.body).toContain('about: x_1');
  });

  it('tells the facts it knows of, and no others', () => {
    const { title, body } = messageOf({
      type: 'issue.flagged',
      subject: 'ent_1',
      occurred_at: at,
      data: { name: 'Export fails', severity: 'high', reason: 'Seen twice', signal_ids: ['sig_1'], answer: { secret: 1 } },
    });
    expect(title).toBe('An issue was flagged: Export fails');
    expect(body.split('\n')).toEqual([
      '- name: Export fails',
      '- severity: high',
      '- reason: Seen twice',
      '- about: ent_1',
      expect.stringMatching(/^- at: 2026/),
    ]);
    const ended = messageOf({
      type: 'ingestion.completed',
      subject: 'job_1',
      occurred_at: at,
      data: { job_kind: 'ingest_run', counts: { total: 3, done: 2, refused: 1 } },
    });
    expect(ended.body).toContain('- counts: total 3, done 2, refused 1');
    const counted = messageOf({
      type: 'signal.ingested',
      subject: 'doc_1',
      occurred_at: at,
      data: { signals: 3, classes: { bug: 2, praise: 1 } },
    });
    expect(counted.body).toContain('- signals: 3\n- classes: bug 2, praise 1');
  });

  it('takes what strangers wrote as text', () => {
    const reason = '**bold** [click](https://evil.example)\n# Heading <!channel> <script>';
    const { title, body } = messageOf({
      type: 'approval.requested',
      subject: 'a',
      occurred_at: at,
      data: { name: 'a\r\nb <!here>', reason },
    });
    expect(title).not.toMatch(/[\r\n]|<!/);
    expect(body.split('\n')).toHaveLength(3);
    expect(body).not.toMatch(/(?<!\\)\*\*|(?<!\\)\[click|(?<!\\)<|(?<!\\):\/\//);
  });
});
