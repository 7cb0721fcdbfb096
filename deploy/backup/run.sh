#!/bin/bash
# Every BACKUP_EVERY_HOURS: dumps of both databases and the files, in one folder per backup. A folder gets its name when it is
# complete. The order matters: Temporal first, then the records, then the files, so that each record's file is there, and
# records are never older than Temporal's state (`signalbox doctor --fix` starts again what Temporal lacks).
set -euo pipefail
umask 077
backup() {
  local name work
  name=$(date -u +%Y%m%dT%H%M%SZ)
  work=/backups/unfinished
  rm -rf "$work"
  mkdir -p "$work"
  for database in temporal temporal_visibility; do
    PGPASSWORD=$TEMPORAL_DB_PASSWORD pg_dump --host=temporal-db --username=temporal --format=custom --file="$work/$database.dump" "$database"
  done
  PGPASSWORD=$POSTGRES_OWNER_PASSWORD pg_dump --host=postgres --username=signalbox_owner --format=custom --file="$work/signalbox.dump" signalbox
  tar --create --gzip --file="$work/files.tar.gz" --directory=/data .
  (cd "$work" && sha256sum -- *.dump *.gz >SHA256SUMS)
  mv "$work" "/backups/$name"
  echo "backup $name: $(du -sh "/backups/$name" | cut -f1)"
  find /backups -mindepth 1 -maxdepth 1 -type d -name '2*' -mtime "+$BACKUP_KEEP_DAYS" -exec rm -rf {} +
}
if [ "${1:-}" = once ]; then
  backup
  exit
fi
trap 'exit 0' TERM INT
while true; do
  # One that fails is told, and tried again at the next hour.
  (set -e; backup) || echo 'the backup failed' >&2
  sleep "${BACKUP_EVERY_HOURS}h" &
  wait $!
done
