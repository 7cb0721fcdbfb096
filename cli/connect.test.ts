import { describe, expect, it } from 'vitest';
import { clients } from '../tools/system/clients.shared.ts';
import { workerName } from './connect.ts';

describe('the name under which a client works', () => {
  it('is its own for each client, machine and folder, and one that the api takes', () => {
    const names = clients.flatMap((client) => [
      workerName(client, false, 'box.example.org', '/home/ann/shop'),
      workerName(client, true, 'box', '/home/ann/shop'),
      workerName(client, false, 'box', '/srv/été & co'),
      workerName(client, false, 'x'.repeat(300), `/${'y'.repeat(300)}`),
      workerName(client, false, 'box', '/'),
    ]);
    for (const name of names) expect(name).toMatch(/^[A-Za-z0-9][A-Za-z0-9._:@/-]{0,127}$/);
    expect(workerName('cursor', false, 'box.example.org', '/home/ann/shop')).toBe('cursor@box/shop');
    expect(workerName('cursor', true, 'box', '/home/ann/shop')).toBe('cursor@box');
    expect(workerName('claude-desktop', false, 'box', '/home/ann/shop')).toBe('claude-desktop@box');
  });
});
