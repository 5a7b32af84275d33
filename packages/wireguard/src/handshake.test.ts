import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Obfuscation } from './amneziawg.ts'
import { beginHandshake, LABEL_MAC1 } from './handshake.ts'
import { generateKeyPair, generatePresharedKey } from './keys.ts'
import { hash, mac, raw } from './noise.ts'
import { createResponder } from './testing/responder.ts'
import { createWire } from './wire.ts'

const server = generateKeyPair()
const client = generateKeyPair()
const presharedKey = generatePresharedKey()
const keys = { privateKey: client.privateKey, serverPublicKey: server.publicKey, presharedKey }
const known = new Map([[client.publicKey, presharedKey]])

let clock = 0
/** And by which number an answer names it. */
const begin = (but: Partial<typeof keys> = {}) => {
  const handshake = beginHandshake({ ...keys, ...but }, ++clock)
  return { ...handshake, index: handshake.initiation.readUInt32LE(4) }
}
const respond = (initiation: Buffer): Buffer => {
  const response = createResponder(server.privateKey, known)(initiation)
  if (!response) throw new Error('The initiation was not understood')
  return response
}
/** As wireguard-go and the kernel lay it out. */
const cookieReply = (index: number): Buffer => {
  const reply = Buffer.alloc(64, 9)
  reply.writeUInt32LE(3, 0)
  reply.writeUInt32LE(index, 4)
  return reply
}

test('the response of who holds the key of the node is an answer, and makes a session', () => {
  const handshake = begin()
  const response = respond(handshake.initiation)
  expect(handshake.isAnsweredBy(response)).toBe(true)
  expect(handshake.finish(response)).toMatchObject({ receiver: 0x07070707 })
})

const OBFUSCATION: Obfuscation = {
  version: 2,
  s1: 52,
  s2: 71,
  s3: 12,
  s4: 16,
  h1: '1000000-1065535',
  h2: '2000000-2065535',
  h3: '3000000-3065535',
  h4: '4000000-4065535',
}

describe('with an obfuscated node', () => {
  const wire = createWire(OBFUSCATION)
  const obfuscated = () => beginHandshake(keys, ++clock, wire)

  test('messages have other lengths and types, and make a session', () => {
    const { initiation, finish } = obfuscated()
    const response = createResponder(server.privateKey, known, wire)(initiation) ?? Buffer.alloc(0)
    expect([initiation.length, response.length]).toEqual([52 + 148, 71 + 92])
    expect(initiation.readUInt32LE(52)).toBeGreaterThanOrEqual(1_000_000)
    expect(response.readUInt32LE(71)).toBeGreaterThanOrEqual(2_000_000)
    expect(finish(response)).toMatchObject({ receiver: 0x07070707 })
  })

  test('its cookie is an answer', () => {
    const { initiation, isAnsweredBy } = obfuscated()
    const cookie = Buffer.concat([wire.type('cookie'), initiation.subarray(56, 60), Buffer.alloc(56)])
    expect(isAnsweredBy(wire.wrap('cookie', cookie))).toBe(true)
    expect(isAnsweredBy(cookie)).toBe(false)
  })

  test('neither a plain server nor one with other parameters understands it', () => {
    const { initiation } = obfuscated()
    const other = createWire({ ...OBFUSCATION, h1: '5-6' })
    expect(createResponder(server.privateKey, known)(initiation)).toBeUndefined()
    expect(createResponder(server.privateKey, known, other)(initiation)).toBeUndefined()
    expect(createResponder(server.privateKey, known, wire)(begin().initiation)).toBeUndefined()
  })
})

test('a node under load says so by a cookie, which is an answer to this handshake alone', () => {
  const handshake = begin()
  expect(handshake.isAnsweredBy(cookieReply(handshake.index))).toBe(true)
  expect(handshake.isAnsweredBy(cookieReply((handshake.index ^ 1) >>> 0))).toBe(false)
  expect(handshake.finish(cookieReply(handshake.index))).toBeUndefined()
})

test('a node answers no initiation that is not later than the one before', () => {
  const answer = createResponder(server.privateKey, known)
  const at = (ms: number) => answer(beginHandshake(keys, ms).initiation) !== undefined
  expect([1_000, 1_000, 999, 1_000.5, 1_999, 2_000].map(at)).toEqual([true, false, false, true, true, true])
})

test.each([
  ['that came before, to another handshake', () => respond(begin().initiation)],
  [
    'of another node, addressed to this handshake',
    ({ index }: { index: number }) => {
      const other = generateKeyPair()
      const { initiation } = begin({ serverPublicKey: other.publicKey })
      const forged = createResponder(other.privateKey, known)(initiation) ?? Buffer.alloc(0)
      forged.writeUInt32LE(index, 8)
      mac(hash(LABEL_MAC1, raw(client.publicKey)), forged.subarray(0, 60)).copy(forged, 60)
      return forged
    },
  ],
  [
    'made with another preshared key',
    ({ initiation }: { initiation: Buffer }) =>
      createResponder(server.privateKey, new Map([[client.publicKey, generatePresharedKey()]]))(initiation),
  ],
  ['of the wrong length', ({ initiation }: { initiation: Buffer }) => respond(initiation).subarray(1)],
  [
    'that is too large',
    ({ initiation }: { initiation: Buffer }) => Buffer.concat([respond(initiation), Buffer.alloc(65_000)]),
  ],
  ['that is its own initiation', ({ initiation }: { initiation: Buffer }) => initiation],
  ['of no bytes', () => Buffer.alloc(0)],
])('a response %s is no answer', (_which, make) => {
  const handshake = begin()
  expect(handshake.isAnsweredBy(make(handshake) ?? Buffer.alloc(0))).toBe(false)
})

test('a response with any byte changed is no answer, but for the unused second code', () => {
  const handshake = begin()
  const response = respond(handshake.initiation)
  fc.assert(
    fc.property(fc.nat(response.length - 1), fc.integer({ min: 1, max: 255 }), (at, by) => {
      const changed = Buffer.from(response)
      changed[at] = (changed[at] ?? 0) ^ by
      const isUnused = at >= 76
      return handshake.isAnsweredBy(changed) === isUnused
    }),
  )
})

test('whatever arrives, nothing is thrown', () => {
  const handshake = begin()
  const type = fc.constantFrom(0, 1, 2, 3, 4, 255)
  const length = fc.constantFrom(0, 1, 8, 11, 12, 63, 64, 91, 92, 93, 148, 1_500)
  fc.assert(
    fc.property(
      type,
      length,
      fc.uint8Array({ minLength: 1_500, maxLength: 1_500 }),
      (first, bytes, noise) => {
        const answer = Buffer.from(noise.subarray(0, bytes))
        if (bytes > 0) answer[0] = first
        if (bytes >= 12) answer.writeUInt32LE(handshake.index, 8)
        return !handshake.isAnsweredBy(answer) || first === 3
      },
    ),
  )
})
