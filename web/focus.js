// Who gets the keyboard, the wheel and the fingers. They are the page's until the figure has focus, and Tab and Escape give
// them back. SDL listens on the canvas, so that what it must not see is stopped on the way there, above it.

const OWN_SHORTCUTS = new Set(['z', 'y']);  // with Ctrl or ⌘; all others are the browser's
const SLOP = 8;  // px that a finger moves before it is a drag

export function guard(stage, canvas, { framed, holdsEscape }) {
  const focused = () => document.activeElement === canvas;
  const above = (type, f) => stage.addEventListener(type, f, { capture: true, passive: false });

  above('keydown', (event) => {
    if (event.target !== canvas) return;
    const command = event.ctrlKey || event.metaKey;
    const browsers = event.key === 'Tab' || event.altKey || /^F\d+$/.test(event.key)
      || (command && event.key.length === 1 && !OWN_SHORTCUTS.has(event.key.toLowerCase()));
    if (browsers) event.stopPropagation();
    if (event.key === 'Escape' && !holdsEscape()) canvas.blur();
  });

  // Alone in its window there is nothing else that could scroll.
  above('wheel', (event) => {
    if (framed && !focused()) event.stopPropagation();
  });

  above('pointerdown', (event) => {
    if (event.target === canvas && event.pointerType !== 'touch') canvas.focus({ preventScroll: true });
  });

  guardTouch(canvas, above, framed);
}

// Alone, fingers are the figure's. In a frame a vertical drag scrolls the host page: the figure hears of a finger
// only once it has tapped or moved sideways (touch-action: pan-y leaves those to us).
function guardTouch(canvas, above, framed) {
  let first = null;  // the touchstart that the figure has not heard of

  const pass = ({ touches, targetTouches, changedTouches }) => canvas.dispatchEvent(
    new TouchEvent('touchstart', { touches, targetTouches, changedTouches, cancelable: true }));
  const isOurs = (event) => event.target === canvas && event.isTrusted;

  above('touchstart', (event) => {
    if (!isOurs(event) || !framed) return;
    if (event.touches.length === 1) {
      first = event;
      event.stopPropagation();
    } else if (first) {
      pass(first);
      first = null;
    }
  });
  above('touchmove', (event) => {
    if (!isOurs(event) || !first) return;
    const [from, to] = [first.changedTouches[0], event.changedTouches[0]];
    if (Math.abs(to.clientX - from.clientX) > SLOP) {
      pass(first);
      first = null;
    } else {
      event.stopPropagation();
    }
  });
  above('touchend', (event) => {
    if (!isOurs(event)) return;
    if (first) pass(first);
    first = null;
    event.preventDefault();  // or a mouse click would follow
    canvas.focus({ preventScroll: true });
  });
  above('touchcancel', (event) => {
    if (isOurs(event) && first) event.stopPropagation();
    first = null;
  });
}
