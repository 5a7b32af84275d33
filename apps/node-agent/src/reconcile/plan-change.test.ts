import { expect, test } from 'vitest'
import { growthOf, planChange, planRemoval } from '#reconcile/plan-change.ts'
import { aPeer } from '#testing/peers.ts'

const NOW = Date.parse('2026-11-21T12:00:00Z')
const NOTHING = { set: [], gone: [] }
/** As the state knows it: whoever was given an address, or a key, last. */
const holderIn = (peers: ReturnType<typeof of>, field: 'ipv4' | 'publicKey') => (value: string) =>
  [...peers.values()].findLast((peer) => peer[field] === value)?.id
const removal = (change: Parameters<typeof planRemoval>[0], peers: ReturnType<typeof of>) =>
  planRemoval(change, peers, { address: holderIn(peers, 'ipv4'), key: holderIn(peers, 'publicKey') })
const of = (...peers: ReturnType<typeof aPeer>['peer'][]) => new Map(peers.map((peer) => [peer.id, peer]))

test('what is so already is no change, and what is not there does not go', () => {
  const [held, other] = [aPeer(2).peer, aPeer(3).peer]
  expect(planChange({ set: [{ ...held }], gone: [other.id] }, of(held), NOW)).toEqual(NOTHING)
})

test('a peer whose time is over goes instead of coming', () => {
  const over = aPeer(2, { removeAt: '2026-11-21T12:00:00.000Z' }).peer
  expect(planChange({ set: [over], gone: [] }, of(), NOW)).toEqual(NOTHING)
  expect(planChange({ set: [over], gone: [] }, of(over), NOW)).toEqual({ set: [], gone: [over.id] })
})

test('a change that adds one and removes one does not grow', () => {
  const [a, b] = [aPeer(2).peer, aPeer(3).peer]
  expect(growthOf({ set: [b], gone: [a.id] }, of(a))).toBe(0)
  expect(growthOf({ set: [a, b], gone: [] }, of(a))).toBe(1)
})

test('a key and an address that pass to another peer are not taken away', () => {
  const old = aPeer(2).peer
  const heir = aPeer(2).peer
  expect(removal({ set: [heir], gone: [old.id] }, of(old))).toEqual({
    keys: [old.publicKey],
    addresses: [],
  })
  const moved = { ...old, ipv4: '10.64.0.9', ipv6: 'fd64:6865:6467::9' }
  expect(removal({ set: [moved], gone: [] }, of(old))).toEqual({
    keys: [],
    addresses: [{ ipv4: old.ipv4, ipv6: old.ipv6 }],
  })
})

test('whoever leaves after the address has passed to another peer does not take it along', () => {
  const old = aPeer(2).peer
  const heir = aPeer(2).peer
  expect(removal({ set: [], gone: [old.id] }, of(old, heir))).toEqual({
    keys: [old.publicKey],
    addresses: [],
  })
  expect(removal({ set: [], gone: [heir.id] }, of(old, heir)).addresses).toHaveLength(1)
})

test('whoever leaves after a customer has come back to the same key does not take it along', () => {
  const old = aPeer(2).peer
  const again = { ...aPeer(3).peer, publicKey: old.publicKey }
  expect(removal({ set: [], gone: [old.id] }, of(old, again))).toEqual({
    keys: [],
    addresses: [{ ipv4: old.ipv4, ipv6: old.ipv6 }],
  })
  expect(removal({ set: [], gone: [again.id] }, of(old, again)).keys).toEqual([old.publicKey])
})
