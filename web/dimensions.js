// How large a picture is, from the first bytes of its file: a browser tells only after it has unpacked all of it.

const text = (bytes, from, to) => String.fromCharCode(...bytes.subarray(from, to));

// Each: what a file of the kind begins with, and where its size stands.
const KINDS = [
  { is: (b) => text(b, 1, 4) === 'PNG', size: (v) => [v.getUint32(16), v.getUint32(20)] },
  { is: (b) => text(b, 0, 3) === 'GIF', size: (v) => [v.getUint16(6, true), v.getUint16(8, true)] },
  { is: (b) => b[0] === 0xff && b[1] === 0xd8, size: jpeg },
  { is: (b) => text(b, 8, 15) === 'WEBPVP8', size: webp },
];

// The frame header (SOF) comes after segments that each say how long they are.
function jpeg(view) {
  for (let at = 2; ; at += 2 + view.getUint16(at + 2)) {
    const marker = view.getUint8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return [view.getUint16(at + 7), view.getUint16(at + 5)];
  }
}

function webp(view) {
  const form = String.fromCharCode(view.getUint8(15));
  const of24Bits = (at) => 1 + (view.getUint32(at, true) & 0xffffff);
  if (form === 'X') return [of24Bits(24), of24Bits(27)];
  if (form === 'L') {
    const bits = view.getUint32(21, true);
    return [1 + (bits & 0x3fff), 1 + ((bits >> 14) & 0x3fff)];
  }
  return [view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff];
}

// → {width, height}; null when the bytes are of no kind that is known here. Cut off within them: both 0.
export function dimensions(bytes) {
  const kind = KINDS.find(({ is }) => is(bytes));
  if (!kind) return null;
  try {
    const [width, height] = kind.size(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    return { width, height };
  } catch {
    return { width: 0, height: 0 };
  }
}
