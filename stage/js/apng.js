// Animated PNG from ordinary PNG pictures: same chunks, frame headers between them.

const CRC = Uint32Array.from({ length: 256 }, (_, n) => {
  for (let k = 0; k < 8; k++) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1;
  return n >>> 0;
});

/** @param {Uint8Array} bytes */
function crc32(bytes) {
  let c = 0xffffffff;
  for (const b of bytes) c = CRC[(c ^ b) & 255] ^ (c >>> 8);
  return (c ^ 0xffffffff) >>> 0;
}

/** @param {string} type @param {Uint8Array} data */
function chunk(type, data) {
  const out = new Uint8Array(12 + data.length),
    view = new DataView(out.buffer);
  view.setUint32(0, data.length);
  for (let i = 0; i < 4; i++) out[4 + i] = type.charCodeAt(i);
  out.set(data, 8);
  view.setUint32(8 + data.length, crc32(out.subarray(4, 8 + data.length)));
  return out;
}

// Header and image data of one PNG file.
/** @param {Uint8Array} bytes */
function readPng(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset),
    data = [];
  /** @type {Uint8Array} */
  let header = new Uint8Array(13);
  for (let at = 8; at < bytes.length; ) {
    const size = view.getUint32(at),
      type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    const body = bytes.subarray(at + 8, at + 8 + size);
    if (type === "IHDR") header = body;
    if (type === "IDAT") data.push(body);
    at += 12 + size;
  }
  return { header, data };
}

// `pictures`: Uint8Arrays of PNG files of one size, each laid over those before it;
// `delay` in milliseconds for each.
/** @param {Uint8Array[]} pictures @param {number} delay */
export function encodeApng(pictures, delay) {
  const first = readPng(pictures[0]),
    size = first.header.subarray(0, 8);
  const parts = [Uint8Array.of(137, 80, 78, 71, 13, 10, 26, 10), chunk("IHDR", first.header)];
  const control = new DataView(new ArrayBuffer(8));
  control.setUint32(0, pictures.length);
  parts.push(chunk("acTL", new Uint8Array(control.buffer)));
  let sequence = 0;
  pictures.forEach((picture, i) => {
    const frame = new Uint8Array(26),
      view = new DataView(frame.buffer);
    view.setUint32(0, sequence++);
    frame.set(size, 4);
    view.setUint16(20, i === pictures.length - 1 ? 1500 : delay); // rest on the last one
    view.setUint16(22, 1000);
    frame[25] = i ? 1 : 0; // lay over
    parts.push(chunk("fcTL", frame));
    for (const data of readPng(picture).data) {
      if (i === 0) {
        parts.push(chunk("IDAT", data));
        continue;
      }
      const numbered = new Uint8Array(4 + data.length);
      new DataView(numbered.buffer).setUint32(0, sequence++);
      numbered.set(data, 4);
      parts.push(chunk("fdAT", numbered));
    }
  });
  parts.push(chunk("IEND", new Uint8Array(0)));
  return new Blob(parts, { type: "image/png" });
}
