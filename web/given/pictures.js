// Pictures of the reader's own: dropped, pasted or chosen, made square and small here, and handed to the core as bytes. They are
// sent nowhere, and kept for this tab only.

import { dimensions } from './dimensions.js';
import { element } from '../page/dom.js';

const MOST_PIXELS = 100_000_000;  // that are unpacked; four bytes each
const LONGEST_NAME = 32;  // characters of a file's name that are shown
const READABLE = 'PNG, JPEG, WebP, GIF, AVIF and BMP can be read';

const count = (number) => number.toLocaleString('en');

// What a file is called in a sentence: no characters that are not seen or that turn the others round, no marks of bold, and of a
// long name its beginning and its end.
export function shownName(file) {
  const seen = (file.name ?? '').replace(/\s+/gu, ' ').replace(/(?!\u200d)\p{C}/gu, '');  // U+200D joins emoji
  const name = seen.replaceAll('**', '').trim();
  const characters = [...name];
  if (characters.length <= LONGEST_NAME) return name || 'What was pasted';
  return `${characters.slice(0, LONGEST_NAME - 13).join('')}…${characters.slice(-12).join('')}`;
}

// resources: where the core finds bytes; side(): how large the scene wants a picture, undefined where it takes none.
// → {take(file), choose(), recall(name)}
export function createPictures({ resources, call, side }) {
  const take = async (file) => {
    if (side() === undefined) {
      call('picture');  // which says where it could be given
      return;
    }
    try {
      const { rgb, said } = await shrink(file, side());
      resources.picture = rgb;
      const reply = call('picture', said);
      if (!reply.ok) throw new Error(reply.message);
      keep(reply.name, rgb);
    } catch (error) {
      call('picture_refused', `${error.message} What was shown stays.`);
    } finally {
      delete resources.picture;
    }
  };

  return {
    take,
    choose() {
      const input = element('input', { type: 'file', accept: 'image/*' });
      input.addEventListener('change', () => input.files[0] && take(input.files[0]));
      input.click();
    },
    recall(name) {
      const rgb = kept(name);
      if (!rgb) return;
      resources[name] = rgb;
      call('kept_picture', name);
      delete resources[name];
    },
  };
}

// → {rgb: side × side × 3 bytes, said: what was made of it}. Rejects with a sentence.
async function shrink(file, side) {
  const name = shownName(file);
  const size = await dimensions(file).catch(() => {
    throw new Error(`${name} cannot be read.`);  // a folder, or gone meanwhile
  });
  const damaged = `${name} is damaged or cut off: its pixels cannot be read.`;
  if (size && size.width * size.height === 0) throw new Error(damaged);
  if (!size && !file.type.startsWith('image/')) throw new Error(`${name} is not a picture; ${READABLE}.`);
  if (size && size.width * size.height > MOST_PIXELS) {
    throw new Error(`${name} has ${count(size.width)} × ${count(size.height)} pixels, more than ${MOST_PIXELS / 1e6} million; make it smaller first.`);
  }
  let image;
  try {
    image = await createImageBitmap(file);
  } catch {
    throw new Error(size ? damaged
      : `${name} is of a kind that this browser cannot read; ${READABLE}.`);
  }
  const { width, height } = image;
  const square = Math.min(width, height);
  const draw = (background) => {
    const canvas = element('canvas', { width: side, height: side });
    const context = canvas.getContext('2d', { willReadFrequently: true });
    context.fillStyle = background;
    context.fillRect(0, 0, side, side);
    context.imageSmoothingQuality = 'high';
    context.drawImage(image, (width - square) / 2, (height - square) / 2, square, square, 0, 0, side, side);
    return context.getImageData(0, 0, side, side).data;
  };
  const pixels = draw('#fff');
  const transparent = draw('#000').some((value, index) => value !== pixels[index]);
  image.close();
  const rgb = pixels.filter((_, index) => index % 4 < 3);
  const said = [`${name}: ${width === height ? 'all' : 'the middle'} of its ${count(width)} × ${count(height)} pixels as ${side} × ${side}.`];
  if (square < side) said.push('It is small, so it was enlarged.');
  if (transparent) said.push('Where it is transparent, it is white now.');
  said.push('It stays on this machine.');
  return { rgb: new Uint8Array(rgb), said: said.join(' ') };
}

const key = (name) => `limelight-picture-${name}`;

function keep(name, rgb) {
  try {
    sessionStorage.setItem(key(name), btoa(Array.from(rgb, (byte) => String.fromCharCode(byte)).join('')));
  } catch {
    // then it is gone when the page is loaded again, and the core says so
  }
}

function kept(name) {
  try {
    const text = sessionStorage.getItem(key(name));
    return text && Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}
