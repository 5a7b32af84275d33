import { isoDay } from '@hedgerow/domain/dates'
import { freePort } from '@hedgerow/testing/free-port'
import { expectProblem, messageFor } from '@hedgerow/testing/problems'
import { describe, expect, onTestFinished, test } from 'vitest'
import { anOperator, consoleCallOf, consoleOfFile, type TestOperator } from '#testing/console.ts'
import { deedsOf } from '#testing/operators.ts'
import { aPurchase } from '#testing/payments.ts'
import { aDataApi, bookAtGateway, dataOperation, payOut, reportCsv } from '#testing/settlement.ts'
import { startFront } from '#testing/test-shop.ts'

const { shop, ask } = await consoleOfFile()

const finance = () => anOperator(shop.db, 'finance')
const day = (days: number) => isoDay(new Date(Date.now() + days * 86_400_000))
/** Around midnight as well. */
const DAYS = { from: day(-1), to: day(1) }
const OCTOBER = { from: '2026-10-01', to: '2026-10-31' }

const fileOf = (text: string, name = 'report.csv') => ({ name, base64: Buffer.from(text).toString('base64') })

const post = (operator: TestOperator, path: string, body: object) =>
  ask(operator, 'POST', `/api/v1/settlement/${path}`, { body })

const fetchAll = (operator: TestOperator) => post(operator, 'fetch', DAYS)
const compare = (operator: TestOperator, more: object = {}) =>
  post(operator, 'comparison', { ...DAYS, ...more })
const desk = async (operator: TestOperator) => (await ask(operator, 'GET', '/api/v1/settlement')).body

/** A console of the same shop that asks another Data API, or none. */
const consoleWith = async (settings: Record<string, string>) => {
  const port = await freePort()
  const { databaseUrl, sandbox, env, gateCalls, holdGateCalls } = shop
  const own = { ...env, ...settings, CONSOLE_PORT: String(port) }
  const front = await startFront({ databaseUrl, sandbox, gateCalls, holdGateCalls, env: own })
  onTestFinished(front.stop)
  return consoleCallOf(`http://127.0.0.1:${port}`)
}

const HEADS = 'operation_id,payment_id,type,amount,currency,date'
const row = (id: string, more = 'sale,10.00,EUR,2026-10-05 12:00') => `${id},,${more}`

describe('what the gateway booked', () => {
  test('is fetched, each once, though two fetch at the same moment', async () => {
    const [operator, other] = [await finance(), await finance()]
    await fetchAll(await finance())
    await aPurchase(shop)
    const replies = await Promise.all([fetchAll(operator), fetchAll(other)])
    for (const { status, text } of replies) expect(status, text).toBe(200)
    const [one, two] = replies.map(({ body }) => body)
    expect(one.new + two.new).toBe(1)
    expect((await fetchAll(operator)).body).toMatchObject({
      new: 0,
      same: two.operations,
      changed: [],
      isWhole: true,
    })
    expect((await desk(operator)).runs[0]).toMatchObject({ what: 'fetch', endedAt: expect.any(String) })
    expect((await deedsOf(shop, operator))[0]).toMatchObject({
      command: 'settlement fetch',
      outcome: 'done',
      arguments: DAYS,
    })
  })

  test('agrees with the shop until something differs, which is explained by those who may', async () => {
    const operator = await finance()
    await aPurchase(shop)
    await bookAtGateway(shop, { type: 'balance correction', amount: -700, currency: 'EUR' })
    await fetchAll(operator)
    const [booking] = (await desk(operator)).open
    expect(booking).toMatchObject({ explanation: null, paymentId: null })
    const viewer = await anOperator(shop.db, 'viewer')
    const path = `operations/${encodeURIComponent(booking.id)}`
    expectProblem(await post(viewer, path, { text: 'Rent' }), 403)
    for (const text of ['', '   ', 'x'.repeat(501), 7])
      expectProblem(await post(operator, path, { text }), 422)
    expect((await post(operator, path, { text: '=1+1 the yearly fee' })).status).toBe(200)
    expect((await desk(operator)).open.map(({ id }: { id: string }) => id)).not.toContain(booking.id)
    expect((await compare(operator)).body.explained).toContainEqual(
      expect.objectContaining({ id: booking.id, explanation: '=1+1 the yearly fee' }),
    )
    expectProblem(await post(operator, 'operations/nobody', { text: 'Rent' }), 404)
    for (const id of ["'", '..%2f', '%00', 'x'.repeat(200)])
      expect((await post(operator, `operations/${id}`, { text: 'Rent' })).status).toBeLessThan(500)
  })

  test('is not fetched of days to come, or of none', async () => {
    const operator = await finance()
    const wrong = [
      [{ from: day(3), to: day(4) }, 'from'],
      [{ from: DAYS.to, to: DAYS.from }, 'to'],
      [{ from: '2026-02-31', to: '2026-03-01' }, 'from'],
      [{ from: 'today', to: 'today' }, 'from'],
    ] as const
    for (const [body, field] of wrong)
      expect(messageFor(expectProblem(await post(operator, 'fetch', body), 422), field)).toMatch(/./)
  })

  test('that cannot be read is named, and what comes of a Data API that fails is a sentence', async () => {
    const operator = await finance()
    let status = 200
    const settings = await aDataApi(() => ({
      status,
      body: {
        operations: [dataOperation(9_001), dataOperation(9_002, { operation_type: '__proto__' })],
        total: 2,
      },
    }))
    const other = await consoleWith(settings)
    const reply = await other(operator, 'POST', '/api/v1/settlement/fetch', { body: DAYS })
    expectProblem(reply, 502)
    status = 500
    const failing = await other(operator, 'POST', '/api/v1/settlement/fetch', { body: DAYS })
    expect(expectProblem(failing, 502).body.detail).toMatch(/What had come is kept: do the same again\.$/)
    expect(failing.text).not.toMatch(/secret|token/i)
  })
})

