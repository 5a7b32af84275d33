import { mailbox } from '@hedgerow/testing/mailbox'
import { expectProblem, messageFor } from '@hedgerow/testing/problems'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { creditPartners } from '#partners/earnings/earnings.service.ts'
import { checkBooks } from '#partners/ledger/check-books.ts'
import { resolveWithdrawal } from '#partners/withdrawals/withdrawals.service.ts'
import { aCustomer } from '#testing/customers.ts'
import { queueIsEmpty } from '#testing/jobs.ts'
import { aPaidPayment, balanceOf } from '#testing/partners.ts'
import { shopOfFile, startTestShop } from '#testing/test-shop.ts'
import {
  aPartnerWith,
  aWithdrawal,
  requestPayout,
  withdrawalRow,
  withdrawalsOf,
} from '#testing/withdrawals.ts'

const shop = shopOfFile()

const SORTED = { accountHolder: 'Ada Lovelace', sortCode: '20-20-15', accountNumber: '1234 5678' }

describe('POST /api/v1/partnership/withdrawals', () => {
  test('asks for what is available, which is then no longer available', async () => {
    const partner = await aPartnerWith(shop, 30_000)
    const request = aWithdrawal({ amount: 299.99, iban: 'de89 3704 0044 0532 0130 00' })
    const reply = await requestPayout(shop, partner, request)
    expect([reply.status, reply.body]).toEqual([
      201,
      {
        _id: request.id,
        currency: 'EUR',
        amount: 299.99,
        method: 'iban',
        endsWith: '3000',
        status: 'requested',
        reason: null,
        createdAt: expect.stringMatching(/Z$/),
        endedAt: null,
      },
    ])
    expect(await balanceOf(shop, partner)).toEqual({
      available: 0.01,
      pending: 0,
      requested: 299.99,
      paid: 0,
    })
    expect(await withdrawalsOf(shop, partner)).toEqual([reply.body])
  })

  test('takes a sort code and an account number for pounds, and an IBAN too', async () => {
    const partner = await aPartnerWith(shop, 60_000, 'GBP')
    const { iban: _, ...rest } = aWithdrawal({ currency: 'GBP', ...SORTED })
    const reply = await requestPayout(shop, partner, rest)
    expect(reply.body).toMatchObject({ method: 'sort_code', endsWith: '5678', currency: 'GBP' })
    expect((await requestPayout(shop, partner, aWithdrawal({ currency: 'GBP' }))).status).toBe(201)
  })

  test('is for 250.00 or more', async () => {
    const partner = await aPartnerWith(shop, 30_000)
    const reply = expectProblem(await requestPayout(shop, partner, aWithdrawal({ amount: 249.99 })), 422)
    expect(messageFor(reply, 'amount')).toBe('The minimum withdrawal is €250.00')
    expect((await requestPayout(shop, partner, aWithdrawal({ amount: 250 }))).status).toBe(201)
  })

  test.each([300.01, 100_000, 21_474_836.47])(
    'cannot be for %d where 300.00 is available',
    async (amount) => {
      const partner = await aPartnerWith(shop, 30_000)
      const reply = expectProblem(await requestPayout(shop, partner, aWithdrawal({ amount })), 422)
      expect(messageFor(reply, 'amount')).toBe('You can withdraw €300.00 at most')
      expect(await withdrawalsOf(shop, partner)).toEqual([])
    },
  )

  test('cannot be for what is held, or of another currency', async () => {
    const partner = await aPartnerWith(shop, 30_000)
    const buyer = await aCustomer(shop)
    await aPaidPayment(shop, { buyerId: buyer.id, partnerId: partner.id, amountMinor: 500_000 })
    await creditPartners(shop)
    expect(await balanceOf(shop, partner)).toMatchObject({ available: 300, pending: 500 })
    expectProblem(await requestPayout(shop, partner, aWithdrawal({ amount: 301 })), 422)
    const inPounds = expectProblem(await requestPayout(shop, partner, aWithdrawal({ currency: 'GBP' })), 422)
    expect(messageFor(inPounds, 'amount')).toBe('You can withdraw £0.00 at most')
  })

  const { iban: _, ...noBank } = aWithdrawal({ currency: 'GBP' })
  const onlySort = { ...noBank, sortCode: '202015' }
  test.each([
    ['a wrong check digit', aWithdrawal({ iban: 'DE89370400440532013001' }), 'iban', /not a valid IBAN/],
    ['a wrong length', aWithdrawal({ iban: 'GB33BUKB2020155555555' }), 'iban', /not a valid IBAN/],
    ['a country without IBANs', aWithdrawal({ iban: 'US64SVBKUS6S3300958879' }), 'iban', /not a valid IBAN/],
    ['no IBAN at all', aWithdrawal({ iban: '' }), 'iban', /Enter an IBAN/],
    ['nowhere to pay to', noBank, 'iban', /Enter an IBAN, or a sort code/],
    ['half of an account', onlySort, 'iban', /Enter an IBAN, or a sort code/],
    ['two accounts', { ...aWithdrawal({ currency: 'GBP' }), ...SORTED }, 'iban', /Enter an IBAN, or/],
    ['a sort code for euros', { ...noBank, currency: 'EUR', ...SORTED }, 'sortCode', /payments in pounds/],
    ['a short sort code', { ...noBank, ...SORTED, sortCode: '20201' }, 'sortCode', /6 digits/],
    ['a short account', { ...noBank, ...SORTED, accountNumber: '1234567' }, 'accountNumber', /8 digits/],
    ['no holder', aWithdrawal({ accountHolder: ' ' }), 'accountHolder', /holder/],
    ['a third of a cent', aWithdrawal({ amount: 250.001 }), 'amount', /withdrawal.*two decimals/],
    ['a negative amount', aWithdrawal({ amount: -300 }), 'amount', /withdrawal.*two decimals/],
    ['a text for an amount', aWithdrawal({ amount: '300' }), 'amount', /withdrawal.*two decimals/],
    ['another currency', aWithdrawal({ currency: 'PLN' }), 'currency', /EUR or GBP/],
  ])('refuses %s', async (_, body, field, message) => {
    const partner = await aPartnerWith(shop, 30_000)
    const reply = expectProblem(await requestPayout(shop, partner, body), 422)
    expect(messageFor(reply, field)).toMatch(message)
    expect(await withdrawalsOf(shop, partner)).toEqual([])
  })

  test('sent again with the same id it is the same withdrawal, whatever is left by then', async () => {
    const partner = await aPartnerWith(shop, 30_000)
    const request = aWithdrawal({ amount: 300 })
    const replies = await Promise.all(Array.from({ length: 5 }, () => requestPayout(shop, partner, request)))
    expect(replies.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201])
    expect(await withdrawalsOf(shop, partner)).toHaveLength(1)
    await resolveWithdrawal(shop, request.id, { status: 'paid', reference: null })
    await sql`update withdrawals set details_encrypted = null where id = ${request.id}`.execute(shop.db)
    expect((await requestPayout(shop, partner, request)).body).toMatchObject({
      _id: request.id,
      status: 'paid',
    })
    expect(await balanceOf(shop, partner)).toEqual({ available: 0, pending: 0, requested: 0, paid: 300 })
  })

  test('is the same one whether its id is written in capital letters or small ones', async () => {
    const partner = await aPartnerWith(shop, 60_000)
    const request = aWithdrawal()
    const inCapitals = { ...request, id: request.id.toUpperCase() }
    const replies = [
      await requestPayout(shop, partner, inCapitals),
      await requestPayout(shop, partner, inCapitals),
      await requestPayout(shop, partner, request),
    ]
    expect(replies.map(({ status }) => status)).toEqual([201, 201, 201])
    expect(await withdrawalsOf(shop, partner)).toHaveLength(1)
  })

  test.each([
    ['another sum', { amount: 251 }],
    ['another account', { iban: 'GB33BUKB20201555555555' }],
    ['another holder', { accountHolder: 'Charles Babbage' }],
  ])('refuses the same id for %s', async (_, change) => {
    const partner = await aPartnerWith(shop, 60_000)
    const request = aWithdrawal()
    await requestPayout(shop, partner, request)
    expectProblem(await requestPayout(shop, partner, { ...request, ...change }), 409)
    expect(await withdrawalsOf(shop, partner)).toHaveLength(1)
  })

  test('refuses an id that is someone else’s, and tells nothing of it', async () => {
    const [partner, eve] = [await aPartnerWith(shop, 30_000), await aPartnerWith(shop, 30_000)]
    const request = aWithdrawal()
    await requestPayout(shop, partner, request)
    const reply = expectProblem(await requestPayout(shop, eve, request), 409)
    expect(reply.text).not.toContain('3000')
    expect(await withdrawalsOf(shop, eve)).toEqual([])
    expect(await balanceOf(shop, eve)).toMatchObject({ available: 300, requested: 0 })
  })

  test('twenty at once cannot overdraw', async () => {
    const partner = await aPartnerWith(shop, 100_000)
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => requestPayout(shop, partner, aWithdrawal())),
    )
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(4)
    expect(replies.filter(({ status }) => status === 422)).toHaveLength(16)
    expect(await balanceOf(shop, partner)).toEqual({ available: 0, pending: 0, requested: 1000, paid: 0 })
    expect(await checkBooks(shop)).toEqual([])
  })

  test('is for customers, and each sees their own', async () => {
    expectProblem(await shop.call('POST', '/api/v1/partnership/withdrawals', { body: aWithdrawal() }), 401)
    expectProblem(await shop.call('GET', '/api/v1/partnership/withdrawals'), 401)
    const partner = await aPartnerWith(shop, 30_000)
    await requestPayout(shop, partner, aWithdrawal())
    expect(await withdrawalsOf(shop, await aCustomer(shop))).toEqual([])
  })

  test('cannot be asked for all day', async () => {
    const limited = await startTestShop({ env: { RATE_LIMIT_SCALE: '1' } })
    const { token } = await aCustomer(limited)
    const statuses: number[] = []
    for (let times = 0; times < 11; times++) {
      const reply = await limited.call('POST', '/api/v1/partnership/withdrawals', {
        token,
        body: aWithdrawal(),
      })
      statuses.push(reply.status)
    }
    expect(statuses.slice(0, 10)).toEqual(Array(10).fill(422))
    expect(statuses[10]).toBe(429)
  })

  test('keeps the bank account sealed, for this withdrawal only', async () => {
    const partner = await aPartnerWith(shop, 60_000)
    const request = aWithdrawal()
    await requestPayout(shop, partner, request)
    await queueIsEmpty(shop)
    const { rows: tables } = await sql<{ name: string }>`
      select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname in ('public', 'graphile_worker')`.execute(shop.db)
    for (const { name } of tables) {
      const { rows } = await sql<{ row: string }>`select t::text as row from ${sql.raw(name)} as t`.execute(
        shop.db,
      )
      expect(rows.map(({ row }) => row).join('\n'), name).not.toContain('37040044')
    }
    const { details_encrypted } = await withdrawalRow(shop, request.id)
    expect(details_encrypted?.includes(Buffer.from('37040044'))).toBe(false)
    // Copied to another row, it does not open: what is left to compare are its last four characters.
    const other = aWithdrawal()
    await requestPayout(shop, partner, other)
    await sql`update withdrawals set details_encrypted = ${details_encrypted} where id = ${other.id}`.execute(
      shop.db,
    )
    expect((await requestPayout(shop, partner, other)).status).toBe(201)
    const odd = { ...other, iban: 'GB29NWBK60161331926819' }
    expect((await requestPayout(shop, partner, odd)).status).toBe(409)
  })

  test('tells the operator without the bank account, and the partner that it has arrived', async () => {
    const partner = await aPartnerWith(shop, 33_333)
    const request = aWithdrawal({ amount: 333.33 })
    await requestPayout(shop, partner, request)
    const { operatorEmail } = shop.settings
    const operators = await mailbox(shop).latest(operatorEmail, 'has requested €333.33')
    expect(operators.text).toContain(`withdrawal show ${request.id}`)
    expect(operators.text).toContain(partner.email)
    const theirs = await mailbox(shop).latest(partner.email, 'You requested €333.33')
    expect(theirs.text.replace(/\s+/g, ' ')).toContain('to your account ending in 3000')
    for (const mail of [operators, theirs]) expect(JSON.stringify(mail)).not.toMatch(/37040044|3704 ?0044/)
    expect(operators.text).not.toContain('3000')
  })
})
