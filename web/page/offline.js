// Keeps the page for a reader without a network: starts worker.js once the figure is there and the page rests.

import { release } from './files.js';

const REST_MS = 1500;  // so that nothing the reader waits for has to wait for this

// build: the name of the program that this browser runs. Only a released page is kept, and none in a frame, whose readers
// came for the article around it.
export async function keepOffline(build) {
  if (!release || window.parent !== window || !navigator.serviceWorker) return;
  await new Promise((resolve) => setTimeout(resolve, REST_MS));
  try {
    await navigator.serviceWorker.register(`worker.js?build=${build}`);
    const { active } = await navigator.serviceWorker.ready;
    active.postMessage(release);
  } catch (error) {
    console.info(`Limelight is not kept for later without a network: ${error.message}`);
  }
}