describe('the gateway’s file', () => {
  const bringIn = (operator: TestOperator, text: string, more: object = {}, name?: string) =>
    post(operator, 'import', { file: fileOf(text, name), ...more })

  test('is taken in once: again, or by two at once, it changes nothing', async () => {
    const operator = await finance()
    await aPurchase(shop)
    const csv = await reportCsv(shop)
    const replies = await Promise.all([bringIn(operator, csv), bringIn(await finance(), csv)])
    for (const { status, text } of replies) expect(status, text).toBe(200)
    expect(replies.filter(({ body }) => !body.isNew)).toHaveLength(1)
    expect((await bringIn(operator, csv)).body).toMatchObject({ isNew: false, new: 0, changed: [] })
    expect((await desk(operator)).runs.map(({ what }: { what: string }) => what)).toContain(
      'import of report.csv',
    )
  })

  test('is read by the columns and words that are said for it', async () => {
    const operator = await finance()
    const german = 'Nummer;Art;Betrag;Währung;Datum\nx-1;Einzug;1.200,50;EUR;05.10.2026 12:00\n'
    const columns = ['id=Nummer', 'type=Art', 'amount=Betrag', 'currency=Währung', 'time=Datum']
    const unknown = expectProblem(await bringIn(operator, german, { columns }), 422)
    expect(messageFor(unknown, 'file')).toMatch(/‘Einzug’.*Say its kind: "Einzug=KIND"/)
    const { body, text } = await bringIn(operator, german, { columns, types: ['Einzug=correction'] })
    expect(body, text).toMatchObject({ isNew: true, new: 1 })
  })

  test.each([
    ['nothing', '', {}, 'file'],
    ['no list', 'hello', {}, 'file'],
    ['zeros', '\0\0\0\0', {}, 'file'],
    ['a sum that is none', `${HEADS}\n${row('w-1', 'sale,many,EUR,2026-10-05 12:00')}`, {}, 'file'],
    ['a sum that may be two', `${HEADS}\n${row('w-1', 'sale,"1,234",EUR,2026-10-05 12:00')}`, {}, 'file'],
    ['a day that may be two', `${HEADS}\n${row('w-1', 'sale,10.00,EUR,5/6/2026 12:00')}`, {}, 'file'],
    ['a currency that is none', `${HEADS}\n${row('w-1', 'sale,10.00,EURO,2026-10-05 12:00')}`, {}, 'file'],
    ['a kind that is none', `${HEADS}\n${row('w-1', 'constructor,10.00,EUR,2026-10-05 12:00')}`, {}, 'file'],
    ['columns of prototypes', HEADS, { columns: ['__proto__=x'] }, 'columns'],
    ['columns without a title', HEADS, { columns: ['amount'] }, 'columns'],
    ['a kind of prototypes', HEADS, { types: ['sale=constructor'] }, 'types'],
    ['a word of prototypes', HEADS, { types: ['__proto__=__proto__'] }, 'types'],
  ])('that has %s is refused at its field, in no words of the tool', async (_, text, more, field) => {
    const operator = await finance()
    const before = (await desk(operator)).runs.length
    const message = messageFor(expectProblem(await bringIn(operator, text, more), 422), field)
    expect(message).toMatch(/./)
    expect(message).not.toMatch(/--/)
    expect((await desk(operator)).runs).toHaveLength(before)
  })

  test('is not taken in from those who only look', async () => {
    expectProblem(await bringIn(await anOperator(shop.db, 'viewer'), HEADS), 403)
    expectProblem(await compare(await anOperator(shop.db, 'viewer')), 403)
    expectProblem(await ask(await anOperator(shop.db, 'support'), 'GET', '/api/v1/settlement'), 403)
  })
})

