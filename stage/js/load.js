// What goes with every message: it waits for the stage's code, which is sent only once.

import { code } from "./waiting.js";

/** @param {Component<never>} component */
export default function mount(component) {
  let unmount = () => {},
    gone = false;
  code.promise.then((begin) => {
    if (!gone) unmount = begin(component);
  });
  return () => {
    gone = true;
    unmount();
  };
}
