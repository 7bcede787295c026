// One <input> for one text or number of the state, for the inputs over the canvas and for those of the text view.

const PAUSE_MS = 120;  // of typing, after which a text is taken over

// options.send(value) → {ok, message, value}, the last being what the state made of it ("a  b" becomes "a b").
// options.live: sent while typing, else on Enter and when focus leaves.
// options.problem: the element that takes the sentence when a value is refused.
export function textField(input, { send, live = false, problem }) {
  let current = '';      // the state's value
  let touched = false;   // the reader typed something that the state does not have
  let timer = 0;

  const complain = (sentence) => {
    problem.textContent = sentence;
    if (sentence) input.setAttribute('aria-invalid', 'true');
    else input.removeAttribute('aria-invalid');
  };
  const commit = () => {
    clearTimeout(timer);
    if (!touched) return true;
    const reply = send(input.value);
    touched = !reply.ok;
    if (reply.ok) current = reply.value ?? input.value;
    complain(reply.ok ? '' : reply.message);
    return reply.ok;
  };
  const typed = (event) => {
    touched = true;
    clearTimeout(timer);
    // Half a composed character is not a text yet: an input method says when it is done.
    if (live && !event.isComposing) timer = setTimeout(commit, PAUSE_MS);
  };

  input.addEventListener('input', typed);
  input.addEventListener('compositionend', typed);
  input.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.isComposing || commit()) return;
    // Nothing was typed that could be mended: the value that is still shown stands here again.
    if (input.value.trim() === '') reset();
  });
  input.addEventListener('blur', () => {
    commit();
    reset();
  });

  function reset() {
    clearTimeout(timer);
    touched = false;
    input.value = current;
    complain('');
  }

  return {
    commit,
    reset,
    // As if the reader had typed it.
    begin(value) {
      input.value = value;
      touched = true;
    },
    // The state's value changed; what is being typed stays.
    update(value) {
      if (value === current) return;
      current = value;
      if (touched && document.activeElement === input) return;
      reset();
    },
  };
}
