// The stage's code is sent once; what waits for it finds it by the digest of the code,
// which `stage.assets` puts in.

/** @type {Record<string, PromiseWithResolvers<(component: Component<never>) => () => void> | undefined>} */
const shared = /** @type {any} */ (globalThis);
export const code = shared["halfmoon-VERSION"] ?? Promise.withResolvers();
shared["halfmoon-VERSION"] = code;
