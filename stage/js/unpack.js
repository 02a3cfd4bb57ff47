// The block of bytes from Python (pack.py: payload) as header and typed arrays.

const ARRAY_TYPES = {
  uint8: Uint8Array,
  int8: Int8Array,
  int16: Int16Array,
  uint32: Uint32Array,
  float32: Float32Array,
  float64: Float64Array,
};
const ALIGN = 8;

/** @typedef {keyof typeof ARRAY_TYPES} Type */
/** @typedef {{ dtype: Type, shape: number[], offset: number, smooth?: boolean, delta?: boolean }} Lying */
/** @typedef {Omit<View, "arrays" | "n" | "k" | "T"> & { arrays: Record<string, Lying> }} Head */

/** @param {Uint8Array} block @returns {Promise<View>} */
export async function unpack(block) {
  const inflated = new Blob([/** @type {BlobPart} */ (block)]).stream().pipeThrough(new DecompressionStream("deflate"));
  const body = await new Response(inflated).arrayBuffer();
  const size = new DataView(body).getUint32(0, true);
  /** @type {Head} */
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(body, 4, size)));
  const start = Math.ceil((4 + size) / ALIGN) * ALIGN;
  const arrays = /** @type {Arrays} */ ({});
  for (const [name, entry] of Object.entries(head.arrays)) {
    const count = entry.shape.reduce((a, b) => a * b, 1);
    const data = new ARRAY_TYPES[entry.dtype](body, start + entry.offset, count);
    if (entry.smooth) arrays[name] = { data: rough(data, entry.shape), shape: entry.shape };
    else {
      if (entry.delta) addUp(data, count / entry.shape[0]);
      arrays[name] = { data, shape: entry.shape };
    }
  }
  return { ...head, arrays, n: arrays.points.shape[0], k: head.classes.length, T: head.frame_t.length };
}

// Rows back from their differences; typed arrays wrap around as numpy's do.
/** @param {Typed} data @param {number} width */
function addUp(data, width) {
  for (let i = width; i < data.length; i++) data[i] += data[i - width];
}

// Frames of fields back from pack.py's add_smooth: bytes in two planes, the sign in the
// lowest bit, differences along frames, rows and columns.
/** @param {Typed} packed @param {number[]} shape */
function rough(packed, shape) {
  const count = packed.length,
    low = new Uint8Array(packed.buffer, packed.byteOffset, count);
  const high = new Uint8Array(packed.buffer, packed.byteOffset + count, count),
    data = new Int16Array(count);
  const [h, w] = shape.slice(-2),
    size = w * h;
  for (let from = 0; from < count; from += size) {
    for (let y = 0, i = from; y < h; y++) {
      for (let x = 0, sum = 0; x < w; x++, i++) {
        const zigzag = low[i] | (high[i] << 8);
        sum += (zigzag >> 1) ^ -(zigzag & 1);
        data[i] = y ? sum + data[i - w] : sum;
      }
    }
  }
  addUp(data, count / shape[0]);
  return data;
}

/** @param {Uint8Array | undefined} a @param {Uint8Array | undefined} b */
export function sameBytes(a, b) {
  if (!a || !b || a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

// Outputs of a field by level + 32768 (pack.py: FieldScale); each lies on one side of zero.
/** @param {FieldScale} options */
export function decodeTable({ least, knee, top, most, low, middle }) {
  const table = new Float32Array(65536),
    high = 32768 - low - middle;
  for (let q = 0; q < 32768; q++) {
    const at = q + 0.5;
    let size;
    if (at < low) size = least * (knee / least) ** (at / low);
    else if (at < low + middle) size = knee + ((at - low) / middle) * (top - knee);
    else size = top * (most / top) ** ((at - low - middle) / high);
    table[32768 + q] = size;
    table[32767 - q] = -size;
  }
  return table;
}

// An array that must be there, and its numbers.
/** @param {View} view @param {string} name */
export function packedOf(view, name) {
  const array = view.arrays[name];
  if (!array) throw new Error(`The view has no ${name}.`);
  return array;
}

/** @param {View} view @param {string} name */
export function dataOf(view, name) {
  return packedOf(view, name).data;
}

/**
 * @typedef {object} Output
 * @property {number} predicted
 * @property {number} [margin]
 * @property {number} [value]
 * @property {number | null} [p]
 */

// What the classifier says about one point at one frame, or null when unknown.
/** @param {View} view @param {number} frame @param {number} row @returns {Output | null} */
export function outputAt(view, frame, row) {
  const f = view.arrays.f;
  if (!f || row < 0) return null;
  const at = frame * view.n + row;
  if (view.k > 2) {
    return { predicted: f.data[at], margin: view.limits.f * ((dataOf(view, "f_margin")[at] + 0.5) / 256) ** 3 };
  }
  const value = view.limits.f * ((f.data[at] + 0.5) / 32768) ** 3;
  const p = view.arrays.p ? view.arrays.p.data[at] / 255 : null;
  return { predicted: value >= 0 ? 1 : 0, value, p };
}

// Whether a point carries a ring of the kind "marks" or "struck" at a frame.
/** @param {View} view @param {string} kind @param {number} frame @param {number} row */
export function isMarked(view, kind, frame, row) {
  const marks = view.arrays[kind];
  if (!marks || row < 0) return false;
  return ((marks.data[frame * marks.shape[1] + (row >> 3)] >> (row & 7)) & 1) === 1;
}
