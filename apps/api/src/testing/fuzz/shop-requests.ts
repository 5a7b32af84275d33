import type { Endpoint } from '@hedgerow/contract/endpoint'
import * as endpoints from '@hedgerow/contract/endpoints'
import type { Json } from '@hedgerow/testing/call'
import { HOSTILE_JSON, HOSTILE_TEXTS } from '@hedgerow/testing/cost/hostile'
import { hostileLeaves, hostileShapes, randomBodies, sampleOf } from '@hedgerow/testing/cost/hostile-bodies'
import { hostileByHead, hostileForms } from '@hedgerow/testing/cost/hostile-requests'
import type { HostileRequest } from '@hedgerow/testing/cost/judge'
import { aCustomer, aSession } from '#testing/customers.ts'
import type { MeasuredShop } from '#testing/fuzz/measured-shop.ts'
import { aNode } from '#testing/nodes.ts'
import { anOrder } from '#testing/orders.ts'
import { TURNS } from '#testing/payment-methods.ts'
import { aPurchase, connectionsOf, reached, startPayment } from '#testing/payments.ts'

/** What the shop reads of a body, where an endpoint says nothing else. */
const BODY_BYTES = 64 * 1024
const QUERY_BYTES = 12_000
/** The longest parameter that the router reads. */
const PARAMETER_CHARACTERS = 200
/** A password is hashed slowly by design (argon2id, in other threads): its processor time and memory come on top. */
const HASHES_PASSWORDS = new Set([
  'login',
  'signup',
  'confirmAccount',
  'resetPassword',
  'changePassword',
  'eraseAccount',
])
const HASHING = { processorMs: 150, memoryBytes: 24 * 1024 * 1024, why: 'hashes a password' }

/** What is in the shop for requests to be about, so that they get as far as they can. */
export const prepareShop = async (shop: MeasuredShop) => {
  const agent = await aNode(shop)
  const customer = await aCustomer(shop)
  const { paymentId } = await aPurchase(shop, {}, {}, customer)
  const [connection] = await connectionsOf(shop, paymentId)
  const order = await anOrder(shop, customer)
  const asking = await startPayment(shop, customer, await anOrder(shop, customer), {
    pan: TURNS.asksForAddress,
  })
  await reached(shop, asking, 'awaiting clarification')
  const { body: conversation } = await shop.call('POST', '/api/v1/support', {
    token: customer.token,
    body: { id: crypto.randomUUID(), name: 'Ada', problem: 'The tunnel drops every night at about eleven.' },
  })
  return { agent, customer, connectionId: connection?.id ?? '', orderId: order.orderId, asking, conversation }
}

export type Prepared = Awaited<ReturnType<typeof prepareShop>>

/** Values of parameters and fields by their names, where any of the right form leads nowhere. */
const specialFor = (url: string, { customer, connectionId, orderId, asking, conversation }: Prepared) => ({
  id: url.includes('/support/') ? String(conversation._id) : orderId,
  connectionId,
  paymentId: asking,
  username: customer.email,
})

/** A payment record that can be laid out says more than its schema. */
const RECORD = { timestamp: '15/01/2026 10:00', pan: '431422******0056', total: '£30.00' }

type Operation = { name: string; endpoint: Endpoint; operation: Json }

const ENDPOINTS = Object.entries(endpoints as Record<string, unknown>).filter(
  (entry): entry is [string, Endpoint] =>
    typeof entry[1] === 'object' && entry[1] !== null && 'access' in entry[1],
)

/** Calls at the same addresses: where the card is typed decides which of them are there. */
const CARD_TYPED = new Set(['payByCard', 'payPlanByCard'])
const CARD_HOSTED = new Set(['payByHostedCard', 'payPlanByHostedCard'])

/** Every call that the shop says it has: a new one is among them by itself. */
const operationsIn = (api: Json, isHosted: boolean): Operation[] =>
  Object.entries(api.paths as Record<string, Record<string, Json>>).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const url = path.replace(/\{(\w+)\}/g, ':$1')
      const known = ENDPOINTS.find(
        ([name, one]) =>
          one.url === url &&
          one.method === method.toUpperCase() &&
          !(isHosted ? CARD_TYPED : CARD_HOSTED).has(name),
      )
      return known ? [{ name: known[0], endpoint: known[1], operation }] : []
    }),
  )

const tokenFor = async (shop: MeasuredShop, { access }: Endpoint, { agent, customer }: Prepared) => {
  if (access === 'agent') return agent.secret
  // One that a log-out may end.
  return access === 'signed-in' ? aSession(shop, customer.id) : undefined
}

const encoded = (text: string) => encodeURIComponent(text.toWellFormed()).slice(0, QUERY_BYTES)

const hostileParams = (url: string, fill: (url: string) => string): { what: string; path: string }[] =>
  url.includes(':')
    ? HOSTILE_TEXTS.map(({ what, text }) => ({
        what: `a parameter of ${what}`,
        path: fill(url.replace(/:\w+/, () => encoded(text(PARAMETER_CHARACTERS)))),
      }))
    : []

