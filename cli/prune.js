// Run by npm after an install: deletes the binaries that packages bring for other platforms, the C headers of the Node that
// is carried, and the source maps and Markdown of packages, some 570 MB together. SIGNALBOX_ALL_PLATFORMS=true keeps the binaries, for an
// install that is carried to another machine. Plain JavaScript, because npm runs it on the system's Node.
import { readdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = (path) => fileURLToPath(new URL(`../node_modules/${path}`, import.meta.url));
const namesIn = (path) => {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
};

const { platform, arch } = process;
const rustArch = { x64: 'x86_64', arm64: 'aarch64' }[arch];
const rustSystem = { linux: 'unknown-linux', darwin: 'apple-darwin', win32: 'pc-windows' }[platform];

if (process.env.SIGNALBOX_ALL_PLATFORMS !== 'true' && rustArch && rustSystem) {
  const drop = (path, isOurs) => {
    for (const name of namesIn(path)) if (!isOurs(name)) rmSync(`${path}/${name}`, { recursive: true, force: true });
  };
  drop(folder('@temporalio/core-bridge/releases'), (name) => name.startsWith(rustArch) && name.includes(rustSystem));
  for (const version of namesIn(folder('onnxruntime-node/bin'))) {
    const bin = folder(`onnxruntime-node/bin/${version}`);
    drop(bin, (name) => name === platform);
    drop(`${bin}/${platform}`, (name) => name === arch);
  }
  for (const name of namesIn(folder(''))) {
    if (/^node-(bin-)?(linux|darwin)-/.test(name)) rmSync(folder(`${name}/include`), { recursive: true, force: true });
  }
}

// Of databases that are not Postgres.
for (const name of namesIn(folder('prisma/build'))) {
  if (/^query_compiler_.*\.(cockroachdb|mysql|sqlite|sqlserver)\.wasm$/.test(name)) rmSync(folder(`prisma/build/${name}`), { force: true });
}

// For machines without a binary of their own.
if (namesIn(folder('@tailwindcss')).some((name) => /^oxide-(linux|darwin|win32)/.test(name))) {
  rmSync(folder('@tailwindcss/oxide-wasm32-wasi'), { recursive: true, force: true });
}

const isText = (name) => /\.md$/i.test(name) && !/(licen[cs]e|notice|copying)[^/]*$/i.test(name);
for (const name of readdirSync(folder(''), { recursive: true })) {
  if (/\.(?:[cm]?[jt]s|css)\.map$/.test(name) || isText(name)) rmSync(folder(name), { force: true });
}
