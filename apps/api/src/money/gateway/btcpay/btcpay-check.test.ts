import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { btcpayCheck } from '#money/gateway/btcpay/btcpay-check.ts'
import { BTCPAY } from '#testing/btcpay.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()

const look = async (changes: object = {}): Promise<string[]> => {
  const { btcpay, publicUrl } = shop.settings
  const settings = { publicUrl, btcpay: btcpay && { ...btcpay, ...changes } }
  const found = await btcpayCheck.look(settings as never, AbortSignal.timeout(20_000))
  return [found ?? []].flat().map(({ state, says }) => `${state}: ${says}`)
}

const webhook = (more: object = {}) =>
  fetch(`${shop.sandbox.url}/api/v1/stores/${BTCPAY.store}/webhooks`, {
    method: 'POST',
    headers: { authorization: `token ${BTCPAY.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url: `${shop.settings.publicUrl}/api/v1/payment/btcpay`, ...more }),
  })

/** A server that is not as the sandbox is: what it answers by the end of the path. */
const aServer = async (answers: Record<string, unknown>): Promise<string> => {
  const server = createServer((request, reply) => {
    const [, body] = Object.entries(answers).find(([path]) => request.url?.endsWith(path)) ?? []
    reply.writeHead(body === undefined ? 403 : 200, { 'content-type': 'application/json' })
    reply.end(JSON.stringify(body ?? { code: 'missing-permission', message: '' }))
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await new Promise((listens) => server.once('listening', listens))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const INFO = { version: '2.4.1', fullySynched: true }

test('says whether the server answers, takes the key, has a wallet, and tells the shop of news', async () => {
  expect(await look()).toEqual([
    expect.stringMatching(/^ok: .* answers, takes the key, and is synchronised \(2\.4\.1\)$/),
    'ok: its store takes BTC-CHAIN, BTC-LN',
    'warning: no webhook of the store leads to this shop',
  ])
  await webhook()
  expect((await look())[2]).toBe('ok: its webhook leads here')
})

test('says what is wrong with the server and its key', async () => {
  expect(await look({ key: 'another' })).toEqual([expect.stringMatching(/^problem: .* refuses the key: /)])
  expect(await look({ url: 'http://127.0.0.1:9' })).toEqual([
    expect.stringMatching(/^problem: .* answers no call of its API/),
  ])
  expect(await look({ url: await aServer({ '/info': { fullySynched: 'no' } }) })).toEqual([
    expect.stringMatching(/^problem: .* does not answer as BTCPay Server 2 does$/),
  ])
  expect(await look({ url: await aServer({ '/info': { ...INFO, fullySynched: false } }) })).toContainEqual(
    expect.stringMatching(/^problem: .* is not synchronised$/),
  )
})

test.each([
  [{ enabled: false }, 'disabled'],
  [{ automaticRedelivery: false }, 'does not repeat'],
  [
    { authorizedEvents: { everything: false, specificEvents: ['InvoiceSettled'] } },
    'not told of .*PayoutUpdated',
  ],
])('says what is wrong with a webhook that is %j', async (more, says) => {
  const hook = {
    url: `${shop.settings.publicUrl}/api/v1/payment/btcpay`,
    ...{ enabled: true, automaticRedelivery: true },
    authorizedEvents: { everything: true, specificEvents: [] },
    ...more,
  }
  const url = await aServer({ '/info': INFO, '/payment-methods': [], '/webhooks': [hook] })
  const [, wallet, found] = await look({ url })
  expect(wallet).toBe('problem: its store has no wallet that is enabled')
  expect(found).toMatch(new RegExp(`^warning: the webhook .*${says}`))
})

test('says which permission the key lacks', async () => {
  expect((await look({ url: await aServer({ '/info': INFO }) })).slice(1)).toEqual([
    'warning: the key may not see which wallets the store has: missing-permission',
    'warning: the key may not see the store’s webhooks: missing-permission',
  ])
})
