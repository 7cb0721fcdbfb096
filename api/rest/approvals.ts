import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { notFound } from '../../contracts/errors.ts';
import { pageHeaders, style } from './landing.ts';

/**
 * `/approvals/{id}`: a page where a person decides about a call with their own key. The page itself contains no data
 * and needs no key; it calls `/api/tools/approval.request.*` with the entered key, which it does not store.
 */
export function installApprovals(app: FastifyInstance): void {
  app.get<{ Params: { id: string } }>('/approvals/:id', async (request, reply) => {
    if (!/^apr_[a-z0-9]{1,60}$/.test(request.params.id)) throw notFound('approval', request.params.id.slice(0, 64));
    return await reply.headers(headers).send(page);
  });
}

const script = `
const at = (id) => document.getElementById(id);
const id = location.pathname.split('/').filter(Boolean).pop();
const say = (text) => { at('said').textContent = text; };
async function ask(action, more) {
  const headers = { 'content-type': 'application/json' };
  if (at('key').value) headers['x-api-key'] = at('key').value.trim();
  const response = await fetch('/api/tools/approval.request.' + action, {
    method: 'POST', headers, body: JSON.stringify({ approval_id: id, ...more }),
  });
  const answer = await response.json().catch(() => ({}));
  const error = answer.error || (response.ok ? null : { message: 'The server answered ' + response.status + '.' });
  if (error) { say([error.message || error, error.suggestion].filter(Boolean).join(' ')); return; }
  show(answer.data.approval);
}
function show(approval) {
  say(approval.status === 'pending' ? '' : 'It is ' + approval.status + (approval.decided_by ? ', decided by ' + approval.decided_by : '') + '.');
  at('who').textContent = approval.requested_by;
  at('tool').textContent = approval.tool;
  at('why').textContent = approval.reason;
  at('args').textContent = JSON.stringify(approval.arguments, null, 2);
  at('call').hidden = false;
  at('decide').hidden = approval.status !== 'pending';
}
at('look').addEventListener('click', () => ask('get', {}));
for (const action of ['approve', 'reject']) {
  at(action).addEventListener('click', () => ask(action, at('note').value.trim() ? { note: at('note').value.trim() } : {}));
}`;

const headers = {
  ...pageHeaders,
  'content-security-policy': `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

const page = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Signalbox: a call waits</title><style>${style}input,button{font:inherit;padding:.4rem .6rem}input{width:100%;margin:.25rem 0 .75rem}</style></head><body><main>
<h1>A call waits for a person</h1>
<p>Look at it and decide, with a key of your own (role operator, pm, pm_leader or admin). The key is kept nowhere.</p>
<label>Your key <input id="key" type="password" autocomplete="off" spellcheck="false"></label>
<button id="look">Look</button>
<p id="said" role="status"></p>
<section id="call" hidden><table>
<tr><th>Who asks</th><td id="who"></td></tr><tr><th>Tool</th><td id="tool"></td></tr><tr><th>Why you are asked</th><td id="why"></td></tr>
<tr><th>Arguments</th><td><pre id="args"></pre></td></tr></table>
<div id="decide"><label>Why (optional) <input id="note" maxlength="2000"></label>
<button id="approve">Approve</button> <button id="reject">Reject</button></div></section>
<script>${script}</script></main></body></html>
`;
