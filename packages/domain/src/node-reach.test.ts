import fc from 'fast-check'
import { expect, test } from 'vitest'
import { judgeReach, type Tried } from './node-reach.ts'

const V4 = '203.0.113.5'
const V6 = '2001:db8::5'

const node = (
  answers: Record<string, boolean>,
  hasCustomers = false,
  answeredBefore: readonly string[] = [],
): Tried => ({
  answeredBefore,
  wasSure: false,
  endpoint: 'vpn1.example:51820',
  tried: Object.entries(answers).map(([address, isAnswered]) => ({ address, isAnswered })),
  hasCustomers,
})
const PORT = "is UDP port 51820 open in the server's and the provider's firewall?"
const SOLD = 'It is sold all the same, as it has never answered the shop.'
const AT = 'Nothing answers at vpn1.example:51820'

test('a node that answers at each of its addresses is reached', () => {
  expect(judgeReach([node({ [V4]: true, [V6]: true })])).toEqual([null])
})

test('one that is silent is not, and while others answer the shop’s own network is not the cause', () => {
  const [silent] = judgeReach([node({ [V4]: false }), node({ [V4]: true })])
  expect(silent).toEqual({ reason: `${AT} (${V4}) from outside: ${PORT}`, isSure: true })
})

test('one that answers over IPv4 alone is not reached by devices that prefer IPv6', () => {
  const [half] = judgeReach([node({ [V4]: true, [V6]: false })])
  expect(half).toEqual({
    reason: `${AT} (${V6}) from outside: ${PORT} If the shop's own network lets no UDP out over IPv6, set NODE_REACH_CHECK=ipv4. ${SOLD}`,
    isSure: false,
  })
})

test('where no node answers, the sentence names the setting that ends the check', () => {
  const endpoint = `${V4}:51820`
  const tried = [{ address: V4, isAnswered: false }]
  const reason = `Nothing answers at ${endpoint} from outside: ${PORT} If the shop's own network lets no UDP out, set NODE_REACH_CHECK=off.`
  expect(judgeReach([{ endpoint, tried, answeredBefore: [], wasSure: false, hasCustomers: false }])).toEqual([
    { reason: `${reason} ${SOLD}`, isSure: false },
  ])
  // What has answered before is held back by nothing of the shop's.
  expect(
    judgeReach([{ endpoint, tried, answeredBefore: [V4], wasSure: false, hasCustomers: false }]),
  ).toEqual([{ reason, isSure: true }])
})

test('what was sure stays so while nothing answers', () => {
  expect(judgeReach([{ ...node({ [V4]: false }), wasSure: true }])).toMatchObject([{ isSure: true }])
  expect(judgeReach([{ ...node({ [V4]: true }), wasSure: true }])).toEqual([null])
})

test('of two silent addresses, the one that is sure to be the node’s fault is named', () => {
  const [found] = judgeReach([node({ [V6]: false, [V4]: false }, false, [V4])])
  expect(found).toMatchObject({ reason: expect.stringContaining(`(${V4})`), isSure: true })
})

test('a node where customers arrive is reached, whoever else answers', () => {
  const busy = node({ [V4]: false }, true)
  expect(judgeReach([busy])).toEqual([null])
  expect(judgeReach([busy, node({ [V4]: true })])).toEqual([null, null])
})

test('a shop that gets no answer, though customers arrive, is no witness against any other node', () => {
  expect(judgeReach([node({ [V4]: false }, true), node({ [V4]: false })])).toEqual([null, undefined])
  // By each family for itself.
  const [, other] = judgeReach([node({ [V4]: true, [V6]: false }, true), node({ [V4]: true, [V6]: false })])
  expect(other).toBeUndefined()
})

test('a name without an address is said; where nothing could be sent, nothing is', () => {
  const nowhere = {
    endpoint: 'vpn9.example:51820',
    tried: undefined,
    answeredBefore: [],
    wasSure: false,
    hasCustomers: false,
  }
  expect(judgeReach([nowhere])[0]).toMatchObject({
    reason: expect.stringMatching(/^No address is found for the name in vpn9\.example:51820, /),
    isSure: false,
  })
  expect(judgeReach([nowhere, node({ [V4]: true })])[0]).toMatchObject({ isSure: true })
  expect(judgeReach([{ ...nowhere, hasCustomers: true }])).toEqual([null])
  expect(judgeReach([node({})])).toEqual([undefined])
})

test('whatever answers, customers keep their node sold, and no sentence is longer than an operator reads', () => {
  const aNode = fc.record({
    endpoint: fc.constantFrom('vpn1.example:51820', `${V4}:1`, `[${V6}]:51820`),
    tried: fc.option(
      fc.array(fc.record({ address: fc.constantFrom(V4, V6), isAnswered: fc.boolean() }), { maxLength: 4 }),
      { nil: undefined },
    ),
    answeredBefore: fc.subarray([V4, V6]),
    wasSure: fc.boolean(),
    hasCustomers: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(aNode, { maxLength: 6 }), (nodes) => {
      const found = judgeReach(nodes)
      return nodes.every(({ hasCustomers, tried }, i) => {
        if (hasCustomers) return found[i] === null
        const isSilent = tried?.some(({ isAnswered }) => !isAnswered) ?? true
        return !found[i] || (isSilent && found[i].reason.length < 400)
      })
    }),
  )
})
