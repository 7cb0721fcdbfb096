import { expect, test } from 'vitest';
import { isSettled, reliefIn, stateCue } from './state.ts';

const cue = (text: string, tone: 'negative' | 'neutral' | 'positive' = 'neutral') =>
  stateCue({ text, context: '', tone, status: null, leaving: false });

test.each([
  'The crash on start is fixed, thank you.',
  'Not one duplicate since Monday.',
  'Since the update we have not lost a single order.',
  'The printer works again.',
  'Invoices match now, thanks.',
  'No false alarm since the new version.',
  "Nobody's been locked out any more since you changed the timeout, no failed login.",
  'Der Fehler ist behoben.',
  'Der Export läuft seit dem Update ohne Murren.',
  'El error está resuelto.',
  'La impresora ya funciona.',
  'Le problème est résolu.',
  'Lost orders: none since the 19th.',
  'Two weeks on 5.2 and not one lost order.',
])('over, whatever the tone: %s', (text) => {
  expect(cue(text, 'negative')).toBe('resolved');
});

test.each([
  'The list is still missing, and it used to work.',
  'Please get this fixed before Easter.',
  'When will it be fixed?',
  'It crashed again.',
  'It does it again.',
  'Nobody has answered since Monday.',
  'This must be repaired by May.',
  'Der Fehler ist noch nicht behoben.',
  'Sigue sin funcionar.',
  'Die Karte möchten wir nicht mehr hergeben.',
  'We could not live without it any more.',
  'On ne pourrait plus s’en passer.',
])('not over: %s', (text) => {
  expect(cue(text, 'negative')).toBeNull();
});

test('likely ends count only where nothing complains', () => {
  expect(reliefIn('The second shelf is back in stock.')).toBe('likely');
  expect(cue('The second shelf is back in stock.', 'neutral')).toBe('resolved');
  expect(cue('The second shelf is back in stock.', 'negative')).toBeNull();
});

test.each([
  'I take back what I wrote about the contract.',
  'Please treat my notice as never sent.',
  'We stay put, and what I sent on Friday was anger.',
  'The other quote is off the table.',
  'She will not take it out of the contract after all, she said.',
  'Ich nehme die Kündigung zurück, das habe ich so gesagt.',
  'You may cross out what I said in spring about the second shop.',
  'Was ich im Mai zum Anbieterwechsel schrieb, hat sich erledigt.',
  'Den Absatz mit dem anderen Anbieter vergessen Sie bitte.',
  'Please forget the line about the other shop.',
  'Olvide la frase sobre el otro proveedor.',
  'Oubliez le passage sur l’autre fournisseur.',
  'No refund any more.',
  'Retiro lo del otro proveedor.',
  'Retiro lo que dije.',
  'Je retire ce que j’ai dit.',
])('taken back: %s', (text) => {
  expect(stateCue({ text, context: 'We give notice.', tone: 'neutral', status: null, leaving: true })).toBe('withdrawn');
});

test.each(['Please take our old address off the list.', 'Meine Mail vergessen Sie immer.', 'The form forgets the second line.'])(
  'takes nothing back: %s',
  (text) => {
    expect(cue(text)).toBeNull();
  },
);

test.each([
  'If we ever opened a second shop, we would need two tills.',
  "I'd only look elsewhere if the price doubled.",
  'Wenn wir eines Tages umziehen, bräuchten wir zwei Kassen.',
  'Si algún día abrimos otra tienda, necesitaríamos dos cajas.',
])('supposed: %s', (text) => {
  expect(cue(text)).toBe('hypothetical');
});

test('an ultimatum is no supposition', () => {
  expect(cue('If it is not there by May, we leave.', 'negative')).toBeNull();
});

test.each([
  ['Solved', true],
  ['closed - no reply', true],
  ['gelöst', true],
  ['cerrado', true],
  ['in progress', false],
  ['offen', false],
  [null, false],
])('status %s of a row: %s', (status, settled) => {
  expect(isSettled(status)).toBe(settled);
});
