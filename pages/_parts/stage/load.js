// What goes with every message: it waits for the stage's code, which is sent only once.

const code = (globalThis["halfmoon-VERSION"] ??= promised());

function promised() {
  let resolve;
  const ready = new Promise((keep) => { resolve = keep; });
  return { ready, resolve };
}

export default function mount(component) {
  let unmount = () => {}, gone = false;
  code.ready.then((begin) => { if (!gone) unmount = begin(component); });
  return () => {
    gone = true;
    unmount();
  };
}
