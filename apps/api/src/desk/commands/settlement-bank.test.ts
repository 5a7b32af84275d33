import { dayAfter } from '@hedgerow/domain/dates'
import { until } from '@hedgerow/testing/until'
import { beforeAll, describe, expect, test } from 'vitest'
import { importReport } from '#accounting/settlement/import-report.ts'
import { explainOperation } from '#accounting/settlement/settlement.service.ts'
import { hurry } from '#testing/jobs.ts'
import { metric } from '#testing/metrics.ts'
import { aPurchase } from '#testing/payments.ts'
import { aDataApi, aFile, bookAtGateway, DAYS, payOut, settlement } from '#testing/settlement.ts'
import { shopOfFile, startTestShop, type TestShop } from '#testing/test-shop.ts'

const REPORT = `id,type,amount,currency,fee,date
s1,balance correction,500.00,EUR,0,2026-10-02
s2,balance correction,80.00,GBP,0,2026-10-02
b1,funds transfer,100.00,EUR,0.25,2026-10-05
b2,funds transfer,250.50,EUR,0.25,2026-10-20
b3,funds transfer,79.75,GBP,0.25,2026-10-20
b4,funds transfer,33.00,EUR,0.25,2026-10-30
`
const OCTOBER = ['--from', '2026-10-01', '--to', '2026-10-31']

describe('ops settlement show with the bank', () => {
  const shop = shopOfFile()
  beforeAll(async () => {
    const file = { name: 'october.csv', bytes: Buffer.from(REPORT) }
    await importReport(shop, file, { map: new Map(), types: new Map(), isMinor: false, projectId: 57123 })
    for (const id of ['s1', 's2']) await explainOperation(shop, id, 'Opening balance of the account')
  })

  const show = (...args: string[]) => settlement(shop, 'show', ...OCTOBER, ...args)

  test('compares payouts with what the bank received, by sums and by its statement', async () => {
    const right = await show('--bank', 'EUR=383.50', '--bank', 'GBP=79.75')
    expect(right.out).toMatch(/EUR\s+383\.50\s+383\.50\s+0\.00/)
    expect(right.code).toBe(0)
    const wrong = await show('--bank', 'EUR=383.49', '--bank', 'USD=1.00', '--json')
    expect(wrong.json.bank.totals).toEqual([
      { currency: 'EUR', sent: '383.50', received: '383.49', difference: '-0.01' },
      { currency: 'GBP', sent: '79.75', received: '0.00', difference: '-79.75' },
      { currency: 'USD', sent: '0.00', received: '1.00', difference: '1.00' },
    ])
    expect(wrong.code).toBe(1)
  })

  const statement = (...lines: string[]) =>
    aFile(['Datum;Betrag;Verwendungszweck;Währung', ...lines].join('\n'), 'bank.csv')
  const MAP = ['date=Datum', 'amount=Betrag', 'description=Verwendungszweck', 'currency=Währung']
  const MAPPED = MAP.flatMap((pair) => ['--bank-map', pair])

  test('finds each payout in a statement with its own columns, and what is on its way', async () => {
    const file = statement(
      ...['07.10.2026;100,00;GATEWAY;EUR', '21.10.2026;250,50;GATEWAY;EUR', '21.10.2026;79,75;GATEWAY;GBP'],
      ...['25.10.2026;-1.200,00;RENT;EUR', '31.10.2026;12,00;SALARY;EUR'],
    )
    const { json, code } = await show('--bank-file', file, ...MAPPED, '--bank-text', 'gateway', '--json')
    const { received, missing, inTransit, strange } = json.bank.statement
    expect(received).toHaveLength(3)
    expect([missing, strange]).toEqual([[], []])
    expect(inTransit).toMatchObject([{ operationId: 'b4', amount: '33.00' }])
    expect(code).toBe(0)
  })

  test('tells of a payout that did not arrive, and of money of the gateway that no payout is behind', async () => {
    const file = statement(
      ...['07.10.2026;100,00;GATEWAY;EUR', '21.10.2026;250,00;GATEWAY;EUR', '21.10.2026;79,75;GATEWAY;GBP'],
      '30.11.2026;1,00;OTHER;EUR',
    )
    const { out, code } = await show('--bank-file', file, ...MAPPED, '--bank-text', 'gateway')
    expect(out).toMatch(/Not in the bank’s statement:\nOPERATION .*\nb2 .*250\.50 EUR\nb4 /)
    expect(out).toMatch(/no payout is behind:\nLINE.*\n3 +2026-10-21 +250\.00 EUR/)
    expect(code).toBe(1)
  })

  test('refuses a statement that cannot be read, by line and column', async () => {
    const bad = await show('--bank-file', statement('07.10.2026;viel;X;EUR'), ...MAPPED)
    expect(bad.err).toContain('Line 2, column ‘Betrag’: ‘viel’ is no amount in EUR')
    const plain = aFile(
      'Date,Description,Paid in,Paid out\n2026-10-07,GATEWAY,100.00,\n2026-10-08,RENT,,5.00',
    )
    expect((await show('--bank-file', plain)).err).toContain('the bank’s currency')
    const { json } = await show('--bank-file', plain, '--bank-currency', 'EUR', '--json')
    expect(json.bank.statement.received).toHaveLength(1)
    expect((await show('--bank-file', '/nowhere.csv')).err).toContain('there is no such file')
    expect((await show('--bank', 'EUR')).code).toBe(2)
  })

  test('says where the balances do not add up', async () => {
    const right = await show('--opening', 'EUR=10.00', '--closing', 'EUR=125.75')
    expect(right.out).toMatch(/Opening balance +10\.00 +not reported/)
    expect(right.code).toBe(0)
    const wrong = await show('--opening', 'EUR=10.00', '--closing', 'EUR=125.00')
    expect(wrong.out).toContain('should be 125.75 at the end, and the gateway reports 125.00')
    expect(wrong.code).toBe(1)
  })
})

