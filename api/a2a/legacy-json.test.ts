import { describe, expect, it } from 'vitest';
import { eventToLegacy, pushFromLegacy, pushToLegacy, sendFromLegacy, taskToLegacy } from './legacy-json.ts';

describe('HTTP+JSON 0.3', () => {
  it('is read under its JSON names and under its protobuf ones', () => {
    const camel = {
      request: {
        messageId: 'm',
        contextId: 'c',
        role: 'ROLE_USER',
        content: [
          { text: 'hi' },
          { file: { fileWithUri: 'https://example.com/a', mimeType: 'text/plain' } },
          { data: { data: { snake_key: 1 } } },
        ],
        metadata: { snake_key: 2 },
      },
      configuration: {
        blocking: true,
        pushNotification: { url: 'https://example.com', authentication: { schemes: ['Bearer'], credentials: 'x' } },
      },
    };
    const snake = {
      request: {
        message_id: 'm',
        context_id: 'c',
        role: 'ROLE_USER',
        content: [
          { text: 'hi' },
          { file: { file_with_uri: 'https://example.com/a', mime_type: 'text/plain' } },
          { data: { data: { snake_key: 1 } } },
        ],
        metadata: { snake_key: 2 },
      },
      configuration: {
        blocking: true,
        push_notification: { url: 'https://example.com', authentication: { schemes: ['Bearer'], credentials: 'x' } },
      },
    };
    expect(sendFromLegacy(snake)).toEqual(sendFromLegacy(camel));
    expect(sendFromLegacy(camel)).toEqual({
      message: {
        messageId: 'm',
        contextId: 'c',
        role: 'ROLE_USER',
        parts: [{ text: 'hi' }, { url: 'https://example.com/a', mediaType: 'text/plain' }, { data: { snake_key: 1 } }],
        metadata: { snake_key: 2 },
      },
      configuration: {
        returnImmediately: false,
        taskPushNotificationConfig: { url: 'https://example.com', authentication: { scheme: 'Bearer', credentials: 'x' } },
      },
    });
  });

  it('does not wait unless it is told to', () => {
    expect(sendFromLegacy({ message: { messageId: 'm' } })).toMatchObject({ configuration: { returnImmediately: true } });
    expect(sendFromLegacy({ message: { messageId: 'm' }, configuration: { blocking: false } })).toMatchObject({
      configuration: { returnImmediately: true },
    });
  });

  it('leaves what is wrong wrong, for the checks to find', () => {
    expect(sendFromLegacy(null)).toMatchObject({ message: { parts: undefined } });
    expect(sendFromLegacy({ message: { content: 'x' } })).toMatchObject({ message: { parts: 'x' } });
    expect(pushFromLegacy('x')).toEqual({});
  });

  it('says what became of a task in its own words', () => {
    const about = { taskId: 't', contextId: 'c' };
    const artifact = { artifactId: 'a', parts: [{ text: 'chunk' }] };
    expect(eventToLegacy({ artifactUpdate: { ...about, artifact, append: true, lastChunk: true } })).toEqual({
      artifactUpdate: { ...about, artifact, append: true, lastChunk: true },
    });
    expect(eventToLegacy({ statusUpdate: { ...about, status: { state: 'TASK_STATE_CANCELED' } } })).toEqual({
      statusUpdate: { ...about, status: { state: 'TASK_STATE_CANCELLED' }, final: true },
    });
    expect(eventToLegacy({ statusUpdate: { ...about, status: { state: 'TASK_STATE_WORKING' } } })).toMatchObject({
      statusUpdate: { final: false },
    });
    const message = { messageId: 'm', role: 'ROLE_AGENT' as const, parts: [{ raw: 'AA==', mediaType: 'text/plain', filename: 'a.txt' }] };
    expect(taskToLegacy({ id: 't', contextId: 'c', status: { state: 'TASK_STATE_WORKING', message } })).toMatchObject({
      status: { message: { content: [{ file: { fileWithBytes: 'AA==', mimeType: 'text/plain', name: 'a.txt' } }] } },
    });
    expect(pushToLegacy({ taskId: 't', id: 'p', url: 'u', token: 'k', authentication: { scheme: 'Bearer' } })).toEqual({
      name: 'tasks/t/pushNotificationConfigs/p',
      pushNotificationConfig: { id: 'p', url: 'u', token: 'k', authentication: { schemes: ['Bearer'], credentials: '' } },
    });
  });
});
