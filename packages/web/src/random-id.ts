const BYTES = 16

/** A random UUID. The browser's own maker of them is there only under TLS and on localhost. */
export const randomId = (): string => {
  const hex = Array.from(crypto.getRandomValues(new Uint8Array(BYTES)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
  // The digits that say 'of version 4' and 'of the usual variant'.
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`
}
