import { type Access, type Endpoint, repliesOf } from '@hedgerow/contract/endpoint'
import * as endpoints from '@hedgerow/contract/endpoints'
import { allRoutes } from '@hedgerow/contract/machine-routes'
import { routes } from '@hedgerow/contract/routes'
import type { Json } from '@hedgerow/testing/call'
import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, test } from 'vitest'
import { shopOfFile, type TestShop } from '#testing/test-shop.ts'

/** Two calls have another body, at the same address, where the card is typed on the gateway's page. */
const OWN = ['payByCard', 'payPlanByCard']
const HOSTED = ['payByHostedCard', 'payPlanByHostedCard']
const without = <T>(calls: Record<string, T>, names: string[]): T[] =>
  Object.entries(calls).flatMap(([name, call]) => (names.includes(name) ? [] : [call]))

const documentOf = async (shop: Pick<TestShop, 'call'>): Promise<Json> =>
  (await shop.call('GET', '/api/v1/openapi.json')).body
const inBraces = (url: string) => url.replace(/:(\w+)/g, '{$1}')
const operationOf = (api: Json, { method, url }: { method: string; url: string }) =>
  api.paths[inBraces(url)]?.[method.toLowerCase()]

describe.each([
  ['own', HOSTED],
  ['hosted', OWN],
])('GET /api/v1/openapi.json with CARD_FORM=%s', (CARD_FORM, unused) => {
  const shop = shopOfFile({ env: { CARD_FORM } })
  const document = () => documentOf(shop)

  test('is a valid OpenAPI 3.1 document', async () => {
    const api = await document()
    expect(api.openapi).toBe('3.1.0')
    expect(await new Validator().validate(api)).toMatchObject({ valid: true })
  })

  test('lists every call of the contract, and no other', async () => {
    const api = await document()
    const listed = Object.entries(api.paths as Json).flatMap(([path, methods]) =>
      Object.keys(methods as object).map((method) => `${method.toUpperCase()} ${path}`),
    )
    const wanted = without(allRoutes, unused).map(({ method, url }) => `${method} ${inBraces(url)}`)
    expect(listed.filter((line) => !line.startsWith('HEAD')).sort()).toEqual(wanted.sort())
  })

  test('says what each call is for, what it may answer, and which are for customers', async () => {
    const api = await document()
    const all = without<unknown>(endpoints, unused).filter(
      (one) => typeof one === 'object' && one && 'access' in one,
    )
    expect(all).toHaveLength(without(allRoutes, unused).length)
    for (const endpoint of all as Endpoint[]) {
      const operation = operationOf(api, endpoint)
      expect(operation.summary).toBe(endpoint.summary)
      expect(Object.keys(operation.responses)).toEqual(Object.keys(repliesOf(endpoint)))
      const schemes = { 'signed-in': [{ bearer: [] }], agent: [{ agent: [] }] } as Partial<
        Record<Access, object>
      >
      expect(operation.security).toEqual(schemes[endpoint.access] ?? [])
    }
  })

  test('gives each call the name that programs call it by, in a group', async () => {
    const api = await document()
    const names = Object.values(api.paths as Json).flatMap((methods) =>
      Object.values(methods as Json).map((operation) => (operation as Json).operationId),
    )
    const wanted = Object.keys(allRoutes).filter((name) => !unused.includes(name))
    expect(names.sort()).toEqual(wanted.sort())
    const groups = api.tags.map(({ name }: Json) => name)
    expect(groups).toContain('orders')
    expect(operationOf(api, routes.createOrder).tags).toEqual(['orders'])
  })

  test('describes the body that an order needs', async () => {
    const operation = operationOf(await document(), routes.createOrder)
    const schema = operation.requestBody.content['application/json'].schema
    expect(schema.required).toEqual(expect.arrayContaining(['days', 'connections', 'currency', 'total']))
    expect(schema.properties.days).toMatchObject({ type: 'integer', minimum: 1, maximum: 365 })
  })
})

test('every route of the contract has an endpoint, and every endpoint a route', () => {
  const names = Object.entries(endpoints)
    .filter(([, one]) => typeof one === 'object' && 'access' in one)
    .map(([name]) => name)
  expect(names.sort()).toEqual(Object.keys(allRoutes).sort())
})
