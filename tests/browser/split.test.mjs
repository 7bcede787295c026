// What the two halves of the program have of its data (tools/split_data.mjs).
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { addressesIn, piecesOf, segmentsOf, shared, withSegments } from '../../tools/split_data.mjs';

const EMPTY = Buffer.from([0, 97, 115, 109, 1, 0, 0, 0, 5, 3, 1, 0, 10]);  // a module with ten pages of memory

const word = (value) => Buffer.from(new Uint32Array([value]).buffer);

test('a module has the segments that it was given', async () => {
  const segments = [{ from: 8, bytes: Buffer.from('a') }, { from: 63, bytes: Buffer.alloc(300, 7) }, { from: 64, bytes: word(1) },
    { from: 600_000, bytes: Buffer.from('the end') }];
  const module = withSegments(EMPTY, segments);
  assert.deepEqual(segmentsOf(module), segments);
  assert.ok(WebAssembly.validate(module));
  assert.deepEqual(segmentsOf(withSegments(module, segments.slice(1))), segments.slice(1));
});

test('addresses are found wherever a constant may have one', () => {
  assert.deepEqual(addressesIn('(i32.store offset=300 (i32.const 400) (i32.const -5))'), [300, 400]);
  assert.deepEqual(addressesIn('(i64.const 12884902188)'), [300, 3]);
  assert.deepEqual(addressesIn('(i64.const -4294966996)'), [300, 0xffffffff]);
  assert.deepEqual(addressesIn('(v128.const i32x4 0x0000012c 0x00000003 0x00000190 0x00000005)'), [300, 3, 400, 5]);
});

test('of a linker’s map, the pieces that files brought are taken', () => {
  assert.deepEqual(piecesOf([
    '    Addr      Off     Size Out     In      Symbol',
    '       -    34e00       10         a.o:(.text.f)',
    '     400    34e0d       3c .rodata',
    '     418    34e0e        8         liba.a(b.o):(.rodata..L.str)',
    '     418    34e0e        8                 .L.str',
    '     400    34e0d       18         a.o:(.data.table)',
    '     440    34e0d       18         a.o:(.bss.buffer)',
  ].join('\n')), [{ from: 0x400, to: 0x418, object: 'a.o', name: '.table', isString: false },
    { from: 0x418, to: 0x420, object: 'liba.a(b.o)', name: '..L.str', isString: true }]);
});

test('what the first half reaches stays there, through tables too, and all that may not move', () => {
  const at = { named: 10_000, pointed: 20_000, near: 10_100, own: 30_000, free: 40_000, next: 40_004 };
  const pieces = Object.entries(at).map(([object, from]) => ({ from, to: from + 4, object })).sort((a, b) => a.from - b.from);
  const segments = [{ from: 9_999, bytes: Buffer.alloc(40_000, 1) }];
  word(at.pointed).copy(segments[0].bytes, at.named - 9_999);
  const whole = Buffer.from(segments[0].bytes);
  const { first, second } = shared(segments, pieces, [at.named], ({ object }) => object !== 'own');
  assert.deepEqual(second, [{ from: at.free, bytes: Buffer.alloc(8, 1) }]);
  const memory = Buffer.alloc(40_000);
  for (const { from, bytes } of [...first, ...second]) bytes.copy(memory, from - 9_999);
  assert.ok(memory.equals(whole));
  assert.equal([...first, ...second].reduce((sum, { bytes }) => sum + bytes.length, 0), whole.length);
});

test('numbers that only look like addresses keep nothing', () => {
  const segments = [{ from: 10_000, bytes: Buffer.concat([word(20_000), Buffer.alloc(9_996), word(7)]) }];
  for (const [object, name, moves] of [['/cache/sysroot/lib/libc.a(pi.o)', '.ipio2', true], ['libio.a(u.o)', '._ZN2io7unicode5kBaseE', true], ['libio.a(u.o)', '.kTable', false]]) {
    const pieces = [{ from: 10_000, to: 10_004, object, name }, { from: 20_000, to: 20_004, object: 'scenes', name: '.kWords' }];
    assert.equal(shared(segments, pieces, [], ({ object: of }) => of === 'scenes').second.length, moves ? 1 : 0);
    // Nor do they where they might have moved and are named.
    assert.equal(shared(segments, pieces, [10_000], () => true).second.length, moves ? 1 : 0);
  }
});

for (const program of ['limelight', 'limelight_relaxed']) {
  test(`no byte of ${program} is in both halves, and words of other scenes are in the second`, () => {
    const [first, second] = ['', '.scenes'].map((half) => segmentsOf(readFileSync(new URL(`../../build/web/${program}${half}.wasm`, import.meta.url))));
    const all = [...first, ...second].sort((a, b) => a.from - b.from);
    all.slice(1).forEach(({ from }, i) => assert.ok(all[i].from + all[i].bytes.length <= from, `at ${from}`));
    const size = (segments) => segments.reduce((sum, { bytes }) => sum + bytes.length, 0);
    assert.ok(size(second) > 100_000);
    const has = (segments, text) => segments.some(({ bytes }) => bytes.includes(text));
    assert.ok(has(first, 'spotlight') && !has(second, 'spotlight\0'));
  });
}

test('a string stays for an address within it, and not for one beside it', () => {
  const pieces = ['before', 'named', 'after'].map((object, i) => ({ from: 10_000 + 8 * i, to: 10_007 + 8 * i, object, isString: true }));
  const segments = [{ from: 10_000, bytes: Buffer.alloc(24, 1) }];
  for (const address of [10_008, 10_011, 10_015])  // its beginning, a place in it, its end
    assert.deepEqual(shared(segments, pieces, [address], () => true).second.map(({ from, bytes }) => [from, bytes.length]), [[10_000, 7], [10_016, 7]]);
});
