-- The length of a vector is a property of its model, not of a column. Rows name the model, and only vectors of one model are
-- compared. Without a length the type is the same to Postgres: neither tables nor indexes are written anew.
-- locks: only the catalogue changes; the table and its indexes keep their files
alter table chunks alter column embedding type halfvec;
-- locks: only the catalogue changes; the table and its indexes keep their files
alter table entities alter column embedding type halfvec;
-- locks: only the catalogue changes; the table and its indexes keep their files
alter table graph_facts alter column embedding type halfvec;
-- locks: only the catalogue changes; the table and its indexes keep their files
alter table signals alter column embedding type halfvec;
-- locks: only the catalogue changes; the table and its indexes keep their files
alter table signal_corrections alter column embedding type halfvec;
-- locks: only the catalogue changes; the table and its indexes keep their files
alter table opportunity_clusters alter column center type halfvec;
-- locks: only the catalogue changes; the table and its indexes keep their files
alter table opportunity_anchors alter column center type halfvec;

-- Without them a search believes that its index of one length holds hardly a row, and compares all of them instead.
create statistics chunks_dimensions on (vector_dims(embedding)) from chunks;
create statistics signals_dimensions on (vector_dims(embedding)) from signals;
create statistics opportunity_anchors_dimensions on (vector_dims(center)) from opportunity_anchors;
