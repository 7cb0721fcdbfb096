#!/bin/sh
# Creates Temporal's two databases, or brings them to the version of this image; safe to repeat. SQL_PASSWORD holds the
# password.
set -eu
for name in temporal visibility; do
  database=temporal
  [ "$name" = temporal ] || database=temporal_visibility
  tool="temporal-sql-tool --plugin postgres12 --ep temporal-db -u temporal -p 5432 --db $database"
  $tool create
  $tool setup-schema -v 0.0
  $tool update-schema -d "/etc/temporal/schema/postgresql/v12/$name/versioned"
done
