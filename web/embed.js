// <limelight-figure scene="translate" step="scores"></limelight-figure>: a figure in any article. At first it is only a picture; the
// figure itself is a frame that starts on a click or when it comes into view, and is given back when it is far away, so that
// an article may have many of them. embedding.md says what its attributes, methods and events are.

import { FROM_FRAME, VERSION, check, isOurs, message } from './embed/messages.js';
import { nearestPoster } from './embed/poster.js';

const SITE = new URL('.', import.meta.url);
const MOST_LIVE = 4;            // a browser gives a page few WebGL contexts, a phone's about eight
const FAR = 2;                  // windows' heights from view: given back
const START_SECONDS = 20;       // while the article is looked at, without a word from the frame
const SILENT_SECONDS = 3;       // the same once the frame's document has loaded, which speaks at once
const ANSWER_MS = 10_000;       // of a frame that is given back: it may have to fetch first what writes its picture
const LONGEST_LINK = 32_000;    // bytes that the page reads, less room for the theme
const NO_PICTURE = 'There is no picture of this figure here.';
const LOWEST = 420, HIGHEST = 1400;  // px, where neither height nor aspect-ratio is given

const figures = new Set();      // in the document
const live = new Set();         // with a frame, the oldest first
const dark = matchMedia('(prefers-color-scheme: dark)');

const style = new CSSStyleSheet();
style.replaceSync(`
  :host { display: block; }
  :host([hidden]) { display: none; }
  .box { position: relative; overflow: hidden; display: flex; flex-direction: column; color-scheme: light;
    --paper: #f7f8fb; --muted: #4a5265; --accent: #171a23; --on-accent: #fff; }
  .box.dark { color-scheme: dark; --paper: #0d0f16; --muted: #a9b1c4; --accent: #f0f2f8; --on-accent: #10131a; }
  .still { flex: 1; min-height: 0; display: flex; flex-direction: column; }
  img { flex: 1; min-height: 0; width: 100%; object-fit: contain; border-radius: 6px; background: var(--paper); cursor: pointer; }
  .bar { flex: none; display: flex; flex-wrap: wrap; align-items: center; justify-content: center; gap: 8px 16px; min-height: 56px;
    padding: 4px 8px; font: 14px/1.4 system-ui, sans-serif; }
  p { margin: 0; color: var(--muted); text-align: center; }
  p:empty { display: none; }
  button { font: inherit; font-weight: 600; min-height: 44px; padding: 0 20px; border: 0; border-radius: 22px; cursor: pointer;
    background: var(--accent); color: var(--on-accent); }
  a { color: var(--accent); padding: 12px 0; }
  .still { position: relative; z-index: 1; }
  iframe { position: absolute; inset: 0; width: 100%; height: 100%; border: 0; }
  iframe[inert] { opacity: 0; }  /* hidden otherwise, a browser would not let it draw */
  :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
  [hidden] { display: none !important; }
`);

