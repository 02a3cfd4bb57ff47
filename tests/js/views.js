// Views as `unpack` makes them, with as much in them as the tests need.

/** Three points at (0, 0), (1, 10) and (2, 20); the first one has a label. */
export function threePoints(more = {}) {
  const view = {
    n: 3,
    k: 2,
    T: 1,
    client: "",
    seq_seen: 0,
    data_id: "data",
    pending: false,
    next_number: 3,
    classes: ["Orange", "Blue"],
    frame_t: [0],
    arrays: {
      points: { data: Float32Array.of(0, 0, 1, 10, 2, 20), shape: [3, 2] },
      given: { data: Int8Array.of(0, -1, -1), shape: [3] },
      number: { data: Uint32Array.of(0, 1, 2), shape: [3] },
    },
    ...more,
  };
  return /** @type {View} */ (/** @type {unknown} */ (view));
}
