// How large a picture is, from a few bytes of its file: a browser tells only after it has unpacked all of it.

const LARGEST_META = 1 << 20;  // bytes of an AVIF's description that are looked through

const latin = new TextDecoder('latin1');  // a character for each byte
const text = (view, from, to) => latin.decode(new Uint8Array(view.buffer, from, to - from));

// Each: what a file of the kind begins with, and where its size stands. read(from, length) → a view of as many bytes.
const KINDS = [
  { is: (head) => text(head, 1, 4) === 'PNG', size: async (read) => of32Bits(await read(16, 8)) },
  { is: (head) => text(head, 0, 3) === 'GIF', size: async (read) => of16Bits(await read(6, 4)) },
  { is: (head) => head.getUint16(0) === 0xffd8, size: jpeg },
  { is: (head) => text(head, 8, 15) === 'WEBPVP8', size: webp },
  { is: (head) => text(head, 4, 8) === 'ftyp' && ['avif', 'avis', 'mif1'].includes(text(head, 8, 12)), size: avif },
  { is: (head) => text(head, 0, 2) === 'BM', size: bmp },
];

const of32Bits = (view, at = 0) => [view.getUint32(at), view.getUint32(at + 4)];
const of16Bits = (view) => [view.getUint16(0, true), view.getUint16(2, true)];

// The frame header (SOF) comes after segments that each say how long they are; what a camera writes there can be megabytes.
async function jpeg(read) {
  for (let at = 2; ;) {
    const view = await read(at, 9);
    const marker = view.getUint8(1);
    if (view.getUint8(0) !== 0xff) throw new RangeError('no segment');
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return [view.getUint16(7), view.getUint16(5)];
    at += marker === 0xff ? 1 : 2 + view.getUint16(2);  // 0xff again: only filled up
  }
}

async function webp(read) {
  const form = text(await read(15, 1), 0, 1);
  if (form === 'X') {
    const view = await read(24, 6);
    const of24Bits = (at) => 1 + view.getUint16(at, true) + (view.getUint8(at + 2) << 16);
    return [of24Bits(0), of24Bits(3)];
  }
  if (form === 'L') {
    const bits = (await read(21, 4)).getUint32(0, true);
    return [1 + (bits & 0x3fff), 1 + ((bits >> 14) & 0x3fff)];
  }
  return of16Bits(await read(26, 4)).map((size) => size & 0x3fff);
}

// In the box "meta" each image, the whole and the tiles that it is made of, has a box "ispe" with its size.
async function avif(read) {
  for (let at = 0; ;) {
    const box = await read(at, 8);
    const size = box.getUint32(0);
    if (size < 8) throw new RangeError('no box');
    if (text(box, 4, 8) !== 'meta') {
      at += size;
      continue;
    }
    const meta = await read(at, Math.min(size, LARGEST_META));
    const names = text(meta, 0, meta.byteLength);
    let largest = [0, 0];
    for (let found = names.indexOf('ispe'); found >= 0; found = names.indexOf('ispe', found + 4)) {
      const [width, height] = of32Bits(meta, found + 8);
      if (width * height > largest[0] * largest[1]) largest = [width, height];
    }
    return largest;
  }
}

async function bmp(read) {
  const view = await read(14, 12);
  if (view.getUint32(0, true) === 12) return [view.getUint16(4, true), view.getUint16(6, true)];
  return [view.getInt32(4, true), Math.abs(view.getInt32(8, true))];  // below 0: from the top
}

// → {width, height}; null when the file is of no kind that is known here. Both 0 where it ends, or makes no sense, before they
// stand. Rejects when the file cannot be read.
export async function dimensions(file) {
  const read = async (from, length) => {
    const bytes = await file.slice(from, from + length).arrayBuffer();
    if (bytes.byteLength < length) throw new RangeError('cut off');
    return new DataView(bytes);
  };
  const start = new Uint8Array(16);
  start.set(new Uint8Array(await file.slice(0, start.length).arrayBuffer()));
  const kind = KINDS.find(({ is }) => is(new DataView(start.buffer)));
  if (!kind) return null;
  try {
    const [width, height] = await kind.size(read);
    return { width, height };
  } catch (error) {
    if (error instanceof RangeError) return { width: 0, height: 0 };
    throw error;
  }
}
