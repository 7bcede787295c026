// The data of a program that tools/split.mjs splits: strings that only functions of the second half reach move there, and what
// else other scenes brought. It is in its place once that half is instantiated.

// How far, in bytes, an address may lie outside of what it belongs to: where a loop begins one element before, or ends one behind.
// A string is named by where it begins, or by a place within it.
const ASTRAY = 256;
const STRING = /^\.\.?L\.str/;

// Numbers that look like addresses and lead nowhere: the compiler's libraries have the digits of 2/π, and tables of characters
// have their codes.
const NUMBERS = /\/sysroot\/lib\/|io7unicode/;

const DATA = 11, DATA_COUNT = 12;  // sections

function number(bytes, at) {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at++];
    value += (byte & 127) * 2 ** shift;
    if (byte < 128) return [value, at];
  }
}

// signed: as constants are written; the others, sizes and counts, are not.
function encoded(value, signed = false) {
  const bytes = [];
  const last = signed ? 64 : 128;
  for (; value >= last; value = Math.floor(value / 128)) bytes.push(128 + value % 128);
  return Buffer.from([...bytes, value]);
}

// → [{id, bytes}] of a module
function sectionsOf(module) {
  const found = [];
  for (let at = 8; at < module.length;) {
    const [size, from] = number(module, at + 1);
    found.push({ id: module[at], bytes: module.subarray(from, from + size) });
    at = from + size;
  }
  return found;
}

// → [{from, bytes}]: the segments of a module's data, each with its address
export function segmentsOf(module) {
  const { bytes } = sectionsOf(module).find(({ id }) => id === DATA);
  const segments = [];
  for (let [count, at] = number(bytes, 0); count > 0; --count) {
    if (bytes[at] !== 0 || bytes[at + 1] !== 0x41) throw new Error('A segment of data has no constant address.');
    const [from, end] = number(bytes, at + 2);
    const [size, start] = number(bytes, end + 1);
    at = start + size;
    segments.push({ from, bytes: bytes.subarray(start, at) });
  }
  return segments;
}

// → the module with these segments for its data
export function withSegments(module, segments) {
  const data = Buffer.concat([encoded(segments.length), ...segments.flatMap(({ from, bytes }) =>
    [Buffer.from([0, 0x41]), encoded(from, true), Buffer.from([0x0b]), encoded(bytes.length), bytes])]);
  const others = sectionsOf(module).filter(({ id }) => id !== DATA && id !== DATA_COUNT);
  return Buffer.concat([module.subarray(0, 8), ...[...others, { id: DATA, bytes: data }].flatMap(({ id, bytes }) =>
    [Buffer.from([id]), encoded(bytes.length), bytes])]);
}

// map: the linker's. → [{from, to, object, name, isString}]: the addresses of each constant, table and string, in order, the file
// that brought it, and its own name
export function piecesOf(map) {
  const line = /^ *([0-9a-f]+) +[0-9a-f]+ +([0-9a-f]+) {9}(\S.*):\(\.(?:ro)?data(\S*)\)/gm;  // those of symbols are farther in
  return [...map.matchAll(line)].map(([, at, size, object, name]) => {
    const from = parseInt(at, 16);
    return { from, to: from + parseInt(size, 16), object, name, isString: STRING.test(name) };
  }).sort((a, b) => a.from - b.from);
}

// → what may be addresses in a line of a function, as text
export function addressesIn(line) {
  const constants = line.matchAll(/i32\.const (\d+)|i64\.const (-?\d+)|offset=(\d+)|v128\.const i32x4 ([^)]*)/g);
  return [...constants].flatMap(([, short, long, offset, lanes]) => {
    if (lanes) return lanes.split(' ').map(Number);
    if (long) return [BigInt.asUintN(32, BigInt(long)), BigInt.asUintN(64, BigInt(long)) >> 32n].map(Number);
    return [Number(short ?? offset)];
  });
}

// addresses: those that the functions of the first half name; movable(piece) → whether it may move.
// → {first, second}: the segments of each half
export function shared(segments, pieces, addresses, movable) {
  const kept = new Set(pieces.filter((piece) => !movable(piece)));
  const leads = ({ object, name, isString }) => !isString && !NUMBERS.test(`${object} ${name}`);
  const open = [...kept].filter(leads);
  const keep = (address, astray) => {
    let [low, high] = [0, pieces.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (pieces[middle].to < address - astray) low = middle + 1;
      else high = middle;
    }
    for (; low < pieces.length && pieces[low].from <= address + astray; ++low) {
      const piece = pieces[low];
      if (kept.has(piece) || (piece.isString && (address < piece.from || address > piece.to))) continue;
      kept.add(piece);
      if (leads(piece)) open.push(piece);
    }
  };
  const bytesOf = ({ from, to }) => segments.flatMap((segment) => {
    const start = Math.max(from, segment.from), end = Math.min(to, segment.from + segment.bytes.length);
    return start < end ? [{ from: start, bytes: segment.bytes.subarray(start - segment.from, end - segment.from) }] : [];
  });
  for (const address of addresses) keep(address, ASTRAY);
  while (open.length > 0) {
    for (const { from, bytes } of bytesOf(open.pop())) {
      for (let at = -from & 3; at + 4 <= bytes.length; at += 4) keep(bytes.readUInt32LE(at), 0);
    }
  }
  const moved = [];  // neighbours as one
  for (const { from, to } of pieces.filter((piece) => !kept.has(piece))) {
    if (moved.at(-1)?.to === from) moved.at(-1).to = to;
    else moved.push({ from, to });
  }
  const ends = [0, ...moved.flatMap(({ from, to }) => [from, to]), Infinity];
  const left = ends.flatMap((from, i) => (i % 2 ? [] : [{ from, to: ends[i + 1] }]));
  return { first: left.flatMap(bytesOf), second: moved.flatMap(bytesOf) };
}
