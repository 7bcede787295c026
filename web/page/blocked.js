// A script of the old kind, which runs before anything is shown, and also where modules may not be loaded: shows the opening's
// still picture where a first visit begins with it, tells the page around a frame that its document has come, and says why the page stands still when its first module does not come, as in a frame without an origin of its own on a
// server that lets no other origin read its files.
function isFirstVisit() {
  try {
    return !localStorage.getItem('limelight.opening') && !sessionStorage.getItem('limelight');
  } catch {
    return true;  // the browser keeps nothing for this page
  }
}
if (parent === self && location.hash.length < 2 && isFirstVisit()) document.documentElement.classList.add('opening');
if (parent !== self) parent.postMessage({ limelight: 'loading', v: 1, share: 0 }, '*');
addEventListener('error', ({ target }) => {
  if (!(target instanceof HTMLScriptElement) || target.type !== 'module') return;
  const message = self.origin === 'null'
    ? 'The moving figure is in a frame without an origin of its own, and its server does not send the header '
      + 'Access-Control-Allow-Origin: * that it needs there. Here it stands still.'
    : 'The moving figure could not be loaded. Load the page again to try once more; here it stands still.';
  parent.postMessage({ limelight: 'failed', v: 1, message }, '*');
  const stand = () => {
    for (const id of ['loading', 'stage']) document.getElementById(id).hidden = true;
    const source = document.querySelector('noscript').textContent;
    const still = new DOMParser().parseFromString(source, 'text/html').querySelector('.still');
    still.querySelector('.still-reason').textContent = message;
    document.body.append(document.adoptNode(still));
  };
  if (document.readyState === 'loading') addEventListener('DOMContentLoaded', stand);
  else stand();
}, { capture: true });
