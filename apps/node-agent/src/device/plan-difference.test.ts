import { expect, test } from 'vitest'
import { planDifference } from '#device/plan-difference.ts'
import { aPeer } from '#testing/peers.ts'

const heldAs = ({ peer }: ReturnType<typeof aPeer>, but = {}) => ({
  presharedKey: peer.presharedKey,
  allowedIps: [`${peer.ipv4}/32`, `${peer.ipv6}/128`],
  hasEndpoint: true,
  place: 'home',
  handshakeS: 1,
  received: 1,
  sent: 1,
  ...but,
})

test('leaves peers alone that are as they should be, however their address is written', () => {
  const [a, b] = [aPeer(2), aPeer(3)]
  const found = new Map([
    [a.peer.publicKey, heldAs(a)],
    [b.peer.publicKey, heldAs(b)],
  ])
  const spelt = { ...b.peer, ipv6: 'FD64:6865:6467:0:0::3' }
  expect(planDifference([a.peer, spelt], found)).toEqual({ gone: [], set: [] })
})

test('sets what is missing or different, and removes what is unknown', () => {
  const [missing, rekeyed, moved, unknown] = [aPeer(2), aPeer(3), aPeer(4), aPeer(5)]
  const found = new Map([
    [rekeyed.peer.publicKey, heldAs(rekeyed, { presharedKey: 'another' })],
    [moved.peer.publicKey, heldAs(moved, { allowedIps: ['10.64.0.9/32'] })],
    [unknown.peer.publicKey, heldAs(unknown)],
  ])
  const wanted = [missing.peer, rekeyed.peer, moved.peer]
  expect(planDifference(wanted, found)).toEqual({ gone: [unknown.peer.publicKey], set: wanted })
})
