-- Who speaks where in a passage, as the parser read it: [[begin, begin of what is said, speaker or null], …], UTF-16 offsets
-- in `body`. Null: written before this was kept.
alter table chunks add column turns jsonb;
