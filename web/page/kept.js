// A state that is too much for the address is kept for this tab, beside the address that the page was left with.

const name = (hash) => `limelight${hash}`;

// '' when there is none, or when the browser keeps nothing for this page.
export function recall() {
  try {
    return sessionStorage.getItem(name(location.hash)) ?? '';
  } catch {
    return '';
  }
}

// → whether it is kept
export function keep(state) {
  try {
    sessionStorage.setItem(name(location.hash), state);
    return true;
  } catch {
    return false;
  }
}

export function forget(hash = location.hash) {
  try {
    sessionStorage.removeItem(name(hash));
  } catch {
    // then nothing was kept either
  }
}
