// How large a picture is, from a few bytes of its file: a browser tells only after it has unpacked all of it.

const LARGEST_META = 1 << 20;  // bytes of an AVIF's description that are looked through
const CHUNK = 1 << 16;  // bytes that are read at a time: a file can be made of very many small pieces
const MOST_CHUNKS = 256;  // after which its size is not known
const BITMAP_HEADERS = [12, 40, 52, 56, 64, 108, 124];  // how long they are

const latin = new TextDecoder('latin1');  // a character for each byte
const text = (view, from, to) => latin.decode(new Uint8Array(view.buffer, from, to - from));

// Each: what a file of the kind begins with, and where its size stands. read(from, length) → a view of as many bytes.
const KINDS = [
  { is: (head) => text(head, 1, 4) === 'PNG', size: async (read) => of32Bits(await read(16, 8)) },
  { is: (head) => text(head, 0, 4) === 'GIF8', size: async (read) => of16Bits(await read(6, 4)) },
  { is: (head) => head.getUint16(0) === 0xffd8, size: jpeg },
  { is: (head) => text(head, 8, 15) === 'WEBPVP8', size: webp },
  { is: (head) => text(head, 4, 8) === 'ftyp' && ['avif', 'avis'].includes(text(head, 8, 12)), size: avif },
  { is: (head) => text(head, 0, 2) === 'BM' && BITMAP_HEADERS.includes(head.getUint32(14, true)), size: bmp },
];

class Unknown extends Error {}

const of32Bits = (view, at = 0) => [view.getUint32(at), view.getUint32(at + 4)];
const of16Bits = (view) => [view.getUint16(0, true), view.getUint16(2, true)];

// The frame header (SOF) comes after segments that each say how long they are; what a camera writes there can be megabytes.
async function jpeg(read) {
  for (let at = 2; ;) {
    const view = await read(at, 9);
    const marker = view.getUint8(1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    const isAlone = marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);
    // As decoders do: what is between segments is passed over, be it 0xff that fills up or a stray byte.
    if (view.getUint8(0) !== 0xff || marker === 0xff || marker === 0) at += 1;
    else if (isFrame) return [view.getUint16(7), view.getUint16(5)];
    else at += isAlone ? 2 : 2 + view.getUint16(2);
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
async function avif(read, length) {
  for (let at = 0; at < length;) {
    const box = await read(at, 8);
    // 1: it stands after the name, in 64 bits; 0: up to the end.
    let size = box.getUint32(0);
    if (size === 1) size = Number((await read(at + 8, 8)).getBigUint64(0));
    if (size === 0) size = length - at;
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
  throw new Unknown();
}

async function bmp(read) {
  const view = await read(14, 12);
  if (view.getUint32(0, true) === 12) return [view.getUint16(4, true), view.getUint16(6, true)];
  return [view.getInt32(4, true), Math.abs(view.getInt32(8, true))];  // below 0: from the top
}

// → {width, height}; null when the file is of no kind that is known here. Both 0 where it ends, or makes no sense, before they
// stand; undefined where they are not found in what is read. Rejects when the file cannot be read.
export async function dimensions(file) {
  let chunk = new ArrayBuffer(0), first = 0, chunks = 0;
  const read = async (from, length) => {
    if (from < first || from + length > first + chunk.byteLength) {
      if (++chunks > MOST_CHUNKS) throw new Unknown();
      [chunk, first] = [await file.slice(from, from + Math.max(length, CHUNK)).arrayBuffer(), from];
    }
    if (from + length > first + chunk.byteLength) throw new RangeError('cut off');
    return new DataView(chunk.slice(from - first, from - first + length));
  };
  const start = new Uint8Array(18);
  start.set(new Uint8Array(await file.slice(0, start.length).arrayBuffer()));
  const kind = KINDS.find(({ is }) => is(new DataView(start.buffer)));
  if (!kind) return null;
  try {
    const [width, height] = await kind.size(read, file.size);
    return { width, height };
  } catch (error) {
    if (error instanceof Unknown) return {};
    if (error instanceof RangeError) return { width: 0, height: 0 };
    throw error;
  }
}
