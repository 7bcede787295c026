// A static file server for the built page, for people (tools/serve) and for the browser tests. It sends what lies packed beside a
// file, as in a release, and packs the rest itself.
// Run: node tools/server.mjs [--port N] FOLDER. Import: const server = await serve(folder); server.url; await server.close().
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import { pipeline } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { createGzip } from 'node:zlib';

const types = {
  '.css': 'text/css; charset=utf-8',
  '.csv': 'text/csv; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.mjs': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
  '.ttf': 'font/ttf',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
};

// The file that a URL names inside the folder, or null: what lies outside of it or starts with a dot is not served.
async function find(folder, url) {
  let name;
  try {
    name = decodeURIComponent(new URL(url, 'http://localhost').pathname);
  } catch {
    return null;
  }
  if (name.includes('\0') || name.split('/').some((part) => part.startsWith('.'))) return null;
  let file = path.join(folder, name);
  let info = await stat(file).catch(() => null);
  if (info?.isDirectory() && name.endsWith('/')) info = await stat((file = path.join(file, 'index.html'))).catch(() => null);
  return info?.isFile() ? { file, size: info.size } : null;
}

// The form of a file to send to a browser that accepts these encodings: {file, size, encoding}, the best that there is.
async function packed({ file, size }, accepted) {
  for (const [encoding, ending] of [['br', 'br'], ['gzip', 'gz']]) {
    if (!accepted.has(encoding)) continue;
    const beside = await stat(`${file}.${ending}`).catch(() => null);
    if (beside?.isFile()) return { file: `${file}.${ending}`, size: beside.size, encoding };
  }
  return { file, size };
}

// Serves a folder on 127.0.0.1; port 0 takes any free one.
export async function serve(folder, port = 0) {
  const root = path.resolve(folder);
  const server = createServer(async (request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return response.writeHead(405).end();
    const found = await find(root, request.url);
    if (!found) return response.writeHead(404, { 'Content-Type': types['.txt'] }).end('There is no such file.\n');
    const accepted = new Set((request.headers['accept-encoding'] ?? '').split(/[\s,]+/));
    const { file, size, encoding } = await packed(found, accepted);
    const zip = !encoding && accepted.has('gzip') && !/\.(png|safetensors)$/.test(file);
    response.writeHead(200, {
      'Access-Control-Allow-Origin': '*',  // a sandboxed frame has no origin, and modules and fonts ask for one
      'Cache-Control': 'no-store',
      'Content-Type': types[path.extname(found.file)] ?? 'application/octet-stream',
      'X-Content-Type-Options': 'nosniff',
      Vary: 'Accept-Encoding',
      ...(zip ? {} : { 'Content-Length': size }),
      ...(zip || encoding ? { 'Content-Encoding': encoding ?? 'gzip' } : {}),
    });
    if (request.method === 'HEAD') return response.end();
    const parts = [createReadStream(file), ...(zip ? [createGzip()] : []), response];
    pipeline(parts, () => {}); // a reader who goes away is no error
  });
  await new Promise((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
  return {
    url: `http://localhost:${server.address().port}/`,
    close: () => new Promise((resolve) => (server.closeAllConnections(), server.close(resolve))),
  };
}

async function main(args) {
  const at = args.indexOf('--port');
  const port = at < 0 ? 8000 : Number(args.splice(at, 2)[1]);
  if (args.length !== 1 || !Number.isInteger(port) || port < 0 || port > 65535) {
    console.error('usage: node tools/server.mjs [--port N] FOLDER, with N from 0 (any free port) to 65535');
    process.exit(2);
  }
  try {
    const { url } = await serve(args[0], port);
    console.log(`Limelight is at ${url} (Ctrl-C ends it)`);
  } catch (error) {
    if (error.code === 'EADDRINUSE') console.error(`Port ${port} is taken by another program. Choose one with --port N.`);
    else console.error(`Cannot listen on port ${port}: ${error.message}`);
    process.exit(1);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main(process.argv.slice(2));
