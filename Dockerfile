# Stages: production packages, what is built (console, workflow code), the application as a whole, the image for backups, and
# the image that runs, which has no shell and no package manager. The sources of the server are not compiled: Node runs them
# as they are.

FROM node:24-bookworm-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY cli/prune.js cli/
# Removed by it: what serves other platforms. Here: the Node that npm carries, since the image has its own, compilers, types
# and sources that nothing reads when the workflow code is built already.
RUN npm ci --omit=dev \
  && rm -rf node_modules/node-linux-* node_modules/.bin/node node_modules/typescript node_modules/@typescript \
    node_modules/@swc/core-* node_modules/@temporalio/core-bridge/sdk-core \
  && find node_modules -type f \( -name '*.ts' -o -name '*.mts' -o -name '*.cts' -o -name '*.mdx' \) -delete

FROM node:24-bookworm-slim AS built
WORKDIR /app
COPY package.json package-lock.json .npmrc tsconfig.json ./
COPY cli/prune.js cli/
RUN npm ci
COPY contracts contracts
COPY platform platform
COPY workflows workflows
COPY workers workers
RUN node workers/prebuild.ts
COPY console console
RUN node console/build.ts

FROM node:24-bookworm-slim AS application
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY prisma prisma
COPY package.json LICENSE ./
COPY contracts contracts
COPY platform platform
COPY adapters adapters
COPY engines engines
COPY services services
COPY prompts prompts
COPY workflows workflows
COPY activities activities
COPY tools tools
COPY workers workers
COPY api api
COPY cli cli
COPY --from=built /app/workers/built workers/built
COPY --from=built /app/console/dist console/dist
COPY docs/tools.md docs/runbooks.md docs/
COPY docs/migrations docs/migrations
COPY deploy/migrate.ts deploy/database.ts deploy/
COPY deploy/backup deploy/backup
# Compiled code is kept per user, so the user that runs makes it.
RUN mkdir compiled /data && chown 65532:65532 compiled /data \
  && NODE_COMPILE_CACHE=/app/compiled HOME=/tmp setpriv --reuid=65532 --regid=65532 --clear-groups \
    node --input-type=module --eval "await Promise.all(['api/server', 'workers/host', 'services/index', 'deploy/database', 'cli/program'].map((name) => import('/app/' + name + '.ts'))); process.exit()"

# For the service `backup` of docker-compose.yml: `signalbox backup` needs pg_dump of the server's major version, and pg_dump
# needs libraries that the image below lacks. Only `--target backup` builds it.
FROM pgvector/pgvector:pg18 AS backup
ENV NODE_ENV=production SIGNALBOX_DATA_DIR=/data NODE_COMPILE_CACHE=/app/compiled
WORKDIR /app
COPY --from=application /usr/local/bin/node /usr/local/bin/node
COPY --from=application /app /app
RUN mkdir /backups /data && chown 65532:65532 /backups /data
USER 65532:65532
ENTRYPOINT []
CMD ["/bin/bash", "deploy/backup/run.sh", "24", "14"]

# With glibc, libstdc++ and certificate authorities.
FROM gcr.io/distroless/cc-debian12:nonroot
ENV NODE_ENV=production SIGNALBOX_DATA_DIR=/data NODE_COMPILE_CACHE=/app/compiled
WORKDIR /app
COPY --from=application /usr/local/bin/node /usr/local/bin/node
COPY --from=application /app /app
COPY --from=application --chown=65532:65532 /data /data
USER 65532:65532
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=6 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (Number(process.env.WORKER_PORT) || Number(process.env.MCP_SERVER_PORT) || 8080) + '/health').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT []
CMD ["node", "api/main.ts"]
