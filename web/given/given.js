// What the reader gives by a drop or a paste, and whose it is: a picture, a model or attention weights, a state file, numbers
// for a matrix.

import { filesOf } from './own.js';
import { pasteNames, pasteNumbers } from './paste.js';
import { shownName } from './pictures.js';

const OF_STATES = /\.limelight$/i;
const OF_MODELS = /\.(?:npy|npz|safetensors|json|bin|pt|pth|ckpt|gguf|ggml|onnx|h5|msgpack|tflite)$/i;
const hasFiles = (transfer) => [...(transfer?.types ?? [])].includes('Files');

// file: {name, type}; takes: {pictures, own}, what the scene that is open takes.
export function isOwn(file, takes) {
  if (OF_MODELS.test(file.name)) return true;
  return takes.own && !takes.pictures && !file.type.startsWith('image/');
}

// pictures.take(file), own.take([{file, path}]), takes() → {pictures, own, names}, refuse(sentence), call: the core's, others(): the
// functions of the other scenes.
export function watchFiles({ pictures, own, takes, refuse, call, others }) {
  const openState = async (file) => {
    try {
      const { openStateFile } = await import('./statefile.js').catch(() => {
        throw new Error('The state file cannot be opened: the network gave no answer for what that needs.');
      });
      await others();
      await openStateFile(file, call);
    } catch (error) {
      refuse(`${error.message} What was shown stays.`);
    }
  };
  const give = (files) => {
    const state = files.find(({ file }) => OF_STATES.test(file.name));
    if (state) openState(state.file);
    else if (files.some(({ file }) => isOwn(file, takes()))) own.take(files);
    else if (files.length > 0) pictures.take(files[0].file);
  };
  const folderOf = (transfer) => [...(transfer.items ?? [])].map((item) => item.webkitGetAsEntry?.()).find((entry) => entry?.isDirectory);

  document.addEventListener('dragover', (event) => {
    if (hasFiles(event.dataTransfer)) event.preventDefault();  // or the browser would open it in the page's place
  });
  document.addEventListener('drop', async (event) => {
    if (!hasFiles(event.dataTransfer)) return;
    event.preventDefault();
    const folder = folderOf(event.dataTransfer);  // which is forgotten after the event, as the files are not
    const files = [...event.dataTransfer.files].map((file) => ({ file, path: file.name }));
    if (!folder) {
      give(files);
      return;
    }
    try {
      own.take(await filesOf(folder));
    } catch (error) {
      refuse(error instanceof DOMException ? `${shownName(folder)} cannot be read.` : error.message);
    }
  });
  document.addEventListener('paste', (event) => {
    const files = [...(event.clipboardData?.files ?? [])].map((file) => ({ file, path: file.name }));
    const forInput = event.target.matches?.('input') && event.clipboardData.types.includes('text/plain');
    if (files.length === 0) (takes().names ? pasteNames : pasteNumbers)(event, call, others);
    if (files.length === 0 || forInput) return;
    event.preventDefault();
    give(files);
  });
}
