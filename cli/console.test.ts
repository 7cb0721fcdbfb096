import { expect, it } from 'vitest';
import { browserCommand } from './console.ts';

it('opens pages of the web, without a shell', () => {
  const address = 'https://issuer.example.com/device?user_code=A&calc';
  expect(browserCommand(address, 'linux')).toEqual(['xdg-open', address]);
  expect(browserCommand(address, 'darwin')).toEqual(['open', address]);
  expect(browserCommand(address, 'win32')).toEqual(['rundll32', 'url.dll,FileProtocolHandler', address]);
  expect(browserCommand('http://127.0.0.1:8080/console/sign-in#code=a', 'linux')?.[1]).toBe('http://127.0.0.1:8080/console/sign-in#code=a');
});

it('opens no file, no other program and no option', () => {
  for (const address of ['file:///tmp/evil.desktop', 'vscode://x', '--help', 'javascript:alert(1)', ''])
    expect(browserCommand(address, 'linux')).toBeNull();
});
