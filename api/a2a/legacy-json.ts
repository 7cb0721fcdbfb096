import type { A2aArtifactJson, MessageJson, PartJson, StatusJson, StreamJson, TaskJson } from '../../contracts/agents/a2a.ts';
import { isRecord } from '../mcp/jsonrpc.ts';

/**
 * HTTP+JSON of 0.3 is the JSON of its protobuf messages, which differs from its JSON-RPC and from 1.0. Converted here
 * from and to 1.0.
 */

type Json = Record<string, unknown>;

/** The fields under their JSON names; some clients use the protobuf names. Nested values are unchanged. */
const record = (value: unknown): Json =>
  isRecord(value)
    ? Object.fromEntries(
        Object.entries(value).map(([name, inner]) => [name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()), inner]),
      )
    : {};

function partFrom(value: unknown): unknown {
  if (!isRecord(value)) return value;
  const { text, file, data, metadata } = value;
  const about = metadata === undefined ? {} : { metadata };
  if (isRecord(file)) {
    const { mimeType, name, fileWithUri, fileWithBytes } = record(file);
    const named = {
      ...(mimeType === undefined ? {} : { mediaType: mimeType }),
      ...(name === undefined ? {} : { filename: name }),
    };
    const content = fileWithUri === undefined ? { raw: fileWithBytes } : { url: fileWithUri };
    return { ...content, ...named, ...about };
  }
  return {
    ...(text === undefined ? {} : { text }),
    ...(data === undefined ? {} : { data: isRecord(data) && 'data' in data ? data['data'] : data }),
    ...about,
  };
}

/** Converts a 0.3 request to 1.0 without validation; errors stay in place. */
export function sendFromLegacy(body: unknown): Json {
  const { message, request = message, configuration, metadata } = record(body);
  const { content, parts = content, ...said } = record(request);
  const { pushNotification, blocking, ...wanted } = record(configuration);
  return {
    message: { ...said, parts: Array.isArray(parts) ? parts.map(partFrom) : parts },
    configuration: {
      ...wanted,
      returnImmediately: blocking === undefined ? true : blocking === false,
      ...(isRecord(pushNotification) ? { taskPushNotificationConfig: configFrom(record(pushNotification)) } : {}),
    },
    ...(metadata === undefined ? {} : { metadata }),
  };
}

function configFrom(config: Json): Json {
  const { authentication, ...rest } = config;
  if (!isRecord(authentication)) return rest;
  const schemes = authentication['schemes'];
  const scheme = Array.isArray(schemes) ? String(schemes[0] ?? '') : '';
  return { ...rest, authentication: { scheme, credentials: authentication['credentials'] ?? '' } };
}

export const pushFromLegacy = (body: unknown): Json => {
  const { config = body, configId } = record(body);
  const inner = configFrom(record(record(config)['pushNotificationConfig']));
  return !configId ? inner : { id: configId, ...inner };
};

export function pushToLegacy(config: unknown): Json {
  const { taskId, id, url, token, authentication } = record(config);
  const { scheme, credentials } = record(authentication);
  return {
    name: `tasks/${String(taskId)}/pushNotificationConfigs/${String(id)}`,
    pushNotificationConfig: {
      id,
      url,
      ...(token ? { token } : {}),
      ...(scheme ? { authentication: { schemes: [scheme], credentials: credentials ?? '' } } : {}),
    },
  };
}

function partTo({ text, raw, url, data, mediaType, filename, metadata }: PartJson): Json {
  const about = metadata === undefined ? {} : { metadata };
  if (text !== undefined) return { text, ...about };
  if (raw === undefined && url === undefined) return { data: { data: isRecord(data) ? data : { value: data } }, ...about };
  const content = raw === undefined ? { fileWithUri: url } : { fileWithBytes: raw };
  return { file: { ...content, ...(mediaType ? { mimeType: mediaType } : {}), ...(filename ? { name: filename } : {}) }, ...about };
}

function messageTo({ parts, referenceTaskIds: _, ...message }: MessageJson): Json {
  return { ...message, content: parts.map(partTo) };
}

const artifactTo = (artifact: A2aArtifactJson): Json => ({ ...artifact, parts: artifact.parts.map(partTo) });

const statusTo = ({ state, message, timestamp }: StatusJson): Json => ({
  state: state.replace('CANCELED', 'CANCELLED'),
  ...(message ? { message: messageTo(message) } : {}),
  ...(timestamp === undefined ? {} : { timestamp }),
});

export const taskToLegacy = ({ status, artifacts = [], history = [], ...task }: TaskJson): Json => ({
  ...task,
  status: statusTo(status),
  artifacts: artifacts.map(artifactTo),
  history: history.map(messageTo),
});

const last = /COMPLETED|FAILED|CANCELED|REJECTED|INPUT_REQUIRED|AUTH_REQUIRED/;

export function eventToLegacy(event: StreamJson): Json {
  if ('task' in event) return { task: taskToLegacy(event.task) };
  if ('message' in event) return { message: messageTo(event.message) };
  if ('artifactUpdate' in event)
    return { artifactUpdate: { ...event.artifactUpdate, artifact: artifactTo(event.artifactUpdate.artifact) } };
  const { status, ...update } = event.statusUpdate;
  return { statusUpdate: { ...update, status: statusTo(status), final: last.test(status.state) } };
}
