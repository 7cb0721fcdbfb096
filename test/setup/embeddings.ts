/**
 * A server of embeddings over HTTP, in the forms of OpenAI and Cohere. Its vectors are of hashed words and character pairs, after
 * a small dictionary has put words of several languages under one meaning: texts about the same matter are near in any language.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface EmbeddingDouble {
  /** As EMBEDDING_URL. */
  url(dialect?: 'openai' | 'cohere'): string;
  env(given?: Record<string, string>): Record<string, string>;
  /** Requests that were answered with vectors. */
  asked: { texts: string[]; inputType: string | undefined; authorization: string | undefined; body: Record<string, unknown> }[];
  /** Said first, in order: a status, a status with headers, or what happens instead of an answer. */
  next: ('HANG' | 'CUT' | 'NONSENSE' | { status: number; headers?: Record<string, string> })[];
  /** Length of its vectors. */
  dimensions: number;
  /** Every request is refused with this status; null: they are answered. */
  away: number | null;
  /** So many more requests are answered, then none; null: all. */
  hangsAfter: number | null;
  /** Longer texts are refused. */
  longest: number;
  close(): Promise<void>;
}

export const embeddingKey = 'key-of-the-embedding-double-91c3';

/** Words of one meaning, in Chinese, Japanese, Thai, Arabic, German and English. */
const meanings: string[][] = [
  ['导出', '導出', 'エクスポート', '書き出し', 'ส่งออก', 'تصدير', 'exportieren', 'export', 'ausfuhr'],
  ['报告', '報告', 'レポート', 'รายงาน', 'تقرير', 'تقارير', 'التقارير', 'bericht', 'berichte', 'report', 'reports'],
  ['失败', '失敗', '失敗する', 'ล้มเหลว', 'يفشل', 'فشل', 'scheitert', 'fehlschlag', 'fails', 'failure', 'broken'],
  ['发票', '請求書', 'ใบแจ้งหนี้', 'فاتورة', 'الفاتورة', 'rechnung', 'invoice', 'bill'],
  ['价格', '価格', 'ราคา', 'السعر', 'سعر', 'preis', 'price', 'cost'],
  ['密码', 'パスワード', 'รหัสผ่าน', 'المرور', 'passwort', 'kennwort', 'password'],
  ['猫', 'แมว', 'قطة', 'katze', 'cat'],
];

export async function embeddingDouble(dimensions = 1_024): Promise<EmbeddingDouble> {
  const server = createServer((request, reply) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => void pieces.push(piece));
    request.on('end', () => {
      const json = (status: number, body: unknown, headers: Record<string, string> = {}): void =>
        void reply.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
      if (double.hangsAfter !== null && double.hangsAfter-- <= 0) return;
      const said = double.next.shift();
      if (said === 'HANG') return;
      if (said === 'CUT') return void request.socket.destroy();
      if (said === 'NONSENSE') return void reply.writeHead(200, { 'content-type': 'text/html' }).end('<html>gateway</html>');
      const { authorization } = request.headers;
      // Servers repeat what they were asked in their errors; so does this one.
      const text = Buffer.concat(pieces).toString();
      if (said) return json(said.status, { error: { message: `failed: ${text} ${authorization}` } }, said.headers);
      if (double.away !== null) return json(double.away, { error: { message: text } });
      if (authorization !== `Bearer ${embeddingKey}`) return json(401, { error: { message: `wrong key ${authorization}` } });
      const body = JSON.parse(text) as Record<string, unknown>;
      const cohere = request.url === '/v2/embed';
      if (!cohere && request.url !== '/v1/embeddings') return json(404, { error: { message: 'nothing here' } });
      const texts = body[cohere ? 'texts' : 'input'] as string[];
      if (texts.some((each) => each.length > double.longest)) return json(400, { error: { message: 'too many tokens' } });
      double.asked.push({ texts, inputType: body['input_type'] as string | undefined, authorization, body });
      const asked = Number(body['dimensions'] ?? body['output_dimension'] ?? double.dimensions);
      const vectors = texts.map((each) => vectorOf(each, asked));
      if (cohere) return json(200, { embeddings: { float: vectors }, meta: { billed_units: { input_tokens: 10 } } });
      // Not in order: the index says which is which.
      json(200, { data: vectors.map((embedding, index) => ({ index, embedding })).toReversed(), usage: { total_tokens: 10 } });
    });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const double: EmbeddingDouble = {
    url: (dialect = 'openai') => `${origin}${dialect === 'cohere' ? '/v2/embed' : '/v1/embeddings'}`,
    env: (given = {}) => ({
      EMBEDDING_URL: double.url((given['EMBEDDING_DIALECT'] as 'cohere' | undefined) ?? 'openai'),
      EMBEDDING_API_KEY: embeddingKey,
      EMBEDDING_MODEL: 'of-all-languages',
      EMBEDDING_DIMENSIONS: String(dimensions),
      ...given,
    }),
    asked: [],
    next: [],
    dimensions,
    away: null,
    hangsAfter: null,
    longest: 1_000_000,
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
  return double;
}

export function vectorOf(text: string, dimensions: number): number[] {
  const vector = Array.from({ length: dimensions }, () => 0);
  // As a tokenizer does: without Arabic vowel signs and tatweel.
  let rest = text.toLowerCase().replace(/[\u064b-\u065f\u0640]/gu, '');
  const add = (feature: string, weight: number): void => {
    let hash = 0x811c9dc5;
    for (let i = 0; i < feature.length; i += 1) hash = Math.imul(hash ^ feature.charCodeAt(i), 0x01000193) >>> 0;
    for (let n = 0; n < 4; n += 1) {
      hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 0;
      vector[hash % dimensions]! += (hash & 0x40000000 ? 1 : -1) * weight;
    }
  };
  for (const [i, words] of meanings.entries()) {
    for (const word of words.toSorted((a, b) => b.length - a.length)) {
      if (!rest.includes(word)) continue;
      add(`meaning ${i}`, 3);
      rest = rest.replaceAll(word, ' ');
    }
  }
  const letters = Array.from(rest.replace(/\s+/gu, ' '));
  for (let i = 0; i + 1 < letters.length; i += 1) add(`${letters[i]}${letters[i + 1]}`, 0.2);
  // No vector is zero.
  add('any text', 0.3);
  return vector;
}
