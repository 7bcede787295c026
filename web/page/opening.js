// The opening: what a first visit begins with, unless it came by a link or in a frame. blocked.js has told by a class of the root
// whether it does; its still picture stands until the figure has come.

const root = document.documentElement;
const KEY = 'limelight.opening';

export const begins = () => root.classList.contains('opening');

// It was left, and does not come by itself again.
function remember() {
  try {
    localStorage.setItem(KEY, 'seen');
  } catch {
    // then it begins the next visit, too
  }
}

export function createOpening() {
  let shown = false;
  return {
    shown: () => shown,
    follow(page) {
      if (shown && !page.opening) remember();
      shown = page.opening;
      root.classList.toggle('opening', shown);
    },
  };
}
