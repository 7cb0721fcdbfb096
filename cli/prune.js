// Run by npm after an install: deletes the binaries that packages bring for other platforms and the C headers of the Node that
// is carried; in a checkout also the source maps and Markdown of packages, some 570 MB together. SIGNALBOX_ALL_PLATFORMS=true
// keeps the binaries, for an install that is carried to another machine. Plain JavaScript, because npm runs it on the system's
// Node.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(fileURLToPath(new URL('.', import.meta.url)));
const own = `${root}/node_modules`;
// Installed as a package: npm puts most of our packages beside us.
const around = basename(dirname(root)) === 'node_modules' ? [dirname(root)] : [];
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

function prune(modules) {
  if (process.env.SIGNALBOX_ALL_PLATFORMS !== 'true' && rustArch && rustSystem) {
    const drop = (path, isOurs) => {
      for (const name of namesIn(path)) if (!isOurs(name)) rmSync(`${path}/${name}`, { recursive: true, force: true });
    };
    drop(`${modules}/@temporalio/core-bridge/releases`, (name) => name.startsWith(rustArch) && name.includes(rustSystem));
    for (const version of namesIn(`${modules}/onnxruntime-node/bin`)) {
      const bin = `${modules}/onnxruntime-node/bin/${version}`;
      drop(bin, (name) => name === platform);
      drop(`${bin}/${platform}`, (name) => name === arch);
    }
    for (const name of namesIn(modules)) {
      if (/^node-(bin-)?(linux|darwin)-/.test(name)) rmSync(`${modules}/${name}/include`, { recursive: true, force: true });
    }
  }

  // Of databases that are not Postgres.
  for (const name of namesIn(`${modules}/prisma/build`)) {
    if (/^query_compiler_.*\.(cockroachdb|mysql|sqlite|sqlserver)\.wasm$/.test(name))
      rmSync(`${modules}/prisma/build/${name}`, { force: true });
  }

  // For machines without a binary of their own.
  if (namesIn(`${modules}/@tailwindcss`).some((name) => /^oxide-(linux|darwin|win32)/.test(name))) {
    rmSync(`${modules}/@tailwindcss/oxide-wasm32-wasi`, { recursive: true, force: true });
  }
}

for (const modules of [own, ...around]) if (existsSync(modules)) prune(modules);

// Texts of an application's other packages are not ours to remove.
const isText = (name) => /\.md$/i.test(name) && !/(licen[cs]e|notice|copying)[^/]*$/i.test(name);
for (const name of existsSync(own) && around.length === 0 ? readdirSync(own, { recursive: true }) : []) {
  if (/\.(?:[cm]?[jt]s|css)\.map$/.test(name) || isText(name)) rmSync(`${own}/${name}`, { force: true });
}
