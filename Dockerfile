# Stages: production dependencies, the web console, and the image that runs. The sources of the server are not compiled: Node
# runs them as they are. The last stage has Node's binary without npm, headers and shell tools of the Node image.

FROM node:24-bookworm-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY cli/prune.js cli/
# Removed by it: what serves other platforms. Here: the Node that npm carries, since the image has its
# own, and the compiler that a client of Qdrant names as its peer.
RUN npm ci --omit=dev \
  && rm -rf node_modules/node-linux-* node_modules/.bin/node node_modules/typescript node_modules/@typescript

FROM node:24-bookworm-slim AS console
WORKDIR /app
COPY package.json package-lock.json .npmrc tsconfig.json ./
COPY cli/prune.js cli/
RUN npm ci
COPY contracts contracts
COPY console console
RUN node console/build.ts

FROM debian:bookworm-slim
# Authorities for TLS to Temporal, whose client reads the system's.
RUN apt-get update && apt-get install --yes --no-install-recommends ca-certificates && rm -rf /var/lib/apt/lists/* \
  && groupadd --gid 1000 node && useradd --uid 1000 --gid node --create-home node \
  && mkdir /data && chown node:node /data
COPY --from=dependencies /usr/local/bin/node /usr/local/bin/node
ENV NODE_ENV=production SIGNALBOX_DATA_DIR=/data NODE_COMPILE_CACHE=/app/compiled
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
COPY --from=console /app/console/dist console/dist
COPY docs/tools.md docs/
COPY docs/migrations docs/migrations
COPY deploy/migrate.ts deploy/database.ts deploy/
# What a start would make, since the root filesystem may be read-only: workflow code, and compiled code of the user that runs.
RUN node workers/prebuild.ts && mkdir compiled && chown node:node compiled
USER 1000:1000
RUN node --input-type=module --eval "await Promise.all(['api/server', 'workers/host', 'services/index', 'deploy/database', 'cli/program'].map((name) => import('/app/' + name + '.ts'))); process.exit()"
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=6 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (Number(process.env.WORKER_PORT) || Number(process.env.MCP_SERVER_PORT) || 8080) + '/health').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "api/main.ts"]
