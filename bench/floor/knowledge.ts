/** The floor of knowledge: a table with texts and vectors, and the product's own rows, searched by plain SQL. */
import pg from 'pg';
import { terms } from '../../engines/retrieval/terms.ts';

export interface BareKnowledge {
  insert(text: string, vector: Float32Array): Promise<void>;
  /** Best passages of the product's own rows, by words and by vectors. */
  search(query: string, vector: Float32Array): Promise<unknown[]>;
  close(): Promise<void>;
}

const vectorText = (vector: Float32Array): string => `[${vector.join(',')}]`;

export async function bareKnowledge(databaseUrl: string): Promise<BareKnowledge> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 4 });
  await pool.query(`create schema if not exists floor;
    create table if not exists floor.chunks (id bigint generated always as identity primary key, body text not null, embedding halfvec(384) not null);
    create index if not exists floor_vectors on floor.chunks using hnsw (embedding halfvec_cosine_ops)`);
  const { rows } = await pool.query<{ scope: number }>("select scope from knowledge_bases where tenant_id = 'knowledge'");
  let scope = rows[0]?.scope;
  return {
    async insert(text, vector) {
      await pool.query('insert into floor.chunks (body, embedding) values ($1, $2::halfvec(384))', [text, vectorText(vector)]);
    },
    async search(query, vector) {
      scope ??= (await pool.query<{ scope: number }>("select scope from knowledge_bases where tenant_id = 'knowledge'")).rows[0]?.scope;
      const [words, near] = await Promise.all([
        pool.query<{ id: string }>(
          `select p.chunk_id as id, sum(p.tf * 2.2 / (p.tf + 1.2)) as score from postings p
           where p.scope = $1 and p.term = any($2::text[]) group by 1 order by 2 desc limit 100`,
          [scope, [...new Set(terms(query))]],
        ),
        pool.query<{ id: string }>(
          'select id from chunks where scope = $1 and embedding is not null order by embedding <=> $2::halfvec(384) limit 100',
          [scope, vectorText(vector)],
        ),
      ]);
      const ids = [...near.rows.slice(0, 5), ...words.rows.slice(0, 5)].map((row) => row.id);
      return (await pool.query('select id, body from chunks where id = any($1::bigint[])', [ids])).rows;
    },
    async close() {
      await pool.end();
    },
  };
}
