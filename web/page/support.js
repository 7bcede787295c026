// What the figure needs of a browser.

// A module with one function that uses two SIMD instructions.
const SIMD_PROBE = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
]);

// The same with f32x4.relaxed_madd, of relaxed SIMD.
const RELAXED_PROBE = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 19, 1, 17, 0, 65, 0, 253, 15, 65, 0, 253, 15, 65, 0,
  253, 15, 253, 133, 2, 11,
]);

function hasWebGL2() {
  try {
    const context = document.createElement('canvas').getContext('webgl2');
    context?.getExtension('WEBGL_lose_context')?.loseContext();  // a page may have few of them
    return context !== null;
  } catch {
    return false;
  }
}

// A sentence, or '' when nothing is lacking.
export function lacking() {
  if (typeof WebAssembly !== 'object' || !WebAssembly.validate(SIMD_PROBE)) {
    return 'The moving figure needs WebAssembly SIMD, which this browser does not have. '
      + 'Chrome and Edge have it from version 91, Firefox from 89, Safari from 16.4.';
  }
  if (!hasWebGL2()) {
    return 'The moving figure needs WebGL 2, which this browser does not offer. Chrome and Edge have it from version 56, '
      + 'Firefox from 51, Safari from 15; in a newer one, graphics acceleration may be switched off in the settings.';
  }
  return '';
}

// The name of the build that this browser runs fastest.
export const build = () => (WebAssembly.validate(RELAXED_PROBE) ? 'limelight_relaxed' : 'limelight');