describe('the comparison', () => {
  test('finds payouts in the bank’s statement, and says what is wrong with one at its field', async () => {
    const operator = await finance()
    await aPurchase(shop)
    await payOut(shop)
    await fetchAll(operator)
    const { body } = await compare(operator, { bank: ['EUR=0.01'] })
    const totals = body.bankTotals.find(({ currency }: { currency: string }) => currency === 'EUR')
    expect(totals).toMatchObject({ receivedMinor: 1 })
    expect(totals.sentMinor).toBeGreaterThan(0)
    expect(body.isDifferent).toBe(true)
    const statement = (line: string) => fileOf(`Date,Amount,Currency,Description\n${line}\n`, 'bank.csv')
    const found = await compare(operator, {
      bankFile: statement(`${day(0)},12.00,EUR,=SALARY`),
      bankText: 'salary',
    })
    expect(found.body.bankStatement.strange).toMatchObject([
      { line: 2, sum: { minor: 1_200, currency: 'EUR' } },
    ])
    for (const line of [`${day(0)},viel,EUR,x`, 'soon,1.00,EUR,x', `${day(0)},1.00,EURO,x`]) {
      const reply = expectProblem(await compare(operator, { bankFile: statement(line) }), 422)
      expect(messageFor(reply, 'bankFile')).toMatch(/^Line 2, column/)
    }
    const empty = await compare(operator, { bankFile: fileOf('') })
    expect(messageFor(expectProblem(empty, 422), 'bankFile')).toBe('The file is empty.')
    const plain = fileOf(`Date,Amount\n${day(0)},1.00\n`)
    const noCurrency = expectProblem(await compare(operator, { bankFile: plain }), 422)
    expect(messageFor(noCurrency, 'bankFile')).toBe(
      'The statement has no column for the currency: say the bank’s currency, like EUR.',
    )
    expect((await compare(operator, { bankFile: plain, bankCurrency: 'EUR' })).status).toBe(200)
    const told = { bankFile: fileOf('Date;Amount\n5/11/2026;1,00\n'), bankCurrency: 'EUR' }
    expect((await compare(operator, { ...told, bankDecimal: 'comma', bankDays: 'dmy' })).status).toBe(200)
  })

  test.each([
    [{ bank: ['EUR'] }, 'bank'],
    [{ bank: ['__proto__=1.00'] }, 'bank'],
    [{ opening: ['EUR=1e9'] }, 'opening'],
    [{ closing: ['EUR=99999999999999999999'] }, 'closing'],
    [{ bankFile: fileOf('Date,Amount\n'), bankColumns: ['constructor=x'] }, 'bankColumns'],
    [{ bankCurrency: 'eur' }, 'bankCurrency'],
    [{ bankText: 'x'.repeat(101) }, 'bankText'],
    [{ bank: Array.from({ length: 61 }, () => 'EUR=1.00') }, 'bank'],
    [{ from: '2026-10-31', to: '2026-10-01' }, 'to'],
  ])('refuses %j at its field', async (body, field) => {
    const reply = await compare(await finance(), { ...OCTOBER, ...body })
    expect(messageFor(expectProblem(reply, 422), field)).toMatch(/./)
  })
})
