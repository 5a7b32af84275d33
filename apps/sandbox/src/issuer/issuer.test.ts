import { expect, test } from 'vitest'
import { bankPageFor, CARDS, call, type Json, settled, soldAs, startTestSandbox } from '#testing/merchant.ts'

const challenged = async () => {
  const sandbox = await startTestSandbox()
  const { acs } = await soldAs(sandbox, 'ord_1', CARDS.challenged)
  return { sandbox, acs }
}

/** What a browser would post when the card holder presses the button of that name. */
const pressed = (page: string, button: string): Json => {
  const form = page.split('<form').find((part) => part.includes(`>${button}</button>`)) ?? ''
  const field = (name: string) => form.match(new RegExp(`name="${name}" value="([^"]*)"`))?.[1]
  return { action: form.match(/action="([^"]*)"/)?.[1], pares: field('PaRes'), md: field('MD') }
}

test('shows what is to be paid, to whom and with which card', async () => {
  const { acs } = await challenged()
  const page = await (await bankPageFor(acs)).text()
  for (const shown of ['Northbridge Bank', '£34.05', 'Example Merchant', '31 days, 5 connections', '0056']) {
    expect(page).toContain(shown)
  }
  expect(page).not.toContain(CARDS.challenged)
  expect(page).toContain('<a class="button leave" href="https://shop.example/payment/reject">Abandon</a>')
})

test.each([
  ['Approve', 'success'],
  ['Refuse', 'decline'],
])('%s leads to %s', async (button, outcome) => {
  const { sandbox, acs } = await challenged()
  const { action, pares, md } = pressed(await (await bankPageFor(acs)).text(), button)
  expect([action, md]).toEqual(['https://shop.example/challenge', acs.md])
  await call(sandbox, '/card/3ds_result', 'ord_1', { pares, md })
  expect((await settled(sandbox, 'ord_1')).payment.status).toBe(outcome)
})

test('sends nobody to an address that is not a web address', async () => {
  const { acs } = await challenged()
  const reply = await bankPageFor(acs, 'javascript:alert(1)')
  expect(reply.status).toBe(400)
  expect(await reply.text()).not.toContain('javascript:')
})

test('escapes what the shop sends', async () => {
  const { acs } = await challenged()
  const page = await (await bankPageFor({ ...acs, md: '"><script>' })).text()
  expect(page).not.toContain('<script>')
})

test('does not ask twice about the same challenge', async () => {
  const { sandbox, acs } = await challenged()
  const { pares, md } = pressed(await (await bankPageFor(acs)).text(), 'Approve')
  await call(sandbox, '/card/3ds_result', 'ord_1', { pares, md })
  expect((await bankPageFor(acs)).status).toBe(410)
})

test('faults: the bank asks a second time', async () => {
  const { sandbox, acs } = await challenged()
  const headers = { 'content-type': 'application/json' }
  await fetch(`${sandbox.url}/gate/faults`, { method: 'PUT', headers, body: '{"secondChallenge":true}' })
  const first = pressed(await (await bankPageFor(acs)).text(), 'Approve')
  await call(sandbox, '/card/3ds_result', 'ord_1', { pares: first.pares, md: first.md })

  const again = await settled(sandbox, 'ord_1')
  expect(again.payment).toMatchObject({ status: 'awaiting 3ds result', cascading_with_redirect: true })
  expect(again.acs.md).not.toBe(acs.md)
  const second = pressed(await (await bankPageFor(again.acs)).text(), 'Approve')
  await call(sandbox, '/card/3ds_result', 'ord_1', { pares: second.pares, md: second.md })
  expect((await settled(sandbox, 'ord_1')).payment.status).toBe('success')
})
