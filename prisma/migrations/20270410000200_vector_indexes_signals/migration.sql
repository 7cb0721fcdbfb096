-- without transaction
-- One index per usual length of vectors. Vectors of other lengths are compared one by one.
drop index concurrently if exists signals_embedding_384;
create index concurrently signals_embedding_384 on signals using hnsw ((embedding::halfvec(384)) halfvec_cosine_ops) where vector_dims(embedding) = 384;
drop index concurrently if exists signals_embedding_512;
create index concurrently signals_embedding_512 on signals using hnsw ((embedding::halfvec(512)) halfvec_cosine_ops) where vector_dims(embedding) = 512;
drop index concurrently if exists signals_embedding_768;
create index concurrently signals_embedding_768 on signals using hnsw ((embedding::halfvec(768)) halfvec_cosine_ops) where vector_dims(embedding) = 768;
drop index concurrently if exists signals_embedding_1024;
create index concurrently signals_embedding_1024 on signals using hnsw ((embedding::halfvec(1024)) halfvec_cosine_ops) where vector_dims(embedding) = 1024;
drop index concurrently if exists signals_embedding_1536;
create index concurrently signals_embedding_1536 on signals using hnsw ((embedding::halfvec(1536)) halfvec_cosine_ops) where vector_dims(embedding) = 1536;
drop index concurrently if exists signals_embedding_3072;
create index concurrently signals_embedding_3072 on signals using hnsw ((embedding::halfvec(3072)) halfvec_cosine_ops) where vector_dims(embedding) = 3072;
-- It took vectors of one length only.
drop index concurrently if exists signals_embedding;
analyze signals;
