#!/bin/sh
# Waits for the namespace, then registers the search attributes. Registering twice does no harm.
set -eu
until temporal operator namespace describe --namespace default >/dev/null 2>&1; do sleep 1; done
for name in SignalboxTenant SignalboxKind SignalboxStatus SignalboxOwner; do
  temporal operator search-attribute create --namespace default --name "$name" --type Keyword
done
