-- without transaction
-- One index per usual length of vectors. Vectors of other lengths are compared one by one.
drop index concurrently if exists chunks_vectors_384;
create index concurrently chunks_vectors_384 on chunks using hnsw ((embedding::halfvec(384)) halfvec_cosine_ops) where vector_dims(embedding) = 384;
drop index concurrently if exists chunks_vectors_512;
create index concurrently chunks_vectors_512 on chunks using hnsw ((embedding::halfvec(512)) halfvec_cosine_ops) where vector_dims(embedding) = 512;
drop index concurrently if exists chunks_vectors_768;
create index concurrently chunks_vectors_768 on chunks using hnsw ((embedding::halfvec(768)) halfvec_cosine_ops) where vector_dims(embedding) = 768;
drop index concurrently if exists chunks_vectors_1024;
create index concurrently chunks_vectors_1024 on chunks using hnsw ((embedding::halfvec(1024)) halfvec_cosine_ops) where vector_dims(embedding) = 1024;
drop index concurrently if exists chunks_vectors_1536;
create index concurrently chunks_vectors_1536 on chunks using hnsw ((embedding::halfvec(1536)) halfvec_cosine_ops) where vector_dims(embedding) = 1536;
drop index concurrently if exists chunks_vectors_3072;
create index concurrently chunks_vectors_3072 on chunks using hnsw ((embedding::halfvec(3072)) halfvec_cosine_ops) where vector_dims(embedding) = 3072;
-- It took vectors of one length only.
drop index concurrently if exists chunks_vectors;
analyze chunks;
