# Three stages: production dependencies, the web console, and the image that runs.
# The sources of the server are not compiled: Node runs them as they are.

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

FROM node:24-bookworm-slim
ENV NODE_ENV=production
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
COPY deploy/migrate.ts deploy/
RUN mkdir -p /data && chown node:node /data
ENV SIGNALBOX_DATA_DIR=/data
VOLUME /data
USER node
EXPOSE 8080
CMD ["node", "api/main.ts"]
