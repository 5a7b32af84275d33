import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { endpoint, repliesOf } from './endpoint.ts'

const call = { method: 'POST', url: '/api/v1/things', summary: 'Make a thing' } as const
const body = z.object({ username: z.string() })
const response = { 200: z.object({}) }
const rate = { calls: 3, minutes: 60 } as const
const byAddress = { ...rate, by: 'address' } as const
const byCustomer = { ...rate, by: 'customer' } as const

describe("an endpoint's limits", () => {
  test('are by address, by a field of the body, or by customer where one is signed in', () => {
    endpoint({
      ...call,
      access: 'signed-in',
      limits: [byAddress, { ...rate, by: 'field', field: 'username' }, { ...byCustomer, sharedAs: 'things' }],
      schema: { body, response },
    })
  })

  test('do not compile where they could not be kept', () => {
    // @ts-expect-error: nobody is signed in.
    endpoint({ ...call, access: 'anyone', limits: [byCustomer], schema: { response } })
    endpoint({
      ...call,
      access: 'anyone',
      // @ts-expect-error: the body has no such field.
      limits: [{ ...rate, by: 'field', field: 'email' }],
      schema: { body, response },
    })
    endpoint({
      ...call,
      access: 'signed-in',
      // @ts-expect-error: calls from an address are counted first, and once.
      limits: [byCustomer, byAddress],
      schema: { response },
    })
  })
})

describe('the replies of an endpoint', () => {
  const limits = [byAddress] as const
  const statusesOf = (definition: Parameters<typeof repliesOf>[0]) =>
    Object.keys(repliesOf(definition)).map(Number)

  test.each([
    ['anyone may call', { access: 'anyone', schema: { response } }, [200]],
    ['is for customers', { access: 'signed-in', schema: { response } }, [200, 401]],
    ['is for agents', { access: 'agent', schema: { response } }, [200, 401]],
    ['reads a body', { access: 'anyone', schema: { body, response } }, [200, 422]],
    ['reads a query', { access: 'anyone', schema: { querystring: body, response } }, [200, 422]],
    ['has a limit', { access: 'anyone', limits, schema: { response } }, [200, 429]],
    [
      'names problems',
      { access: 'signed-in', limits, schema: { response }, problems: [404] },
      [200, 401, 404, 429],
    ],
    ['is the gateway’s', { access: 'gateway', schema: { body, response }, problems: [400] }, [200, 400]],
    [
      'is a link that is followed',
      { access: 'anyone', limits, schema: { response: { 303: z.null() } } },
      [303],
    ],
  ] as const)('of one that %s', (_, definition, statuses) => {
    expect(statusesOf({ ...call, ...definition })).toEqual(statuses)
  })
})