function make(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

class LimelightFigure extends HTMLElement {
  static observedAttributes = ['scene', 'state', 'step', 'hide', 'whole', 'theme', 'poster', 'poster-dark', 'alt', 'height', 'aspect-ratio',
    'start'];

  #box = make('div', { class: 'box', part: 'box' });
  #still = make('div', { class: 'still' });
  #picture = make('img', { part: 'poster', decoding: 'async' });
  #button = make('button', { type: 'button', part: 'button' });
  #words = make('p', { role: 'status' });
  #link = make('a', { target: '_blank', rel: 'noopener' }, 'Open it in Limelight');
  #frame = null;
  #ready = null;     // of the frame: {promise, resolve, reject}
  #isReady = false;  // it can be used
  #isDrawn = false;  // and seen
  #kept = null;      // {state, link} as the frame last said it
  #last = null;      // the figure as it was given back, as an address of data
  #said = '';        // of how it starts
  #resumes = false;  // it was started once, and starts again by itself
  #failed = false;   // and then only by the reader
  #missing = null;   // the address of a picture that did not come
  #spoke = false;    // the frame, since it began
  #leaving = null;   // the promise of being given back
  #asked = new Map();
  #serial = 0;
  #late = 0;
  #width = 0;

  constructor() {
    super();
    const root = this.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = [style];
    this.#still.append(this.#picture, make('div', { class: 'bar' }, this.#button, this.#words, this.#link));
    this.#box.append(this.#still);
    root.append(this.#box);
    const start = () => this.start().catch(() => {});  // the reader has the reason
    this.#button.addEventListener('click', start);
    this.#picture.addEventListener('click', start);  // which is larger than the button, and looks as if it were alive
    this.#picture.addEventListener('load', () => this.#seen());
    this.#picture.addEventListener('error', () => this.#noPicture());
  }

  connectedCallback() {
    figures.add(this);
    this.#layOut();
    this.#showStill();
    near.observe(this);
    far.observe(this);
    widths.observe(this);
  }

  disconnectedCallback() {
    figures.delete(this);
    near.unobserve(this);
    far.unobserve(this);
    widths.unobserve(this);
    this.#drop();
  }

  attributeChangedCallback(name, before, now) {
    if (!this.isConnected || before === now) return;
    if (['scene', 'state', 'step', 'hide', 'whole'].includes(name)) {
      const again = this.#frame !== null;
      this.#drop();
      this.#kept = this.#last = null;
      this.#showStill();
      if (again) this.start().catch(() => {});
    } else if (name === 'theme') {
      this.refreshTheme();
    } else {
      this.#layOut();
      if (!this.#isReady) this.#showStill();
    }
  }

  // ---- for scripts of the article ----

  // Every setting by name, as the figure last said it; null before it was started.
  get state() {
    return this.#kept?.state ?? null;
  }

  // Resolves when the figure can be used; it is drawn when it is in view. Rejects with the sentence that stands below the picture.
  async start() {
    if (this.#leaving) await this.#leaving;
    if (this.#frame) return this.#ready.promise;
    this.#failed = false;
    const mustBeHere = () => {
      if (!this.isConnected) throw new Error('The figure is not in the document, so it cannot start.');
    };
    await inTurn(async () => {
      mustBeHere();
      await makeRoom(this, true);
      mustBeHere();  // making room takes a while
      this.#begin();
    });
    return this.#ready.promise;
  }

  // Each resolves to the new state, or rejects with a sentence and changes nothing. They start the figure.
  set(state) { return this.#tell('set', { state }); }
  step(step, t) { return this.#tell('step', t === undefined ? { step } : { step, t }); }
  pin(cell) { return this.#tell('pin', { cell }); }

  // Gives the frame back; what was set is kept, and a picture of it stays.
  async release() {
    if (!this.#frame) return;
    this.#leaving ??= this.#leave().finally(() => (this.#leaving = null));
    await this.#leaving;
  }

  // ---- for the other figures and the observers ----

  get startsInView() { return !this.#failed && (this.#resumes || this.getAttribute('start') === 'visible'); }
  get hasFocus() { return this.getRootNode().activeElement === this; }
  get waits() { return this.isConnected && !this.#frame && this.startsInView && this.distance() < 0.5; }

  // How far from view it is, in heights of the window.
  distance() {
    const { top, bottom } = this.getBoundingClientRect();
    return Math.max(0, top - innerHeight, -bottom) / innerHeight;
  }

  // In view, where there is room for one more frame without taking one that is in view.
  async startIfRoom() {
    await inTurn(async () => {
      if (this.waits && await makeRoom(this, false) && this.isConnected) this.#begin();
    });
  }

  refreshTheme() {
    const theme = this.#theme();
    if (this.#box.classList.contains('dark') === (theme === 'dark') && this.#picture.hasAttribute('src')) return;
    this.#last = null;  // its colours are the other ones
    this.#showStill();
    if (this.#isReady) this.#wear(theme);
    if (this.#frame) this.#frame.style.colorScheme = theme;
  }

  widthChanged() {
    if (this.clientWidth !== this.#width) this.#layOut();
  }

  hear({ source, origin, data }) {
    if (!this.#frame || source !== this.#frame.contentWindow || !isOurs(data)) return;
    if (origin !== SITE.origin && !(isNobody && origin === 'null')) return;
    const wrong = check(FROM_FRAME, data);
    if (wrong) {
      console.warn(`A figure said what is not understood. ${wrong}`);
      return;
    }
    const { limelight: name, v, id, ...parts } = data;
    this.#spoke = true;
    if (this.#isReady) this.#endWait();
    else this.#expect(START_SECONDS);
    if (name === 'done' || name === 'refused') {
      const asked = this.#asked.get(id);
      this.#asked.delete(id);
      if (name === 'refused') {
        asked?.reject(new Error(parts.message));
      } else {
        this.#kept = { state: parts.state, link: parts.link };
        asked?.resolve(parts);
      }
      return;
    }
    if (name === 'changed') this.#kept = { state: parts.state, link: parts.link };
    if (name === 'failed') return this.#fail(parts.message);
    if (name === 'loading') return;
    if (name === 'drawn') return this.#uncover();
    if (name === 'ready') this.#isThere();
    if (name === 'ready' || name === 'height') this.#grow(parts.height);
    if (name !== 'ready') this.#announce(name, parts);  // that comes when what was kept is set again
  }

  // ---- what is shown ----

  #theme() {
    const own = this.getAttribute('theme');
    if (own === 'light' || own === 'dark') return own;
    const said = this.closest('[data-theme="light"], [data-theme="dark"]')?.dataset.theme;
    if (said) return said;
    // What the article declares; where it leaves both open or says nothing, the reader's own choice.
    const scheme = getComputedStyle(this.parentElement ?? this).colorScheme.replace('only', '').trim();
    return scheme === 'light' || scheme === 'dark' ? scheme : dark.matches ? 'dark' : 'light';
  }

  #name() { return this.getAttribute('scene') || 'spotlight'; }

  #showStill() {
    const theme = this.#theme();
    this.#box.classList.toggle('dark', theme === 'dark');
    const poster = (theme === 'dark' && this.getAttribute('poster-dark')) || this.getAttribute('poster');
    const nearest = poster ? null : nearestPoster(this.#kept?.link.split('&') ?? this.#given());
    const address = this.#last ?? (poster ? new URL(poster, document.baseURI) : new URL(`posters/${nearest.file}-${theme}.svg`, SITE)).href;
    this.#picture.hidden = address === this.#missing;
    this.#words.textContent = this.#said || (this.#picture.hidden ? NO_PICTURE : this.#last ? '' : nearest?.example ?? '');
    if (this.#picture.getAttribute('src') !== address) this.#picture.src = address;
    this.#picture.alt = this.getAttribute('alt') ?? `The figure “${this.#name()}” of Limelight`;
    this.#button.textContent = this.#failed ? 'Try again' : 'Start the figure';
    this.#button.setAttribute('aria-label', `${this.#button.textContent}: ${this.#picture.alt}`);
    this.#link.href = this.#address({ framed: false });
    this.#still.style.visibility = this.#isDrawn ? 'hidden' : 'visible';
    this.#button.hidden = this.#frame !== null;
  }

  #noPicture() {
    if (this.#last) this.#last = null;  // the article does not let it be shown
    else this.#missing = this.#picture.src;
    this.#showStill();
  }

  #seen() {
    this.#missing = null;
    this.#showStill();
  }

  #layOut() {
    const height = Number.parseFloat(this.getAttribute('height'));
    const ratio = /^\s*([\d.]+)\s*(?:[/:]\s*([\d.]+))?\s*$/.exec(this.getAttribute('aspect-ratio') ?? '');
    const { style: box } = this.#box;
    this.#width = this.clientWidth;
    box.aspectRatio = ratio ? `${ratio[1]} / ${ratio[2] ?? 1}` : '';
    box.height = height > 0 ? `${height}px` : ratio ? '' : `${Math.max(LOWEST, Math.round(this.#width * 0.75))}px`;
  }

  // As high as the figure says that it is, where the article does not say how high it may be.
  #grow(height) {
    if (this.hasAttribute('height') || this.hasAttribute('aspect-ratio')) return;
    if (height > this.#box.clientHeight) this.#box.style.height = `${Math.min(Math.ceil(height), HIGHEST)}px`;
  }

  // ---- the frame ----

  // The settings of its attributes, as parts of a link.
  #given(hide) {
    const own = [['scene', this.#name()], ['step', this.getAttribute('step')], ['hide', hide]]
      .filter(([, value]) => value).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
    return [...own, ...(this.getAttribute('state') ?? '').replace(/^#/, '').split('&')].filter(Boolean);
  }

  #address({ framed }) {
    const theme = this.#theme();
    const first = this.#given(framed && this.getAttribute('hide'));
    const kept = this.#fits() && this.#kept?.link.split('&');
    const own = framed ? ['theme'] : ['theme', 'embed', 'hide'];
    const parts = (kept || first).filter((part) => !own.includes(part.split('=')[0]));
    if (framed && !this.hasAttribute('whole') && !parts.includes('embed=1')) parts.push('embed=1');
    return `${new URL('index.html', SITE)}#${[...parts, ...(framed ? [`theme=${theme}`] : [])].join('&')}`;
  }

  #fits() { return this.#kept !== null && this.#kept.link.length <= LONGEST_LINK; }

  #begin() {
    if (this.#frame) return;
    this.#resumes = true;
    const ready = {};
    ready.promise = new Promise((resolve, reject) => Object.assign(ready, { resolve, reject }));
    ready.promise.catch(() => {});  // who does not wait for it is not bothered
    this.#ready = ready;
    this.#frame = make('iframe', {
      src: this.#address({ framed: true }),
      title: this.#picture.alt,
      allow: 'clipboard-write',
    });
    this.#frame.style.colorScheme = this.#theme();
    this.#frame.inert = true;
    this.#frame.addEventListener('load', () => {
      this.#expect(this.#spoke ? START_SECONDS : SILENT_SECONDS);
      if (this.#spoke) this.#ask('get').catch(() => {});  // it may have loaded itself again, and be another page now
    });
    this.#said = 'The figure is on its way.';
    live.add(this);
    this.#box.append(this.#frame);
    this.#expect(START_SECONDS);
    this.#showStill();
  }

  // The frame has to say something before this time is over.
  #expect(limit) {
    this.#endWait();
    const frame = this.#frame;
    let seconds = 0;
    this.#late = setInterval(async () => {
      if (!document.hidden) seconds += 1;
      if (seconds < limit) return;
      this.#endWait();
      const why = this.#isReady ? 'The figure does not answer any more.'
        : this.#spoke ? 'The figure has not started. The network may be slow.' : await whySilent();
      if (frame === this.#frame) this.#fail(why);
    }, 1000);
  }

  #endWait() {
    clearInterval(this.#late);
    this.#late = 0;
  }

  async #isThere() {
    const frame = this.#frame;
    try {
      const kept = this.#kept;
      if (kept && !this.#fits()) {
        const { embed, hide, ...state } = kept.state;
        await this.#ask('set', { state: { ...state, theme: this.#theme() } });
      }
      await this.#ask('get');
    } catch (error) {
      if (frame === this.#frame) this.#fail(error.message);
      return;
    }
    if (frame !== this.#frame) return;
    this.#isReady = true;
    this.#endWait();
    this.#ready.resolve(this);
    const theme = this.#theme();
    if (this.#kept.state.theme !== theme) this.#wear(theme);  // the article's was changed meanwhile
    this.#announce('ready', this.#kept);
  }

  // It shows what its picture showed, or more.
  #uncover() {
    this.#isDrawn = true;
    this.#frame.inert = false;
    this.#said = '';
    this.#showStill();
  }

  #fail(sentence) {
    this.#ready.reject(new Error(sentence));
    this.#failed = true;
    this.#drop();
    this.#said = sentence;
    this.#showStill();
    this.#announce('failed', { message: sentence });
  }

  #drop() {
    if (!this.#frame) return;
    this.#endWait();
    this.#frame.remove();
    this.#frame = null;
    this.#isReady = this.#isDrawn = this.#spoke = false;
    this.#said = '';
    live.delete(this);
    for (const { reject } of this.#asked.values()) reject(new Error('The figure was given back before it answered.'));
    this.#asked.clear();
    this.#ready.reject(new Error('The figure was given back before it started.'));
    this.#showStill();
    startWaiting();
  }

  async #leave() {
    if (this.#isReady) {
      const answer = await Promise.race([
        this.#ask('still').catch(() => null),
        new Promise((resolve) => setTimeout(resolve, ANSWER_MS, null)),
      ]);
      if (answer?.picture) this.#last = `data:image/svg+xml,${encodeURIComponent(answer.picture)}`;
    }
    this.#drop();
    this.#announce('released', this.#kept);
  }

  #ask(name, parts = {}) {
    const id = ++this.#serial;
    return new Promise((resolve, reject) => {
      this.#asked.set(id, { resolve, reject });
      this.#frame.contentWindow.postMessage(message(name, { id, ...parts }), isNobody ? '*' : SITE.origin);
    });
  }

  async #tell(name, parts) {
    if (!this.#isReady) await this.start();
    return (await this.#ask(name, parts)).state;
  }

  #wear(theme) {
    this.#tell('set', { state: { theme } }).catch(() => {});
  }

  #announce(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}

// In an article without an origin of its own, its frames have none either.
const isNobody = self.origin === 'null';

// Why a frame whose document has come says nothing, as a sentence.
let forbidden = false;  // by the article's own policy
addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
  forbidden ||= /^(frame|child)-src/.test(effectiveDirective) && blockedURI.startsWith(SITE.origin);
});
async function whySilent() {
  if (forbidden) return `The Content-Security-Policy of this page lets no frame of ${SITE.origin} in; its frame-src has to name it.`;
  try {
    const { ok, status } = await fetch(new URL('index.html', SITE), { cache: 'no-store' });
    return ok ? 'The figure has not started: its site does not let this page show it in a frame.'
      : `The figure has not started: its site answered ${status}.`;
  } catch {
    return 'The figure has not started: its site gives no answer.';
  }
}

// One after the other, or two would take the same place.
let turn = Promise.resolve();
function inTurn(action) {
  const mine = turn.then(action);
  turn = mine.catch(() => {});
  return mine;
}

// Gives back the frame that is farthest from view, until there is room for one more. `asked`: by the reader, for whom one in view
// may go too, the oldest first. → whether there is room.
async function makeRoom(figure, asked) {
  while (live.size >= MOST_LIVE && !live.has(figure)) {
    const others = [...live].filter((other) => other !== figure && !other.hasFocus);
    const distances = new Map(others.map((other) => [other, other.distance()]));
    const [victim] = others.sort((a, b) => distances.get(b) - distances.get(a));
    if (!victim || (!asked && distances.get(victim) === 0)) return false;
    await victim.release();
  }
  return true;
}

function startWaiting() {
  for (const figure of figures) if (figure.waits) figure.startIfRoom();
}

const near = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) if (isIntersecting && target.startsInView) target.startIfRoom();
}, { rootMargin: '50% 0px' });

const far = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) if (!isIntersecting && !target.hasFocus) target.release();
}, { rootMargin: `${100 * FAR}% 0px` });

const widths = new ResizeObserver((entries) => entries.forEach(({ target }) => target.widthChanged()));

const refreshThemes = () => figures.forEach((figure) => figure.refreshTheme());
dark.addEventListener('change', refreshThemes);
const themes = new MutationObserver(refreshThemes);
for (const node of [document.documentElement, document.body]) {
  if (node) themes.observe(node, { attributes: true, attributeFilter: ['data-theme', 'class', 'style'] });
}
addEventListener('message', (event) => figures.forEach((figure) => figure.hear(event)));

if (!customElements.get('limelight-figure')) customElements.define('limelight-figure', LimelightFigure);
