// Who gets the keyboard, the wheel and the fingers. They are the page's until the figure has focus, and Tab gives them back
// (Escape too, when the core has no use for it). SDL listens on the canvas: what it must not see is stopped above it.

const OWN_SHORTCUTS = new Set(['z', 'y']);  // with Ctrl or ⌘; all others are the browser's
const SLOP = 8;  // px that a finger moves before it is a drag

export function guard(stage, canvas, framed, call) {
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
  guardTouch(canvas, above, framed, call);
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
// once it has tapped or moved sideways (touch-action: pan-y leaves those to us). Two fingers zoom into what is between them.
function guardTouch(canvas, above, framed, call) {
  let whose = 'figure';  // 'nobody' yet, the 'figure', the 'page', 'both' fingers
  let start = null;      // the touchstart that the figure has not heard of
  let apart = 0;         // px between two fingers when they became two; 0: not known yet

  const give = () => {
    whose = 'figure';
    const { touches, targetTouches, changedTouches } = start;
    canvas.dispatchEvent(new TouchEvent('touchstart', { touches, targetTouches, changedTouches, cancelable: true }));
  };
  const on = (type, f) => above(type, (event) => {
    if (event.target !== canvas || !event.isTrusted) return;
    const goes = f(event);
    if (whose !== 'figure' && !goes) event.stopPropagation();
  });

  const pinch = ({ targetTouches: [one, other] }) => {
    const box = canvas.getBoundingClientRect();
    const distance = Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
    apart ||= distance;
    const [x, y] = [(one.clientX + other.clientX) / 2 - box.x, (one.clientY + other.clientY) / 2 - box.y];
    if (distance > 0) call('pinch', `${x} ${y} ${distance / apart}`);
  };

  on('touchstart', (event) => {
    if (event.targetTouches.length === 2 && whose !== 'page') {
      whose = 'both';
      event.preventDefault();
      pinch(event);
    }
    if (whose === 'both' || !framed) return;
    whose = 'nobody';
    start = event;
  });
  on('touchmove', (event) => {
    if (whose === 'both') {
      event.preventDefault();
      if (event.targetTouches.length >= 2) pinch(event);
    }
    if (whose !== 'nobody') return;
    const [from, to] = [start.changedTouches[0], event.changedTouches[0]];
    if (!event.cancelable) whose = 'page';  // it is scrolling already
    else if (Math.abs(to.clientX - from.clientX) > SLOP) give();
  });
  // SDL heard of the first finger, and has to hear that it is gone.
  const endPinch = ({ targetTouches }) => {
    call('pinch', '0 0 0');
    apart = 0;  // of three fingers two may stay
    if (targetTouches.length === 0) whose = 'figure';
    return true;
  };
  on('touchend', (event) => {
    if (whose === 'both') {
      event.preventDefault();
      return endPinch(event);
    }
    if (whose === 'nobody') give();
    if (whose !== 'figure') return;
    event.preventDefault();  // or a mouse click would follow
    canvas.focus({ preventScroll: true });
  });
  on('touchcancel', (event) => {
    if (whose === 'both') return endPinch(event);
    if (whose === 'nobody') whose = 'page';
  });
}
