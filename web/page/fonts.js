// The fonts that the core measures and draws with, in two parts: the page begins with the first of each, which has what most figures
// need, and fetches the rest of one when a figure first needs that.

const FACES = ['inter-regular', 'inter-semibold', 'mono-regular', 'mono-bold', 'math-regular', 'math-italic',
  'display-medium', 'display-bold'];  // in the core's order
const WHOLE = [1, 6, 7];  // come at once: another face lends what they lack
const OF_INPUTS = [['Limelight Sans', '400'], ['Limelight Sans', '600'], ['Limelight Mono', '400']];  // of the first faces

// bytes(file): of a file of the page. → what the page begins with, by face
export const firstFonts = (bytes) => Promise.all(FACES.map((name) => bytes(`fonts/first/${name}.ttf`)));

// fonts: what the core takes next, by face; at first, what the page began with. → {bring(face), all()}: the parts of a face, or of each
// face, once they have come. Both reject with a sentence.
export function createFonts({ fonts, bytes, call }) {
  const parts = fonts.map((first) => [first]);
  const coming = [];
  // The inputs over the canvas are set in the very fonts that the core measures.
  const show = (face, data) => {
    const [family, weight] = OF_INPUTS[face] ?? [];
    if (family) document.fonts.add(new FontFace(family, data, { weight }));
  };
  const fetchRest = async (face) => {
    fonts[face] = await bytes(`fonts/rest/${FACES[face]}.ttf`);
    const { ok, message } = call('font', String(face));
    if (!ok) throw new Error(message);
    parts[face].push(fonts[face]);
    show(face, fonts[face]);
    return parts[face];
  };
  const bring = (face) => (coming[face] ??= fetchRest(face).catch((error) => {
    coming[face] = null;
    throw error;
  }));
  for (const face of WHOLE) coming[face] = Promise.resolve(parts[face]);
  fonts.forEach((first, face) => show(face, first));
  return { bring, all: () => Promise.all(FACES.map((_, face) => bring(face))) };
}
