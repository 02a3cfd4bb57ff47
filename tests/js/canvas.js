// A canvas that nobody sees, for modules that draw.

globalThis.document = /** @type {any} */ ({
  createElement: () => ({
    getContext: () => ({
      createImageData: (/** @type {number} */ w, /** @type {number} */ h) => ({
        data: new Uint8ClampedArray(4 * w * h),
      }),
      putImageData: () => {},
    }),
  }),
});
