// The core's SVG as pixels: painted by the browser, in the page's own fonts.

const FACES = [  // in the core's order
  ['Limelight Sans', 400, 'normal'], ['Limelight Sans', 600, 'normal'], ['Limelight Mono', 400, 'normal'],
  ['Limelight Mono', 600, 'normal'], ['Limelight Math', 400, 'normal'], ['Limelight Math', 400, 'italic'],
  ['Limelight Display', 500, 'normal'], ['Limelight Display', 700, 'normal'],
];
const MOST_PIXELS = 64e6;

export function base64(bytes) {
  let text = '';
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(text);
}

// → {width, height} in CSS pixels, as the drawing says them
export function sizeOf(svg) {
  const [, width, height] = /<svg[^>]* width="([\d.]+)" height="([\d.]+)"/.exec(svg);
  return { width: Number(width), height: Number(height) };
}

// → asImage(svg, scale): an address for an <img>. A picture sees nothing of the page around it, so the fonts go into it.
// fonts: the parts of each face
export function createImages(fonts) {
  const rules = FACES.map(([family, weight, style], index) => fonts[index].map((part) => `@font-face{font-family:"${family}";`
    + `font-weight:${weight};font-style:${style};src:url(data:font/ttf;base64,${base64(part)})}`).join(''));
  return (svg, scale = 1) => {
    const { width, height } = sizeOf(svg);
    const used = rules.filter((_, index) => svg.includes(FACES[index][0]));
    const whole = svg.replace(/ width="[\d.]+" height="[\d.]+"/, ` width="${width * scale}" height="${height * scale}"`)
      .replace('<title>', `<style>${used.join('')}</style><title>`);
    return `data:image/svg+xml;base64,${base64(new TextEncoder().encode(whole))}`;
  };
}

// → a canvas of these pixels with the drawing at (x, y); what that does not reach has the colour of its corner.
export async function paint(address, width, height, x = 0, y = 0) {
  if (width * height > MOST_PIXELS) throw new Error(`The picture would have ${width}×${height} pixels, more than is painted here.`);
  const image = new Image();
  image.src = address;
  await image.decode();
  const canvas = Object.assign(document.createElement('canvas'), { width, height });
  const context = canvas.getContext('2d');
  context.drawImage(image, x, y);
  const [red, green, blue, alpha] = context.getImageData(x, y, 1, 1).data;
  context.globalCompositeOperation = 'destination-over';
  context.fillStyle = `rgb(${red} ${green} ${blue} / ${alpha / 255})`;
  context.fillRect(0, 0, width, height);
  return canvas;
}

// → Uint8Array
export async function png(canvas) {
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (!blob) throw new Error('The browser had no memory for a picture of this size.');
  return new Uint8Array(await blob.arrayBuffer());
}
