#!/bin/bash
# run.sh HOURS DAYS [once]: runs `signalbox backup` every so many hours, and keeps its files for so many days. `once`: now, and ends.
set -u
umask 077
hours=$1 days=$2
backup() {
  node cli/signalbox.js backup "/backups/$(date -u +%Y%m%dT%H%M%SZ).zip" || return
  find /backups -maxdepth 1 -name '2*.zip' -mtime "+$days" -delete
  # What killed backups have left.
  find /backups -maxdepth 1 -name '2*.zip.unfinished-*' -mtime +0 -delete
}
if [ "${3:-}" = once ]; then
  backup
  exit
fi
trap 'exit 0' TERM INT
while true; do
  # Former backups stay while new ones fail.
  backup || echo "the backup failed; the next one begins in $hours h" >&2
  sleep "${hours}h" &
  wait $!
done
