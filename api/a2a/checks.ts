import { ContentTypeNotSupportedError, RequestMalformedError } from '@a2a-js/sdk/errors';
import { jsonProblem, maxJsonDepth } from '../../contracts/json.ts';
import { isRecord } from '../mcp/jsonrpc.ts';

/**
 * Checks before the SDK parses the request, because it ignores what it does not understand. All throw the protocol's
 * own errors.
 */

const bad = (message: string): never => {
  throw new RequestMalformedError(message);
};

/** A field by its JSON or proto name: both are valid. */
const field = (value: Record<string, unknown>, name: string): unknown =>
  value[name] ?? value[name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)];

function optionalString(value: unknown, name: string): void {
  if (value !== undefined && value !== null && (typeof value !== 'string' || value.length > 512))
    bad(`${name} must be a string of at most 512 characters.`);
}

export function checkId(value: unknown, name: string): void {
  if (typeof value !== 'string' || value === '' || value.length > 512) bad(`${name} must be a string of 1 to 512 characters.`);
}

/** @param text the value is from a query string */
export function checkHistoryLength(value: unknown, text = false): void {
  if (value === undefined || value === null) return;
  const number = text ? (/^-?\d+$/.test(String(value)) ? Number(value) : NaN) : value;
  if (typeof number !== 'number' || !Number.isInteger(number) || number < 0 || number > 2_147_483_647) {
    bad('historyLength must be an integer of at least 0.');
  }
}

/** @param legacy validate as 0.3; else as 1.0 */
export function checkSend(params: unknown, inputModes: ReadonlySet<string>, legacy: boolean): void {
  if (!isRecord(params)) return bad('params must be an object.');
  // Check the depth before any recursion; texts are checked where they are stored.
  const problem = jsonProblem(params, maxJsonDepth, { text: false });
  if (problem !== null) bad(`The message ${problem}.`);
  const { message, configuration } = params;
  if (!isRecord(message)) return bad('message is required.');
  checkId(field(message, 'messageId'), 'message.messageId');
  optionalString(field(message, 'contextId'), 'message.contextId');
  optionalString(field(message, 'taskId'), 'message.taskId');
  if (legacy) {
    if (message['kind'] !== undefined && message['kind'] !== 'message') bad('message.kind must be "message".');
    if (message['role'] !== 'user') bad('message.role must be "user".');
  } else if (message['role'] !== 'ROLE_USER' && message['role'] !== 1) bad('message.role must be "ROLE_USER".');
  const { parts } = message;
  if (!Array.isArray(parts) || parts.length === 0) return bad('message.parts must be an array of at least one part.');
  parts.forEach((part: unknown, i) => {
    if (!isRecord(part)) return bad(`message.parts[${i}] must be an object.`);
    const mediaType = legacy ? checkLegacyPart(part, i) : checkPart(part, i);
    if (typeof mediaType === 'string' && mediaType !== '' && !takes(inputModes, mediaType)) {
      throw new ContentTypeNotSupportedError(`message.parts[${i}] is ${mediaType.slice(0, 100)}. Taken are ${[...inputModes].join(', ')}.`);
    }
  });
  if (configuration === undefined || configuration === null) return;
  if (!isRecord(configuration)) return bad('configuration must be an object.');
  checkHistoryLength(field(configuration, 'historyLength'));
  const wait = legacy ? 'blocking' : 'returnImmediately';
  const given = field(configuration, wait);
  if (given !== undefined && given !== null && typeof given !== 'boolean') bad(`configuration.${wait} must be true or false.`);
  const push = field(configuration, legacy ? 'pushNotificationConfig' : 'taskPushNotificationConfig');
  if (push !== undefined && push !== null) checkPush(push);
}

export function checkPush(value: unknown): void {
  if (!isRecord(value)) return bad('A callback must be an object.');
  if (typeof value['url'] !== 'string' || value['url'] === '') bad('A callback needs a url.');
  for (const name of ['id', 'token']) optionalString(value[name], name);
}

const takes = (modes: ReadonlySet<string>, mediaType: string): boolean => {
  const type = mediaType.split(';')[0]!.trim().toLowerCase();
  return modes.has(type) || type.startsWith('text/');
};

const contents = ['text', 'raw', 'url', 'data'] as const;

/** @returns its media type, if it has one */
function checkPart(part: Record<string, unknown>, i: number): unknown {
  const has = contents.filter((name) => part[name] !== undefined);
  if (has.length !== 1) return bad(`message.parts[${i}] must have exactly one of text, raw, url and data.`);
  const [kind] = has;
  if (kind !== 'data' && typeof part[kind!] !== 'string') bad(`message.parts[${i}].${kind} must be a string.`);
  if (kind === 'raw') checkBase64(part['raw'], i);
  for (const name of ['mediaType', 'filename']) optionalString(field(part, name), `message.parts[${i}].${name}`);
  return field(part, 'mediaType');
}

function checkLegacyPart(part: Record<string, unknown>, i: number): unknown {
  const { kind, file } = part;
  if (kind === 'text') {
    if (typeof part['text'] !== 'string') bad(`message.parts[${i}].text must be a string.`);
    return undefined;
  }
  if (kind === 'data') {
    if (!isRecord(part['data'])) bad(`message.parts[${i}].data must be an object.`);
    return undefined;
  }
  if (kind !== 'file') return bad(`message.parts[${i}].kind must be "text", "file" or "data".`);
  if (!isRecord(file) || (typeof file['uri'] === 'string') === (typeof file['bytes'] === 'string')) {
    return bad(`message.parts[${i}].file must have either bytes or uri.`);
  }
  if (file['bytes'] !== undefined) checkBase64(file['bytes'], i);
  return file['mimeType'];
}

function checkBase64(value: unknown, i: number): void {
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(String(value))) bad(`message.parts[${i}] has bytes that are not base64.`);
}

const states = ['SUBMITTED', 'WORKING', 'INPUT_REQUIRED', 'AUTH_REQUIRED', 'COMPLETED', 'FAILED', 'CANCELED', 'REJECTED'].map(
  (state) => `TASK_STATE_${state}`,
);

/** @param text the values are from a query string */
export function checkList(params: Record<string, unknown>, text = false): void {
  const pageSize = field(params, 'pageSize');
  if (pageSize !== undefined && pageSize !== null) {
    const size = text ? (/^\d+$/.test(String(pageSize)) ? Number(pageSize) : NaN) : pageSize;
    if (typeof size !== 'number' || !Number.isInteger(size) || size < 1 || size > 100) bad('pageSize must be an integer from 1 to 100.');
  }
  checkHistoryLength(field(params, 'historyLength'), text);
  optionalString(field(params, 'contextId'), 'contextId');
  const { status } = params;
  if (status !== undefined && status !== null && status !== '' && status !== 'TASK_STATE_UNSPECIFIED' && status !== 0) {
    const known = typeof status === 'number' ? Number.isInteger(status) && status > 0 && status <= 8 : states.includes(String(status));
    if (!known) bad(`status must be one of ${states.join(', ')}.`);
  }
  const after = field(params, 'statusTimestampAfter');
  if (after !== undefined && after !== null && after !== '' && !timestamp.test(String(after))) {
    bad('statusTimestampAfter must be a timestamp such as 2026-01-31T12:00:00Z.');
  }
  if (after && Number.isNaN(Date.parse(String(after)))) bad('statusTimestampAfter is not a valid time.');
}

const timestamp = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;
