import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@hedgerow/embedded-postgres/ports'
import { startApiProcess } from '@hedgerow/testing/api-process'
import { aCustomer } from '@hedgerow/testing/customers'
import { listBooks, switchFaults } from '@hedgerow/testing/gateway'
import { queueIsEmpty } from '@hedgerow/testing/jobs'
import { anOrder } from '@hedgerow/testing/orders'
import { answerChallenge, pay, reached, startPayment } from '@hedgerow/testing/payments'
import { environmentOf, openGround, type TestShop } from '@hedgerow/testing/test-shop'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'

/** Numbers and codes that nothing else in a shop can contain by chance. */
const CARDS = {
  paid: '4929421234567897',
  challenged: '4314220000000056',
  declined: '4111111111111111',
  refused: '492942123456789749294212345678',
  misspelt: '49294212345678',
}
const CVV = '7391'

/** What could hold the code by chance: ids, times, keys. */
const IDS =
  /[0-9a-f]{8}-[0-9a-f-]{27}|\\\\?x?[0-9a-f]{32,}|\d{4}-\d\d-\d\d[T ][\d:.]+|[A-Za-z0-9+/_-]{40,}=*|\d{10,}/g

const dumpOf = async ({ db }: Pick<TestShop, 'db'>): Promise<string> => {
  const tables = await sql<{ schema: string; name: string }>`
    select schemaname as schema, tablename as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`.execute(db)
  const dumps = tables.rows.map(async ({ schema, name }) => {
    const rows = await sql<{
      row: string
    }>`select t::text as row from ${sql.table(`${schema}.${name}`)} as t`.execute(db)
    return rows.rows.map(({ row }) => `${schema}.${name}: ${row}`)
  })
  return (await Promise.all(dumps)).flat().join('\n')
}

const expectNoCard = (text: string) => {
  for (const pan of Object.values(CARDS)) {
    expect(text).not.toContain(pan)
    expect(text).not.toContain(pan.slice(0, 11))
  }
  expect(text.replace(IDS, '')).not.toMatch(new RegExp(`\\b${CVV}\\b`))
}

describe('a card number and a security code', () => {
  test('are neither in the database, nor in the log at its most talkative, nor with the gateway', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'hedgerow-sandbox-'))
    onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
    const ground = await openGround({ env: { LOG_LEVEL: 'trace' }, sandbox: { dataDir } })
    onTestFinished(ground.close)
    const api = await startApiProcess(environmentOf(ground, await freePort()))
    const shop = { ...ground, call: api.call }
    const customer = await aCustomer(shop)
    const order = () => anOrder(shop, customer)
    const start = async (pan: string) => startPayment(shop, customer, await order(), { pan, cvv: CVV })

    await reached(shop, await start(CARDS.paid), 'Success')
    await reached(shop, await start(CARDS.declined), 'Decline')
    await reached(shop, await start(CARDS.refused), 'Error')
    const challenged = await start(CARDS.challenged)
    await answerChallenge(shop, challenged)
    await reached(shop, challenged, 'Success')
    await pay(shop, customer, await order(), { pan: CARDS.misspelt, cvv: CVV })
    await pay(shop, customer, await order(), { pan: CARDS.paid, cvv: CVV, month: 'x' })
    await pay(shop, customer, await order(), { pan: CARDS.paid, cvv: CVV, total: 1 })
    await pay(shop, customer, await order(), { pan: CARDS.paid, cvv: CVV, card_holder: 'a'.repeat(9000) })
    await shop.call('POST', `/api/v1/orders/${(await order()).orderId}`, {
      token: customer.token,
      headers: { 'content-type': 'application/json' },
      body: `{"pan":"${CARDS.paid}","cvv":"${CVV}"`,
    })
    await switchFaults(shop, { failSales: '500' })
    await start(CARDS.paid)
    await queueIsEmpty(shop)

    const dump = await dumpOf(shop)
    expect(dump).toContain('492942******7897')
    expectNoCard(dump)
    expectNoCard(JSON.stringify(await listBooks(shop)))
    await api.stop()
    const log = api.output()
    expect(log).toContain('"name":"api"')
    expectNoCard(log)
    await ground.close()
    for (const file of await readdir(dataDir)) expectNoCard(await readFile(join(dataDir, file), 'utf8'))
  })
})
