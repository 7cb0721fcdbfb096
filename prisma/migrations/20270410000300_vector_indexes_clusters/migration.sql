-- without transaction
-- One index per usual length of vectors. Vectors of other lengths are compared one by one.
drop index concurrently if exists opportunity_anchors_near_384;
create index concurrently opportunity_anchors_near_384 on opportunity_anchors using hnsw ((center::halfvec(384)) halfvec_ip_ops) where vector_dims(center) = 384;
drop index concurrently if exists opportunity_anchors_near_512;
create index concurrently opportunity_anchors_near_512 on opportunity_anchors using hnsw ((center::halfvec(512)) halfvec_ip_ops) where vector_dims(center) = 512;
drop index concurrently if exists opportunity_anchors_near_768;
create index concurrently opportunity_anchors_near_768 on opportunity_anchors using hnsw ((center::halfvec(768)) halfvec_ip_ops) where vector_dims(center) = 768;
drop index concurrently if exists opportunity_anchors_near_1024;
create index concurrently opportunity_anchors_near_1024 on opportunity_anchors using hnsw ((center::halfvec(1024)) halfvec_ip_ops) where vector_dims(center) = 1024;
drop index concurrently if exists opportunity_anchors_near_1536;
create index concurrently opportunity_anchors_near_1536 on opportunity_anchors using hnsw ((center::halfvec(1536)) halfvec_ip_ops) where vector_dims(center) = 1536;
drop index concurrently if exists opportunity_anchors_near_3072;
create index concurrently opportunity_anchors_near_3072 on opportunity_anchors using hnsw ((center::halfvec(3072)) halfvec_ip_ops) where vector_dims(center) = 3072;
-- It took vectors of one length only.
drop index concurrently if exists opportunity_anchors_near;
analyze opportunity_anchors;
