import { describe, expect, test } from 'vitest'
import { aPurchase } from '#testing/payments.ts'
import { aFile, bookAtGateway, DAYS, payOut, reportCsv, settlement } from '#testing/settlement.ts'
import { shopOfFile, startTestShop, type TestShop } from '#testing/test-shop.ts'

const shop = shopOfFile()

const rows = () => shop.db.selectFrom('settlement_operations').selectAll().orderBy('id').execute()

const importText = (text: string | Buffer, ...args: string[]) =>
  settlement(shop, 'import', '--file', aFile(text), ...args)

const rowOf = (id: string) =>
  shop.db.selectFrom('settlement_operations').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

/** A column's cells in another order of the columns, and under other names. */
const rewritten = (csv: string, names: Readonly<Record<string, string>>, delimiter: string): string => {
  const [head = '', ...lines] = csv.trim().split('\r\n')
  const columns = head.split(',')
  const at = Object.keys(names).map((name) => columns.indexOf(name))
  return [
    Object.values(names).join(delimiter),
    ...lines.map((line) => at.map((column) => line.split(',')[column]).join(delimiter)),
  ].join('\n')
}

describe('ops settlement import', () => {
  test('reads the gateway’s own file, with what only it knows, and agrees with the shop', async () => {
    const own = await startTestShop()
    await aPurchase(own)
    await payOut(own)
    const file = aFile(await reportCsv(own))
    const first = await settlement(own, 'import', '--file', file, '--json')
    expect(first.json).toMatchObject({ isNew: true, new: 2, same: 0, changed: [], leftOut: 0 })
    const { code, json } = await settlement(own, 'show', ...DAYS, '--json')
    expect([code, json.onlyAtGateway, json.onlyInShop, json.differing]).toEqual([0, [], [], []])
    const again = await settlement(own, 'import', '--file', file)
    expect(again.out).toMatch(/^Already recorded: nothing was changed\./)
    expect(again.code).toBe(0)
    // The same operations by the Data API are no others.
    const fetched = await settlement(own, 'fetch', ...DAYS, '--json')
    expect(fetched.json).toMatchObject({ new: 0, same: 2, changed: [] })
  })

  test('reads columns in any order and by other names, with semicolons, decimal commas and a mark', async () => {
    const own: TestShop = await startTestShop()
    const { paymentId } = await aPurchase(own)
    await bookAtGateway(own, { type: 'service fee', amount: 123_456, currency: 'EUR' })
    const names = {
      fee_amount: 'Our cut',
      sum_initial_currency: 'Currency',
      operation_completed_at: 'Booking date',
      payment_id: 'Merchant order ID',
      sum_initial_amount: 'Gross amount',
      operation_type: 'Transaction type',
      operation_id: 'Txn No.',
    }
    const csv = rewritten(await reportCsv(own), names, ';').replaceAll(/(\d)\.(\d\d)(?=;)/g, '$1,$2')
    const args = ['--columns', 'id=Txn No.', '--columns', 'fee=our cut']
    const { out, err } = await settlement(
      own,
      'import',
      '--file',
      aFile(`\uFEFFReport of November\n${csv}`),
      ...args,
    )
    expect(err).toBe('')
    expect(out).toMatch(/New +2\n/)
    const kept = await own.db.selectFrom('settlement_operations').selectAll().orderBy('id').execute()
    expect(kept).toMatchObject([
      { kind: 'sale', payment_id: paymentId, initial_minor: '3000', fee_minor: '62', standing: 'known' },
      { kind: 'fee', payment_id: null, initial_minor: '-123456', standing: 'known' },
    ])
  })

  test('tells each bad cell by its line and column, and keeps nothing of the file', async () => {
    const before = await rows()
    const { code, err } = await importText(
      [
        'id,type,status,amount,currency,fee,date',
        'a1,sale,success,10.00,EUR,0.10,2026-11-05',
        'a2,gift,success,10.00,EUR,0.10,2026-11-05',
        'a3,sale,success,ten,EUR,0.10,2026-11-05',
        'a4,sale,success,10.001,EUR,0.10,2026-11-05',
        'a5,sale,success,10.00,EURO,0.10,2026-11-05',
        'a6,sale,success,10.00,EUR,0.10,2026-02-30',
        'a7,sale,perhaps,10.00,EUR,0.10,2026-11-05',
        ',sale,success,10.00,EUR,0.10,2026-11-05',
        'a\u0007,sale,success,10.00,EUR,0.10,2026-11-05',
        'a1,sale,success,11.00,EUR,0.10,2026-11-05',
      ].join('\n'),
    )
    expect(code).toBe(2)
    for (const fault of [
      'Line 3, column ‘type’: what ‘gift’ is, is not known. Say its kind: "gift=KIND"',
      'Line 4, column ‘amount’: ‘ten’ is no amount in EUR',
      'Line 5, column ‘amount’: ‘10.001’ is no amount in EUR',
      'Line 6, column ‘currency’: ‘EURO’ is no currency of three letters',
      'Line 7, column ‘date’: ‘2026-02-30’ is no time like 2026-11-05 14:03',
      'Line 8, column ‘status’: what ‘perhaps’ is, is not known',
      'Line 9, column ‘id’: ‘’ is no id of an operation',
      'Line 10, column ‘id’: ‘a\u0007’ is no id of an operation',
      'Line 11, column ‘id’: the operation of line 2 again, with other contents',
    ])
      expect(err).toContain(fault)
    expect(await rows()).toEqual(before)
  })

  test.each([
    [
      'days that could be read in two ways',
      'id,type,amount,currency,date\n1,sale,1.50,EUR,5/11/2026',
      [],
      'Days like 5/11/2026',
    ],
    [
      'amounts that could be read in two ways',
      'id,type,amount,currency,date\n1,sale,"1,234",KWD,2026-11-05',
      [],
      'Amounts like 1,234',
    ],
    [
      'amounts that contradict each other',
      'id,type,amount,currency,date\n1,sale,"1,5",EUR,2026-11-05\n2,sale,1.5,EUR,2026-11-05',
      [],
      'correct the file',
    ],
    [
      'fees of both signs',
      'id,type,amount,currency,fee,date\n1,sale,1.00,EUR,0.10,2026-11-05\n2,sale,1.00,EUR,-0.10,2026-11-05',
      [],
      'say whether they are costs',
    ],
    [
      'a missing column',
      'id,type,amount,date\n1,sale,1.00,2026-11-05',
      [],
      'no column for ‘currency’ among ‘id’, ‘type’, ‘amount’, ‘date’. Say what it is called: currency=NAME.',
    ],
    [
      'a column that is not there',
      'id,type,amount,currency,date\n1,sale,1.00,EUR,2026-11-05',
      ['--columns', 'fee=Toll'],
      'there is no column ‘Toll’',
    ],
    ['an empty file', '', [], 'The file is empty.'],
    ['a file without operations', 'id,type,amount,currency,date\n', [], 'There is no operation in the file.'],
    ['a quote without its end', 'id,type,amount,currency,date\n"1,sale', [], 'the file is no CSV'],
    ['a workbook', Buffer.from('PK\u0003\u0004'), [], 'Save the sheet as CSV'],
    ['no text', Buffer.from([0x69, 0x64, 0x00, 0x01, 0x0a]), [], 'is no text'],
    ['a huge file', Buffer.alloc(21 * 1024 * 1024, 'a'), [], 'it is larger than'],
  ])('refuses %s, and keeps nothing', async (_, text, args, said) => {
    const before = await rows()
    const { code, err } = await importText(text, ...args)
    expect(err).toContain(said)
    expect(code).toBe(said.startsWith('it is larger') ? 1 : 2)
    expect(await rows()).toEqual(before)
  })

  test('takes the operator’s word for days, signs, kinds and minor units', async () => {
    const text = 'id,type,amount,currency,fee,date\nw1,gift,1234,EUR,-10,5/11/2026\nw2,auth,1,EUR,0,5/11/2026'
    const said = ['--days', 'mdy', '--minor', '--types', 'Gift=correction', '--fees', 'changes']
    const { out, err } = await importText(text, ...said)
    expect(err).toBe('')
    expect(out).toMatch(/New +1\nSame +0\n/)
    expect(out).toMatch(/Left out +1\n/)
    expect(await rowOf('w1')).toMatchObject({
      ...{ kind: 'correction', initial_minor: '1234', fee_minor: '10', standing: 'unknown' },
      completed_at: new Date('2026-05-11T00:00:00Z'),
    })
  })

  test('leaves alone what a file does not tell, and tells what it changes', async () => {
    await importText('id,type,amount,currency,fee,date\nx1,sale,10.00,EUR,0.34,2026-11-05')
    const { out } = await importText('id,type,amount,currency,date\nx1,sale,10.50,EUR,2026-11-05')
    expect(out).toMatch(/x1\s+sum\s+10\.00 EUR\s+10\.50 EUR/)
    expect(await rowOf('x1')).toMatchObject({ initial_minor: '1050', booked_minor: '1050', fee_minor: '34' })
  })

  test('never keeps a card’s number, nor the card of a payment that is known here', async () => {
    const { paymentId } = await aPurchase(shop)
    const head = 'operation_id,operation_type,amount,currency,date,payment_id,account_number,rrn'
    await importText(
      [
        head,
        'c1,sale,1.00,EUR,2026-11-05,strange,4000000000000077,4000000000000077',
        `c2,refund,1.00,EUR,2026-11-05,${paymentId},400000******0077,`,
      ].join('\n'),
    )
    expect(await rowOf('c1')).toMatchObject({ pan_masked: '400000******0077', rrn: null })
    expect(await rowOf('c2')).toMatchObject({ pan_masked: null })
  })

  test('imports the same file once, however many do it at once', async () => {
    const file = aFile('id,type,amount,currency,date\nz1,payout,1.00,EUR,2026-11-05')
    const outcomes = await Promise.all(
      [1, 2, 3].map(() => settlement(shop, 'import', '--file', file, '--json')),
    )
    expect(outcomes.map(({ code }) => code)).toEqual([0, 0, 0])
    expect(outcomes.map(({ json }) => json.isNew).sort()).toEqual([false, false, true])
  })

  test('refuses more rows than can be read at once', { timeout: 300_000 }, async () => {
    const { code, err } = await importText(`id,type,amount,currency,time\n${'a,\n'.repeat(300_001)}`)
    expect([code, err]).toEqual([2, expect.stringContaining('more than 300000 rows. Split it by days.')])
  })

  test('takes thousands of rows', async () => {
    const lines = Array.from({ length: 5_000 }, (_, at) => `m${at},fee,0.01,GBP,2025-01-05 10:00:00`)
    const { json } = await importText(['id,type,amount,currency,date', ...lines].join('\n'), '--json')
    expect(json).toMatchObject({ new: 5_000 })
    const shown = await settlement(shop, 'show', '--from', '2025-01-01', '--to', '2025-01-31', '--json')
    expect(shown.json.currencies).toMatchObject([{ currency: 'GBP', fees: '-50.00', change: '-50.00' }])
    const csv = await settlement(shop, 'show', '--from', '2025-01-01', '--to', '2025-01-31', '--csv')
    expect(csv.out.trim().split('\n')).toHaveLength(5_001)
  })
})
