-- What a competitive draft is about was found by a pattern in every statement, anew by each of its questions. It is
-- decided once, when the statement is written.
alter table signals add column compares boolean not null generated always as (
  statement ~* '\m(competitors?|competing|rivals?|alternatives? to|switch(ed|ing)? (to|from)|mov(e|ed|ing) (over )?(to|from)|migrat(e|ed|ing) (to|from)|compared (to|with)|versus|vs|instead of|better than|cheaper than)\M'
) stored;
create index signals_compares on signals (tenant_id, id) where compares;
create index signal_entities_competitor on signal_entities (tenant_id, signal_id) where type = 'competitor';