describe('the shop’s own fetching', () => {
  /** Noon of the day that is over: the gateway is given two hours for it. */
  const thatDay = () =>
    new Date(dayAfter(new Date(Date.now() - 2 * 3_600_000), -1).getTime() + 12 * 3_600_000)

  const runsOfGate = ({ db }: Pick<TestShop, 'db'>) =>
    db.selectFrom('settlement_runs').selectAll().where('gateway', '=', 'gate').execute()

  test('takes in the day that is over, once, and raises an alert until it is explained', async () => {
    const shop = await startTestShop()
    await aPurchase(shop)
    const at = thatDay().toISOString()
    const { id } = await bookAtGateway(shop, {
      type: 'sale',
      amount: 900,
      currency: 'EUR',
      payment_id: 'x',
      at,
    })
    const runs = async () =>
      (await settlement(shop, 'list', '--json')).json.runs.filter(
        ({ gateway }: { gateway: string }) => gateway === 'gate',
      )
    await hurry(shop, 'fetch-settlement')
    await until(async () => (await runs()).some(({ endedAt }: { endedAt: string | null }) => endedAt))
    const waiting = () => metric(shop, 'hedgerow_waiting_for_operator', { what: 'settlement_differs' })
    const [run] = await runs()
    expect(run).toMatchObject({ what: 'daily fetch' })
    expect(await waiting()).toBe(1)
    await settlement(shop, 'explain', String(id), '--text', 'A test of the gateway')
    expect(await waiting()).toBe(0)
    await hurry(shop, 'fetch-settlement')
    await until(async () => {
      return (await runsOfGate(shop)).length === 1
    })
  })

  test('goes on where the gateway was away, and holds up nobody meanwhile', async () => {
    let isAway = true
    const api = await aDataApi((_, path) =>
      isAway
        ? { status: 503, body: {} }
        : { body: path.endsWith('balance/get') ? { balances: [] } : { operations: [] } },
    )
    const shop = await startTestShop({ env: api })
    await hurry(shop, 'fetch-settlement')
    await until(async () => (await runsOfGate(shop)).length === 1)
    await aPurchase(shop)
    isAway = false
    await until(async () => {
      await hurry(shop, 'fetch-settlement')
      const rows = await runsOfGate(shop)
      return rows.length === 1 && rows[0]?.ended_at !== null
    })
  })

  test('finds by itself what the shop hears of only later', async () => {
    const shop = await startTestShop()
    const { paymentId } = await aPurchase(shop)
    await payOut(shop)
    await shop.db
      .updateTable('payments')
      .set({ received_minor: null, charged_minor: 2999 })
      .where('id', '=', paymentId)
      .execute()
    await settlement(shop, 'fetch', ...DAYS)
    const open = async () => (await settlement(shop, 'list', '--json')).json.open
    expect(await open()).toMatchObject([{ paymentId, standing: 'differs' }])
    await shop.db.updateTable('payments').set({ charged_minor: 3000 }).where('id', '=', paymentId).execute()
    await until(async () => {
      await hurry(shop, 'fetch-settlement')
      return (await open()).length === 0
    })
  })
})
