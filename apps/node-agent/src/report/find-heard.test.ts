import { expect, test } from 'vitest'
import { createHeard } from '#report/find-heard.ts'

const peer = (received: number) => ({
  presharedKey: '',
  allowedIps: [],
  hasEndpoint: true,
  place: '',
  handshakeS: 0,
  received,
  sent: 0,
})

const listen = () => {
  const heard = createHeard((key) => (key === 'customer' ? 'id' : undefined), 35_000)
  return {
    ...heard,
    look: (now: number, customer: number, shop = 0) => {
      heard.note(
        new Map([
          ['customer', peer(customer)],
          ['shop', peer(shop)],
        ]),
        now,
      )
      return heard.is(now)
    },
  }
}

test('customers are heard while their packets arrive, and for a moment after', () => {
  const { look, is } = listen()
  expect(look(0, 500)).toBe(false)
  expect(look(30_000, 500)).toBe(false)
  expect(look(60_000, 501)).toBe(true)
  expect(look(90_000, 501)).toBe(true)
  expect(is(95_000)).toBe(false)
})

test('a counter that begins anew is heard by what it counts', () => {
  const { look } = listen()
  look(0, 500)
  expect(look(30_000, 0)).toBe(false)
  expect(look(60_000, 32)).toBe(true)
})

test('what the shop and the agent themselves send is no customer’s', () => {
  const { look } = listen()
  look(0, 0, 0)
  expect(look(30_000, 0, 900)).toBe(false)
})
