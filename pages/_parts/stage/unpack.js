// The block of bytes from Python (pack.py: payload) as header and typed arrays.

const ARRAY_TYPES = {
  uint8: Uint8Array, int8: Int8Array, int16: Int16Array, uint32: Uint32Array, float32: Float32Array, float64: Float64Array,
};
const ALIGN = 8;

export async function unpack(block) {
  const inflated = new Blob([block]).stream().pipeThrough(new DecompressionStream("deflate"));
  const body = await new Response(inflated).arrayBuffer();
  const size = new DataView(body).getUint32(0, true);
  const view = JSON.parse(new TextDecoder().decode(new Uint8Array(body, 4, size)));
  const start = Math.ceil((4 + size) / ALIGN) * ALIGN;
  const arrays = {};
  for (const [name, entry] of Object.entries(view.arrays)) {
    const count = entry.shape.reduce((a, b) => a * b, 1);
    const data = new ARRAY_TYPES[entry.dtype](body, start + entry.offset, count);
    if (entry.delta) addUp(data, count / entry.shape[0]);
    arrays[name] = { data, shape: entry.shape };
  }
  view.arrays = arrays;
  view.n = arrays.points.shape[0];
  view.k = view.classes.length;
  view.T = view.frame_t.length;
  return view;
}

// Rows back from their differences; typed arrays wrap around as numpy's do.
function addUp(data, width) {
  for (let i = width; i < data.length; i++) data[i] += data[i - width];
}

export function sameBytes(a, b) {
  if (!a || !b || a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

// Signed cube-root levels back to outputs; every level lies on one side of zero.
export function decodeTable(limit) {
  return Float32Array.from({ length: 256 }, (_, q) => {
    return limit * ((q - 127.5) / 128) ** 3;
  });
}

export function marginTable(limit) {
  return Float32Array.from({ length: 256 }, (_, q) => limit * ((q + 0.5) / 256) ** 3);
}

// What the classifier says about one point at one frame, or null when unknown.
export function outputAt(view, frame, row) {
  const f = view.arrays.f;
  if (!f || row < 0) return null;
  const at = frame * view.n + row;
  if (view.k > 2) {
    return { predicted: f.data[at], margin: view.limits.f * ((view.arrays.f_margin.data[at] + 0.5) / 256) ** 3 };
  }
  const value = view.limits.f * ((f.data[at] + 0.5) / 32768) ** 3;
  const p = view.arrays.p ? view.arrays.p.data[at] / 255 : null;
  return { predicted: value >= 0 ? 1 : 0, value, p };
}

// Whether a point carries a ring of the kind "marks" or "struck" at a frame.
export function isMarked(view, kind, frame, row) {
  const marks = view.arrays[kind];
  if (!marks || row < 0) return false;
  return (marks.data[frame * marks.shape[1] + (row >> 3)] >> (row & 7) & 1) === 1;
}
