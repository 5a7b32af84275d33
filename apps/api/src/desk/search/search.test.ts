import { addressesAt } from '@hedgerow/domain/addresses'
import { OPERATOR_ROLES } from '@hedgerow/domain/operator-roles'
import { expectProblem } from '@hedgerow/testing/problems'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { anOperator, consoleOfFile, type TestOperator } from '#testing/console.ts'
import { aCustomer, uniqueEmail } from '#testing/customers.ts'
import { deedsOf } from '#testing/operators.ts'
import { aPurchase, connectionsOf, type Purchase, paymentRow } from '#testing/payments.ts'

const { shop, ask } = await consoleOfFile()

const find = async (operator: TestOperator, words: string) => {
  const { body, status, text } = await ask(
    operator,
    'GET',
    `/api/v1/search?${new URLSearchParams({ words })}`,
  )
  expect(status, text).toBe(200)
  return body as { group: string; label: string; detail: string; to: string }[]
}

let bought: Purchase
const words = new Map<string, readonly [words: string, to: string]>()

beforeAll(async () => {
  bought = await aPurchase(shop)
  const { customer, order, paymentId } = bought
  const [connection] = await connectionsOf(shop, paymentId)
  const invoice = await until(() =>
    shop.db.selectFrom('invoices').selectAll().where('order_id', '=', order.orderId).executeTakeFirst(),
  )
  const node = await shop.db
    .selectFrom('nodes')
    .selectAll()
    .where('id', '=', connection?.node_id ?? '')
    .executeTakeFirstOrThrow()
  const { promocode } = await shop.db
    .selectFrom('customers')
    .select('promocode')
    .where('id', '=', customer.id)
    .executeTakeFirstOrThrow()
  const { gate_request_id } = await paymentRow(shop, paymentId)
  const { ipv4, ipv6 } = addressesAt(node, connection?.position ?? 0)
  const [person, payment, tunnel] = [
    `/customers/${customer.id}`,
    `/payments/${paymentId}`,
    `/connections/${connection?.id}`,
  ]
  for (const [what, given, to] of [
    ['the email of an account', customer.email.toUpperCase(), person],
    ['an account’s id', customer.id, person],
    ['an order', order.orderId, `/orders/${order.orderId}`],
    ['a payment', paymentId, payment],
    ['the gateway’s request', gate_request_id ?? '', payment],
    ['an invoice', `${invoice.year}-${String(invoice.number).padStart(6, '0')}`, `/orders/${order.orderId}`],
    ['a connection', connection?.id ?? '', tunnel],
    ['a tunnel address', ipv4.replace(/\/\d+$/, ''), tunnel],
    ['the same in IPv6', ipv6.replace(/\/\d+$/, ''), tunnel],
    ['a promocode', promocode.toLowerCase(), `/promocodes/${promocode}`],
    ['a node', node.name.slice(0, 3).toUpperCase(), `/nodes/${encodeURIComponent(node.name)}`],
  ] as const)
    words.set(what, [given, to])
})

const KINDS = [
  ['the email of an account', 'customers.open'],
  ['an account’s id', 'customers.see'],
  ['an order', 'payments.see'],
  ['a payment', 'payments.see'],
  ['the gateway’s request', 'payments.see'],
  ['an invoice', 'payments.see'],
  ['a connection', 'connections.see'],
  ['a tunnel address', 'connections.see'],
  ['the same in IPv6', 'connections.see'],
  ['a promocode', 'promocodes.see'],
  ['a node', 'nodes.see'],
] as const

describe('the search', () => {
  test.each(KINDS)('finds %s, for those who may see it and nobody else', async (what, permission) => {
    const [given, to] = words.get(what) ?? ['', '']
    expect(given.length).toBeGreaterThan(2)
    for (const role of OPERATOR_ROLES) {
      const operator = await anOperator(shop.db, role)
      const { body } = await ask(operator, 'GET', '/api/v1/session')
      const may = body.operator.permissions.includes(permission)
      const pages = (await find(operator, given)).map((hit) => hit.to)
      expect(`${role} ${pages.includes(to)}`).toBe(`${role} ${may}`)
    }
  })

  test('finds a customer by any part of a name or an email for those who may open customers', async () => {
    const email = uniqueEmail('zenobia')
    const { id } = await aCustomer(shop, { name: 'Zenobia Quill', email })
    await sql`update customers set first_name = 'Xanthe', last_name = 'O’Quarrel' where id = ${id}`.execute(
      shop.db,
    )
    const domain = email.slice(email.indexOf('@'))
    const parts = ['zenobia', 'Zenobia Q', 'QUILL', 'uil', email.slice(3, 12), email, 'xanthe o', 'quarrel']
    const [support, viewer] = [await anOperator(shop.db, 'support'), await anOperator(shop.db, 'viewer')]
    for (const given of parts)
      expect([given, (await find(support, given)).map(({ to }) => to)]).toEqual([
        given,
        expect.arrayContaining([`/customers/${id}`]),
      ])
    expect((await find(support, domain)).filter(({ group }) => group === 'Customer')).not.toEqual([])
    // Two letters are no part of a word, but its beginning.
    expect(await find(support, 'il')).toEqual([])
    // By one part after the other, anybody could read what is masked.
    for (const given of [...parts, domain, '%%', '__', 'z%']) expect(await find(viewer, given)).toEqual([])
  })

  test.each([
    ['€30.00', true],
    ['30.00', true],
    ['30,00 EUR', true],
    ['£30.00', false],
    ['30.01', false],
    ['30', false],
    ['99999999999.00', false],
  ])('finds payments of a sum: %s', async (given, isFound) => {
    const hits = await find(await anOperator(shop.db, 'finance'), given)
    expect(hits.some(({ to }) => to === `/payments/${bought.paymentId}`)).toBe(isFound)
    expect(hits.some(({ to }) => to === '/payments?least=30.00&most=30.00')).toBe(isFound)
    expect(await find(await anOperator(shop.db, 'servers'), given)).toEqual([])
  })

  test('takes no sign for a pattern', async () => {
    const owner = await anOperator(shop.db)
    for (const given of [
      '%%',
      '__',
      '_%_',
      '\\\\',
      "' or 1=1 --",
      '10.0.0.0/8',
      '::',
      '[]{}',
      '%uil%',
      'qu_ll',
    ]) {
      const hits = await find(owner, given)
      expect(hits.filter(({ group }) => group === 'Customer')).toEqual([])
    }
  })

  test.each([
    ['nothing', ''],
    ['one letter', 'a'],
    ['blanks', '    '],
    ['too much', 'x'.repeat(255)],
  ])('refuses %s', async (_, given) => {
    const owner = await anOperator(shop.db)
    expectProblem(await ask(owner, 'GET', `/api/v1/search?${new URLSearchParams({ words: given })}`), 422)
  })

  test('is recorded with how much it found, and of words that may name a person the beginning', async () => {
    const owner = await anOperator(shop.db)
    const typed = [bought.customer.email, bought.paymentId, '30.00', 'Zenobia Quill']
    for (const given of typed) await find(owner, given)
    const deeds = await deedsOf(shop, owner)
    expect(deeds.map(({ command, outcome, arguments: given }) => [command, outcome, given])).toEqual(
      [`${bought.customer.email.slice(0, 2)}…`, bought.paymentId, '30.00', 'Ze…'].map((words) => [
        'search',
        'done',
        { words },
      ]),
    )
    expect(deeds.map(({ subject }) => subject)).toEqual([
      '1 found',
      '1 found',
      expect.stringMatching(/^[2-9] found$/),
      expect.stringMatching(/^\d found$/),
    ])
  })
})
