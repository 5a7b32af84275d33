/** Curve25519 as RFC 7748 §5 writes it. */
const P = 2n ** 255n - 19n
const A24 = 121665n
const BASE = 9n
const BITS = 255

const mod = (a: bigint): bigint => ((a % P) + P) % P

const power = (base: bigint, exponent: bigint): bigint => {
  let [result, square] = [1n, base]
  for (let left = exponent; left > 0n; left >>= 1n) {
    if (left & 1n) result = mod(result * square)
    square = mod(square * square)
  }
  return result
}

const toNumber = (bytes: Uint8Array): bigint =>
  bytes.reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n)

/** Any 32 bytes are made a scalar of. */
const clamped = (bytes: Uint8Array): bigint => {
  const low = toNumber(bytes) & (2n ** 255n - 1n) & ~7n
  return low | (2n ** 254n)
}

/** The Montgomery ladder: what is done in a step does not hang on the bit, only which of two is taken for which. */
const multiply = (scalar: bigint, u: bigint): bigint => {
  let [x2, z2, x3, z3] = [1n, 0n, u, 1n]
  let swap = 0n
  for (let bit = BITS - 1; bit >= 0; bit--) {
    const now = (scalar >> BigInt(bit)) & 1n
    if (swap !== now) [x2, z2, x3, z3] = [x3, z3, x2, z2]
    swap = now
    const [a, b, c, d] = [x2 + z2, x2 - z2, x3 + z3, x3 - z3]
    const [aa, bb, da, cb] = [mod(a * a), mod(b * b), mod(d * a), mod(c * b)]
    const e = aa - bb
    x3 = mod((da + cb) * (da + cb))
    z3 = mod(u * mod((da - cb) * (da - cb)))
    x2 = mod(aa * bb)
    z2 = mod(e * (aa + A24 * e))
  }
  if (swap) [x2, z2] = [x3, z3]
  return mod(x2 * power(z2, P - 2n))
}

/**
 * The public key of a private one, for browsers that do not know the curve. Each key is multiplied once, where it was made: how
 * long that takes is seen by nobody who could ask again.
 */
export const publicKeyOfBytes = (privateKey: Uint8Array): Uint8Array => {
  const u = multiply(clamped(privateKey), BASE)
  return Uint8Array.from({ length: 32 }, (_, at) => Number((u >> BigInt(8 * at)) & 0xffn))
}
