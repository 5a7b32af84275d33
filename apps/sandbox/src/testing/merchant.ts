import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isSignedBy, signatureOf } from '@hedgerow/gate/signature'
import { onTestFinished, vi } from 'vitest'
import { type Sandbox, startSandbox } from '#app.ts'
import { DEFAULT_SETTINGS, type SandboxSettings } from '#settings.ts'

const { secret } = DEFAULT_SETTINGS
export const { projectId } = DEFAULT_SETTINGS

/** Things happen later here, and a busy machine takes its time. */
export const PATIENCE = { timeout: 30_000, interval: 5 }

// biome-ignore lint/suspicious/noExplicitAny: tests read bodies of many shapes, and a wrong path fails them anyway.
export type Json = any

export const startTestSandbox = async (settings: Partial<SandboxSettings> = {}): Promise<Sandbox> => {
  const sandbox = await startSandbox({
    port: 0,
    smtpPort: 0,
    callbackDelayMs: 0,
    retryScale: 0.001,
    ...settings,
  })
  onTestFinished(() => sandbox.close())
  return sandbox
}

/** A shop that keeps every callback and answers as it is told to; 200 once it was told nothing more. */
export const openShop = async (...answers: number[]) => {
  const callbacks: Json[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    callbacks.push(JSON.parse(Buffer.concat(chunks).toString()))
    response.writeHead(answers.shift() ?? 200, { location: '/elsewhere' }).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`
  const received = (count: number): Promise<Json[]> =>
    vi.waitUntil(() => callbacks.length >= count && callbacks, PATIENCE)
  return { url, callbacks, received, isSigned: (body: Json) => isSignedBy(body, secret) }
}

type Reply = { status: number; body: Json }

const JSON_HEADERS = { 'content-type': 'application/json' }

/** Below /v2/payment, unless the path says /info. */
export const send = async (sandbox: Sandbox, path: string, body: string): Promise<Reply> => {
  const url = `${sandbox.url}/v2${path.startsWith('/info') ? '' : '/payment'}${path}`
  const reply = await fetch(url, { method: 'POST', headers: JSON_HEADERS, body })
  return { status: reply.status, body: await reply.json() }
}

export const switchFaults = (sandbox: Sandbox, faults: Json): Promise<Response> =>
  fetch(`${sandbox.url}/gate/faults`, {
    method: 'PUT',
    headers: JSON_HEADERS,
    body: JSON.stringify(faults),
  })

/** What the books say, of one payment or of all. */
export const booksOf = async (sandbox: Sandbox, path = ''): Promise<Json> =>
  (await fetch(`${sandbox.url}/gate/payments${path}`)).json()

/** Answers for the customer, without the page. */
export const answerFor = async (sandbox: Sandbox, id: string, answer: Json): Promise<Reply> => {
  const url = `${sandbox.url}/gate/payments/${id}/answer`
  const reply = await fetch(url, { method: 'POST', headers: JSON_HEADERS, body: JSON.stringify(answer) })
  return { status: reply.status, body: await reply.json() }
}

/** Signs the call as a merchant does and sends it. */
export const call = (
  sandbox: Sandbox,
  path: string,
  id: string,
  rest: Json = {},
  key = secret,
): Promise<Reply> => {
  const body = {
    ...JSON.parse(JSON.stringify(rest)),
    general: { project_id: projectId, payment_id: id, ...rest.general },
  }
  const signature = signatureOf(body, key)
  return send(sandbox, path, JSON.stringify({ ...body, general: { ...body.general, signature } }))
}

export const CARDS = {
  paid: '4000000000000077',
  declined: '4111111111111111',
  challenged: '4314220000000056',
}

export const aSale = (pan = CARDS.paid, callbackUrl?: string): Json => ({
  general: { merchant_callback_url: callbackUrl },
  card: { pan, year: 2035, month: 12, card_holder: 'ADA LOVELACE', cvv: '987' },
  customer: { id: 'u_42', ip_address: '203.0.113.10', email: 'ada@example.org' },
  payment: { amount: 3405, currency: 'GBP', description: '31 days, 5 connections' },
  return_url: {
    success: 'https://shop.example/payment/success',
    decline: 'https://shop.example/payment/reject',
  },
})

export const aTransfer = (bankId: number | string, callbackUrl?: string): Json => ({
  ...aSale(undefined, callbackUrl),
  card: undefined,
  account: { bank_id: bankId },
  return_url: { return: 'https://shop.example/payment/back' },
})

export const aBlik = (callbackUrl?: string): Json => ({
  ...aSale(undefined, callbackUrl),
  card: undefined,
  customer: { ...aSale().customer, first_name: 'Ada', last_name: 'Lovelace' },
  payment: { amount: 14_520, currency: 'PLN', description: '31 days, 5 connections' },
  return_url: {
    success: 'https://shop.example/payment/success',
    decline: 'https://shop.example/payment/reject',
    return: 'https://shop.example/payment/back',
  },
})

export const sell = (sandbox: Sandbox, id: string, pan?: string, callbackUrl?: string): Promise<Reply> =>
  call(sandbox, '/card/sale', id, aSale(pan, callbackUrl))

export const statusOf = async (sandbox: Sandbox, id: string): Promise<Json> =>
  (await call(sandbox, '/status', id)).body

/** Sells and waits for the outcome, without a shop to be told of it. */
export const soldAs = async (sandbox: Sandbox, id: string, pan?: string): Promise<Json> => {
  await sell(sandbox, id, pan)
  return settled(sandbox, id)
}

export const settled = (sandbox: Sandbox, id: string): Promise<Json> =>
  vi.waitUntil(async () => {
    const state = await statusOf(sandbox, id)
    const isRunning = state.operations.some((each: Json) => each.status === 'processing')
    return state.payment.status !== 'processing' && !isRunning && state
  }, PATIENCE)

/** What the card holder's browser gets from the bank for the fields that the gateway handed out. */
export const bankPageFor = (acs: Json, termUrl = 'https://shop.example/challenge'): Promise<Response> =>
  fetch(acs.acs_url, {
    method: 'POST',
    body: new URLSearchParams({ PaReq: acs.pa_req, MD: acs.md, TermUrl: termUrl }),
  })

/** Waits until the payment stands so. */
export const reached = (sandbox: Sandbox, id: string, status: string): Promise<Json> =>
  vi.waitUntil(async () => {
    const state = await statusOf(sandbox, id)
    return state.payment.status === status && state
  }, PATIENCE)
