// Several PNGs as one that moves: https://www.w3.org/TR/png-3/#apng-frame-based-animation

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

const CRCS = Uint32Array.from({ length: 256 }, (_, value) => {
  let rest = value;
  for (let bit = 0; bit < 8; ++bit) rest = rest & 1 ? 0xedb88320 ^ (rest >>> 1) : rest >>> 1;
  return rest;
});

function crc32(bytes) {
  let rest = 0xffffffff;
  for (const byte of bytes) rest = CRCS[(rest ^ byte) & 0xff] ^ (rest >>> 8);
  return (rest ^ 0xffffffff) >>> 0;
}

const view = (bytes) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
const name = (bytes) => String.fromCharCode(...bytes);

function joined(...parts) {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

// Numbers of four bytes; the last two of `halves` and `bytes`, of two and one.
function pack(words, halves = [], bytes = []) {
  const packed = new Uint8Array(4 * words.length + 2 * halves.length + bytes.length);
  words.forEach((word, index) => view(packed).setUint32(4 * index, word));
  halves.forEach((half, index) => view(packed).setUint16(4 * words.length + 2 * index, half));
  packed.set(bytes, 4 * words.length + 2 * halves.length);
  return packed;
}

// → [{type, data}]
function chunksOf(png) {
  const chunks = [];
  for (let at = SIGNATURE.length; at < png.length;) {
    const length = view(png).getUint32(at);
    chunks.push({ type: name(png.subarray(at + 4, at + 8)), data: png.subarray(at + 8, at + 8 + length) });
    at += 12 + length;
  }
  return chunks;
}

function chunk(type, data) {
  const checked = joined([...type].map((letter) => letter.charCodeAt(0)), data);
  return joined(pack([data.length]), checked, pack([crc32(checked)]));
}

// frames: [{png: Uint8Array, ms}], all of one size and one kind of pixels → Uint8Array. It is shown again and again.
export function animate(frames) {
  const all = frames.map(({ png, ms }) => ({ chunks: chunksOf(png), ms }));
  const header = all[0].chunks[0].data;
  if (all.some(({ chunks }) => name(chunks[0].data) !== name(header))) throw new Error('The steps came out as pictures of different kinds.');
  const [width, height] = [view(header).getUint32(0), view(header).getUint32(4)];
  const parts = [Uint8Array.from(SIGNATURE), chunk('IHDR', header), chunk('acTL', pack([all.length, 0]))];
  let sequence = 0;
  all.forEach(({ chunks, ms }, index) => {
    const whole = [width, height, 0, 0];
    parts.push(chunk('fcTL', pack([sequence++, ...whole], [ms, 1000], [0, 0])));  // in place of the frame before
    for (const { data } of chunks.filter(({ type }) => type === 'IDAT')) {
      parts.push(index === 0 ? chunk('IDAT', data) : chunk('fdAT', joined(pack([sequence++]), data)));
    }
  });
  parts.push(chunk('IEND', new Uint8Array()));
  return joined(...parts);
}