const hostileQueries = (path: string, { parameters = [] }: Json): { what: string; path: string }[] =>
  (parameters as Json[])
    .filter((one) => one.in === 'query')
    .flatMap(({ name }) =>
      HOSTILE_TEXTS.map(({ what, text }) => ({
        what: `${name} of ${what}`,
        path: `${path}?${name}=${encoded(text(QUERY_BYTES / 3))}`,
      })),
    )

/** A form as an issuer's page sends it, or what the gateway would sign, where the schema takes any field. */
const hostileRecords = ({ access }: Endpoint, bytes: number) => {
  if (access === 'issuer') return hostileForms(bytes, ['PaRes', 'MD', 'cres', 'threeDSSessionData'])
  if (access !== 'gateway') return []
  const signature = `${'A'.repeat(86)}==`
  const room = bytes - 200
  const merged = (json: string) =>
    `{"signature":"${signature}",${json.startsWith('{') ? json.slice(1) : `"a":${json}}`}`
  return HOSTILE_JSON.flatMap(({ what, json }) => [
    { what: `signed in form, ${what}`, body: () => merged(json(room)) },
    {
      what: `signed within, ${what}`,
      body: () => `{"general":{"signature":"${signature}"},"payment":${json(room)}}`,
    },
  ])
}

export type HostileGroup = {
  /** The call, by its name in the contract, or a page. */
  name: string
  base: 'shop' | 'metrics'
  /** What is picked, is picked from each kind. */
  kinds: HostileRequest[][]
  /** So many more, drawn by a seed. */
  random: (count: number, seed: number) => HostileRequest[]
}

const none = () => []

/** All that is hostile for one call. */
const hostileFor = (
  { name, endpoint, operation }: Operation,
  prepared: Prepared,
  token: string | undefined,
): HostileGroup => {
  const { method, url, bodyBytes: bytes = BODY_BYTES } = endpoint
  const special = specialFor(url, prepared)
  const fill = (text: string) =>
    text.replace(/:(\w+)/g, (_, key: string) =>
      String((special as Record<string, string>)[key] ?? 'a'.repeat(43)),
    )
  const path = fill(url)
  const besides = HASHES_PASSWORDS.has(name) ? { besides: HASHING } : {}
  const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {}
  const plain = { method, headers, ...besides }
  const kinds = [
    hostileByHead(method, path, headers).map((one) => ({ ...one, ...besides })),
    hostileParams(url, fill).map((one) => ({ ...plain, ...one })),
    hostileQueries(path, operation).map((one) => ({ ...plain, ...one })),
  ]
  const content = operation.requestBody?.content
  if (!content) return { name, base: 'shop', kinds, random: none }
  // An id in a body is one that the sender makes.
  const { id, ...inBody } = special
  const sample =
    sampleOf(content['application/json']?.schema, {
      ...inBody,
      ...(name === 'createInvoice' ? RECORD : {}),
    }) ?? {}
  const json = { ...plain, path, headers: { ...headers, 'content-type': 'application/json' } }
  const form = {
    ...plain,
    path,
    headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
  }
  const ofRecord = endpoint.access === 'issuer' ? form : json
  return {
    name,
    base: 'shop',
    kinds: [
      ...kinds,
      // By itself it is not hostile: what follows from it is to be cheap, too.
      [{ ...json, what: 'as it should be', body: () => JSON.stringify(sample) }],
      hostileShapes(sample, bytes).map((one) => ({ ...json, ...one })),
      hostileLeaves(sample, bytes).map((one) => ({ ...json, ...one })),
      hostileRecords(endpoint, bytes).map((one) => ({ ...ofRecord, ...one })),
    ],
    random: (count, seed) => randomBodies(sample, count, seed).map((one) => ({ ...json, ...one })),
  }
}

/** What is there besides the calls of the contract. */
const PAGES = [
  '/',
  '/profile',
  '/payment/result/x',
  '/assets/app.js',
  '/nowhere',
  '/api/v1/openapi.json',
  '/healthz',
]

/** Everything hostile that can be sent to the shop, by call; `isHosted`: the card is typed on the gateway's page. */
export const hostileToShop = async (
  shop: MeasuredShop,
  prepared: Prepared,
  isHosted = false,
): Promise<HostileGroup[]> => {
  const { body: api } = await shop.call('GET', '/api/v1/openapi.json')
  const groups: HostileGroup[] = []
  for (const operation of operationsIn(api, isHosted)) {
    const token = await tokenFor(shop, operation.endpoint, prepared)
    groups.push(hostileFor(operation, prepared, token))
  }
  for (const path of PAGES)
    groups.push({ name: path, base: 'shop', kinds: [hostileByHead('GET', path)], random: none })
  // The first: every scrape writes out each route and status that was ever answered, and all that follows adds to them.
  groups.unshift({
    name: 'metrics',
    base: 'metrics',
    kinds: [hostileByHead('GET', '/metrics')],
    random: none,
  })
  return groups
}
