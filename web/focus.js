// Who gets the keyboard, the wheel and the fingers. They are the page's until the figure has focus, and Tab gives them back
// (Escape too, when the core has no use for it). SDL listens on the canvas: what it must not see is stopped above it.

const OWN_SHORTCUTS = new Set(['z', 'y']);  // with Ctrl or ⌘; all others are the browser's
const SLOP = 8;  // px that a finger moves before it is a drag

export function guard(stage, canvas, framed) {
  // A ring around the whole figure is for those who came by keyboard; a key that the figure takes brings nobody there.
  addEventListener('pointerdown', () => canvas.classList.add('by-pointer'), { capture: true });
  addEventListener('keydown', ({ key }) => key === 'Tab' && canvas.classList.remove('by-pointer'), { capture: true });
  const focused = () => document.activeElement === canvas;
  const above = (type, f) => stage.addEventListener(type, f, { capture: true, passive: false });

  above('keydown', (event) => {
    if (event.target !== canvas) return;
    const command = event.ctrlKey || event.metaKey;
    const browsers = event.key === 'Tab' || event.altKey || /^F\d+$/.test(event.key)
      || (command && event.key.length === 1 && !OWN_SHORTCUTS.has(event.key.toLowerCase()));
    if (browsers) event.stopPropagation();
  });

  // Alone in its window there is nothing else that could scroll.
  above('wheel', (event) => {
    if (framed && !focused()) event.stopPropagation();
  });

  above('pointerdown', (event) => {
    if (event.target === canvas && event.pointerType !== 'touch') canvas.focus({ preventScroll: true });
  });

  releaseLost(canvas);
  guardTouch(canvas, above, framed);
}

// A button that was let go where the browser did not tell is found out by the next move, else SDL would hold it for ever.
function releaseLost(canvas) {
  let held = false;
  canvas.addEventListener('mousedown', ({ button }) => (held ||= button === 0));
  document.addEventListener('mouseup', ({ button }) => (held &&= button !== 0), { capture: true });
  document.addEventListener('mousemove', ({ buttons, clientX, clientY }) => {
    if (!held || buttons & 1) return;
    canvas.dispatchEvent(new MouseEvent('mouseup', { bubbles: true, button: 0, clientX, clientY }));
  }, { capture: true });
}

// Alone, fingers are the figure's. In a frame a vertical drag scrolls the page around it: the figure hears of a finger only
// once it has tapped or moved sideways (touch-action: pan-y leaves those to us).
function guardTouch(canvas, above, framed) {
  let whose = 'figure';  // 'nobody' yet, the 'figure', the 'page'
  let start = null;      // the touchstart that the figure has not heard of

  const give = () => {
    whose = 'figure';
    const { touches, targetTouches, changedTouches } = start;
    canvas.dispatchEvent(new TouchEvent('touchstart', { touches, targetTouches, changedTouches, cancelable: true }));
  };
  const on = (type, f) => above(type, (event) => {
    if (event.target !== canvas || !event.isTrusted) return;
    f(event);
    if (whose !== 'figure') event.stopPropagation();
  });

  on('touchstart', (event) => {
    if (!framed || event.touches.length > 1) {
      if (whose === 'nobody') give();
      return;
    }
    whose = 'nobody';
    start = event;
  });
  on('touchmove', (event) => {
    if (whose !== 'nobody') return;
    const [from, to] = [start.changedTouches[0], event.changedTouches[0]];
    if (!event.cancelable) whose = 'page';  // it is scrolling already
    else if (Math.abs(to.clientX - from.clientX) > SLOP) give();
  });
  on('touchend', (event) => {
    if (whose === 'nobody') give();
    if (whose !== 'figure') return;
    event.preventDefault();  // or a mouse click would follow
    canvas.focus({ preventScroll: true });
  });
  on('touchcancel', () => {
    if (whose === 'nobody') whose = 'page';
  });
}
