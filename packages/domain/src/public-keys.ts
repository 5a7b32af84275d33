/** 32 bytes in Base64, as WireGuard writes keys: the last digit before the padding has four bits to say, so its other two are zero. */
export const WIREGUARD_KEY = /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/

/**
 * Points of low order, with which every secret that two ends agree on is zero (RFC 7748 §6.1). A peer with one of them never
 * connects. Those that are written otherwise are refused as such.
 */
const LOW_ORDER = new Set([
  'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=',
  'AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=',
  '4Ot6fDtBuK4WVuP68Z/EatoJjeucMrH9hmIFFl9JuAA=',
  'X5yVvKNQjCSx0LFVnIPvWwREXMRYHI6G2CJO3dCfEVc=',
  '7P///////////////////////////////////////38=',
])

const PRIME_ENDS_IN = 0xed

/** Not below 2^255 - 19: no device writes a key like that, and WireGuard would take it for another than it is. */
const isBeyondPrime = (bytes: readonly number[]): boolean => {
  const [first = 0, ...rest] = bytes
  const last = rest.pop() ?? 0
  return last > 0x7f || (last === 0x7f && first >= PRIME_ENDS_IN && rest.every((byte) => byte === 0xff))
}

/** Whether it can be the public key of a WireGuard peer. */
export const isPublicKey = (text: string): boolean =>
  WIREGUARD_KEY.test(text) &&
  !LOW_ORDER.has(text) &&
  !isBeyondPrime(Array.from(atob(text), (letter) => letter.charCodeAt(0)))
