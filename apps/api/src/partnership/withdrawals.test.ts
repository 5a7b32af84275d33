import { randomUUID } from 'node:crypto'
import { aCustomer, eraseAccount, type TestCustomer } from '@hedgerow/testing/customers'
import { hurry, queueIsEmpty } from '@hedgerow/testing/jobs'
import { mailbox } from '@hedgerow/testing/mailbox'
import { anEarning, aPaidPayment, balanceOf, earningOf, endHolds } from '@hedgerow/testing/partners'
import { expectProblem, messageFor } from '@hedgerow/testing/problems'
import { shopOfFile, startTestShop } from '@hedgerow/testing/test-shop'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { checkBooks } from './check-books.ts'
import { creditPartners } from './earnings.service.ts'
import { settleWithdrawal } from './withdrawals.service.ts'

const shop = shopOfFile()

const IBAN = 'DE89370400440532013000'
const SORTED = { accountHolder: 'Ada Lovelace', sortCode: '20-20-15', accountNumber: '1234 5678' }

const aRequest = (given: object = {}) => ({
  id: randomUUID(),
  currency: 'EUR',
  amount: 250,
  accountHolder: 'Ada Lovelace',
  iban: IBAN,
  ...given,
})

const ask = ({ token }: Pick<TestCustomer, 'token'>, body: object) =>
  shop.call('POST', '/api/v1/partnership/withdrawals', { token, body })

const listOf = async ({ token }: Pick<TestCustomer, 'token'>) =>
  (await shop.call('GET', '/api/v1/partnership/withdrawals', { token })).body

const aPartnerWith = async (earnedMinor: number, currency: 'EUR' | 'GBP' = 'EUR') => {
  const partner = await aCustomer(shop)
  await anEarning(shop, partner.id, earnedMinor, currency)
  return partner
}

const rowOf = (id: string) =>
  shop.db.selectFrom('withdrawals').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

describe('POST /api/v1/partnership/withdrawals', () => {
  test('asks for what is available, which is then no longer available', async () => {
    const partner = await aPartnerWith(30_000)
    const request = aRequest({ amount: 299.99, iban: 'de89 3704 0044 0532 0130 00' })
    const reply = await ask(partner, request)
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
    expect(await listOf(partner)).toEqual([reply.body])
  })

  test('takes a sort code and an account number for pounds, and an IBAN too', async () => {
    const partner = await aPartnerWith(60_000, 'GBP')
    const { iban: _, ...rest } = aRequest({ currency: 'GBP', ...SORTED })
    const reply = await ask(partner, rest)
    expect(reply.body).toMatchObject({ method: 'sort_code', endsWith: '5678', currency: 'GBP' })
    expect((await ask(partner, aRequest({ currency: 'GBP' }))).status).toBe(201)
  })

  test('is for 250.00 or more', async () => {
    const partner = await aPartnerWith(30_000)
    const reply = expectProblem(await ask(partner, aRequest({ amount: 249.99 })), 422)
    expect(messageFor(reply, 'amount')).toBe('A withdrawal starts at €250.00')
    expect((await ask(partner, aRequest({ amount: 250 }))).status).toBe(201)
  })

  test.each([300.01, 100_000, 21_474_836.47])(
    'cannot be for %d where 300.00 is available',
    async (amount) => {
      const partner = await aPartnerWith(30_000)
      const reply = expectProblem(await ask(partner, aRequest({ amount })), 422)
      expect(messageFor(reply, 'amount')).toBe('You can withdraw €300.00 at most')
      expect(await listOf(partner)).toEqual([])
    },
  )

  test('cannot be for what is held, or of another currency', async () => {
    const partner = await aPartnerWith(30_000)
    const buyer = await aCustomer(shop)
    await aPaidPayment(shop, { buyerId: buyer.id, partnerId: partner.id, amountMinor: 500_000 })
    await creditPartners(shop)
    expect(await balanceOf(shop, partner)).toMatchObject({ available: 300, pending: 750 })
    expectProblem(await ask(partner, aRequest({ amount: 301 })), 422)
    const inPounds = expectProblem(await ask(partner, aRequest({ currency: 'GBP' })), 422)
    expect(messageFor(inPounds, 'amount')).toBe('You can withdraw £0.00 at most')
  })

  const { iban: _, ...noBank } = aRequest({ currency: 'GBP' })
  const onlySort = { ...noBank, sortCode: '202015' }
  test.each([
    ['a wrong check digit', aRequest({ iban: 'DE89370400440532013001' }), 'iban', /not a valid IBAN/],
    ['a wrong length', aRequest({ iban: 'GB33BUKB2020155555555' }), 'iban', /not a valid IBAN/],
    ['a country without IBANs', aRequest({ iban: 'US64SVBKUS6S3300958879' }), 'iban', /not a valid IBAN/],
    ['no IBAN at all', aRequest({ iban: '' }), 'iban', /Enter an IBAN/],
    ['nowhere to pay to', noBank, 'iban', /Give an IBAN, or a sort code/],
    ['half of an account', onlySort, 'iban', /Give an IBAN, or a sort code/],
    ['two accounts', { ...aRequest({ currency: 'GBP' }), ...SORTED }, 'iban', /Give an IBAN, or/],
    ['a sort code for euros', { ...noBank, currency: 'EUR', ...SORTED }, 'sortCode', /paid in pounds/],
    ['a short sort code', { ...noBank, ...SORTED, sortCode: '20201' }, 'sortCode', /6 digits/],
    ['a short account', { ...noBank, ...SORTED, accountNumber: '1234567' }, 'accountNumber', /8 digits/],
    ['no holder', aRequest({ accountHolder: ' ' }), 'accountHolder', /holder/],
    ['a third of a cent', aRequest({ amount: 250.001 }), 'amount', /withdrawal.*two decimals/],
    ['a negative amount', aRequest({ amount: -300 }), 'amount', /withdrawal.*two decimals/],
    ['a text for an amount', aRequest({ amount: '300' }), 'amount', /withdrawal.*two decimals/],
    ['another currency', aRequest({ currency: 'PLN' }), 'currency', /EUR or GBP/],
  ])('refuses %s', async (_, body, field, message) => {
    const partner = await aPartnerWith(30_000)
    const reply = expectProblem(await ask(partner, body), 422)
    expect(messageFor(reply, field)).toMatch(message)
    expect(await listOf(partner)).toEqual([])
  })

  test('sent again with the same id it is the same withdrawal, whatever is left by then', async () => {
    const partner = await aPartnerWith(30_000)
    const request = aRequest({ amount: 300 })
    const replies = await Promise.all(Array.from({ length: 5 }, () => ask(partner, request)))
    expect(replies.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201])
    expect(await listOf(partner)).toHaveLength(1)
    await settleWithdrawal(shop, request.id, { status: 'paid', reference: null })
    await sql`update withdrawals set details_encrypted = null where id = ${request.id}`.execute(shop.db)
    expect((await ask(partner, request)).body).toMatchObject({ _id: request.id, status: 'paid' })
    expect(await balanceOf(shop, partner)).toEqual({ available: 0, pending: 0, requested: 0, paid: 300 })
  })

  test('is the same one whether its id is written in capital letters or small ones', async () => {
    const partner = await aPartnerWith(60_000)
    const request = aRequest()
    const inCapitals = { ...request, id: request.id.toUpperCase() }
    const replies = [
      await ask(partner, inCapitals),
      await ask(partner, inCapitals),
      await ask(partner, request),
    ]
    expect(replies.map(({ status }) => status)).toEqual([201, 201, 201])
    expect(await listOf(partner)).toHaveLength(1)
  })

  test.each([
    ['another sum', { amount: 251 }],
    ['another account', { iban: 'GB33BUKB20201555555555' }],
    ['another holder', { accountHolder: 'Charles Babbage' }],
  ])('refuses the same id for %s', async (_, change) => {
    const partner = await aPartnerWith(60_000)
    const request = aRequest()
    await ask(partner, request)
    expectProblem(await ask(partner, { ...request, ...change }), 409)
    expect(await listOf(partner)).toHaveLength(1)
  })

  test('refuses an id that is someone else’s, and tells nothing of it', async () => {
    const [partner, eve] = [await aPartnerWith(30_000), await aPartnerWith(30_000)]
    const request = aRequest()
    await ask(partner, request)
    const reply = expectProblem(await ask(eve, request), 409)
    expect(reply.text).not.toContain('3000')
    expect(await listOf(eve)).toEqual([])
    expect(await balanceOf(shop, eve)).toMatchObject({ available: 300, requested: 0 })
  })

  test('twenty at once cannot overdraw', async () => {
    const partner = await aPartnerWith(100_000)
    const replies = await Promise.all(Array.from({ length: 20 }, () => ask(partner, aRequest())))
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(4)
    expect(replies.filter(({ status }) => status === 422)).toHaveLength(16)
    expect(await balanceOf(shop, partner)).toEqual({ available: 0, pending: 0, requested: 1000, paid: 0 })
    expect(await checkBooks(shop)).toEqual([])
  })

  test('is for customers, and each sees their own', async () => {
    expectProblem(await shop.call('POST', '/api/v1/partnership/withdrawals', { body: aRequest() }), 401)
    expectProblem(await shop.call('GET', '/api/v1/partnership/withdrawals'), 401)
    const partner = await aPartnerWith(30_000)
    await ask(partner, aRequest())
    expect(await listOf(await aCustomer(shop))).toEqual([])
  })

  test('cannot be asked for all day', async () => {
    const limited = await startTestShop({ env: { RATE_LIMIT_SCALE: '1' } })
    const { token } = await aCustomer(limited)
    const statuses: number[] = []
    for (let times = 0; times < 11; times++) {
      const reply = await limited.call('POST', '/api/v1/partnership/withdrawals', { token, body: aRequest() })
      statuses.push(reply.status)
    }
    expect(statuses.slice(0, 10)).toEqual(Array(10).fill(422))
    expect(statuses[10]).toBe(429)
  })

  test('keeps the bank account sealed, for this withdrawal only', async () => {
    const partner = await aPartnerWith(60_000)
    const request = aRequest()
    await ask(partner, request)
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
    const { details_encrypted } = await rowOf(request.id)
    expect(details_encrypted?.includes(Buffer.from('37040044'))).toBe(false)
    // Copied to another row, it does not open: that withdrawal is not the one that was asked for.
    const other = aRequest()
    await ask(partner, other)
    await sql`update withdrawals set details_encrypted = ${details_encrypted} where id = ${other.id}`.execute(
      shop.db,
    )
    expect((await ask(partner, other)).status).toBe(500)
  })

  test('tells the operator without the bank account, and the partner that it has arrived', async () => {
    const partner = await aPartnerWith(33_333)
    const request = aRequest({ amount: 333.33 })
    await ask(partner, request)
    const { operatorEmail } = shop.settings
    const operators = await mailbox(shop).latest(operatorEmail, 'wants to be paid €333.33')
    expect(operators.text).toContain(`withdrawal show ${request.id}`)
    expect(operators.text).toContain(partner.email)
    const theirs = await mailbox(shop).latest(partner.email, 'You asked for €333.33')
    expect(theirs.text.replace(/\s+/g, ' ')).toContain('to your account ending in 3000')
    for (const mail of [operators, theirs]) expect(JSON.stringify(mail)).not.toMatch(/37040044|3704 ?0044/)
    expect(operators.text).not.toContain('3000')
  })
})

describe('a withdrawal that ends', () => {
  test('is paid once, and the partner is mailed once', async () => {
    const partner = await aPartnerWith(30_000)
    const request = aRequest()
    await ask(partner, request)
    const ending = { status: 'paid', reference: 'HEDGE 12' } as const
    const settled = await Promise.all(
      Array.from({ length: 5 }, () => settleWithdrawal(shop, request.id, ending)),
    )
    expect(settled.filter((one) => one?.isDone)).toHaveLength(1)
    expect(await balanceOf(shop, partner)).toEqual({ available: 50, pending: 0, requested: 0, paid: 250 })
    expect(await listOf(partner)).toMatchObject([{ status: 'paid', reference: 'HEDGE 12', reason: null }])
    const mail = await mailbox(shop).latest(partner.email, 'We have paid you €250.00')
    expect(mail.text).toContain('HEDGE 12')
    expect(mail.text).toContain('/profile?tab=partnership')
    await queueIsEmpty(shop)
    expect(await mailbox(shop).list(partner.email, 'We have paid')).toHaveLength(1)
  })

  test('cannot be both paid and refused, by two operators at once', async () => {
    const partner = await aPartnerWith(30_000)
    const request = aRequest()
    await ask(partner, request)
    const settled = await Promise.all([
      settleWithdrawal(shop, request.id, { status: 'paid', reference: null }),
      settleWithdrawal(shop, request.id, { status: 'refused', reason: 'No such account.' }),
    ])
    expect(settled.filter((one) => one?.isDone)).toHaveLength(1)
    const { available, paid } = await balanceOf(shop, partner)
    expect([available, paid]).toEqual(settled[0]?.isDone ? [50, 250] : [300, 0])
    await queueIsEmpty(shop)
    expect(await mailbox(shop).list(partner.email, 'We ')).toHaveLength(1)
    expect(await checkBooks(shop)).toEqual([])
  })

  test('refused, it is available again, and its reason is told as plain text', async () => {
    const partner = await aPartnerWith(30_000)
    const request = aRequest()
    await ask(partner, request)
    const reason = '<b>The bank</b> knows no such account.'
    await settleWithdrawal(shop, request.id, { status: 'refused', reason })
    expect(await balanceOf(shop, partner)).toEqual({ available: 300, pending: 0, requested: 0, paid: 0 })
    expect(await listOf(partner)).toMatchObject([{ status: 'refused', reason }])
    const mail = await mailbox(shop).latest(partner.email, 'We could not pay you €250.00')
    expect(mail.text).toContain(`> ${reason}`)
    expect(mail.html).toContain('&lt;b&gt;The bank&lt;/b&gt;')
  })

  test('loses its bank account 90 days later, and no sooner', async () => {
    const partner = await aPartnerWith(90_000)
    const [old, young, open] = [aRequest(), aRequest(), aRequest()]
    for (const request of [old, young, open]) await ask(partner, request)
    for (const { id } of [old, young]) await settleWithdrawal(shop, id, { status: 'paid', reference: null })
    const daysAgo = (id: string, days: number) =>
      sql`update withdrawals set created_at = now() - make_interval(days => ${days} + 1),
        ended_at = case when ended_at is not null then now() - make_interval(days => ${days}) end
        where id = ${id}`.execute(shop.db)
    await daysAgo(old.id, 91)
    await daysAgo(young.id, 89)
    await daysAgo(open.id, 400)
    await hurry(shop, 'tidy-up')
    await until(async () => (await rowOf(old.id)).details_encrypted === null)
    expect((await rowOf(young.id)).details_encrypted).not.toBeNull()
    expect((await rowOf(open.id)).details_encrypted).not.toBeNull()
    expect(await listOf(partner)).toHaveLength(3)
  })
})

describe('a partner who deletes the account', () => {
  test('has to wait while a withdrawal is open', async () => {
    const partner = await aPartnerWith(30_000)
    const request = aRequest()
    await ask(partner, request)
    const reply = expectProblem(await eraseAccount(shop, partner), 409)
    expect(reply.body.detail).toMatch(/^You have asked to be paid from your partner account\. Wait/)
    expect(await balanceOf(shop, partner)).toMatchObject({ requested: 250 })
    await settleWithdrawal(shop, request.id, { status: 'refused', reason: 'Ada asked us to.' })
    expect((await eraseAccount(shop, partner)).status).toBe(200)
  })

  test('gives up the balance, and leaves books that add up and name nobody', async () => {
    const partner = await aPartnerWith(60_000)
    const [paid, refused] = [aRequest(), aRequest({ amount: 300 })]
    await ask(partner, paid)
    await ask(partner, refused)
    await settleWithdrawal(shop, paid.id, { status: 'paid', reference: 'Ada Lovelace 1' })
    await settleWithdrawal(shop, refused.id, { status: 'refused', reason: 'Ada Lovelace moved.' })
    const buyer = await aCustomer(shop)
    await aPaidPayment(shop, { buyerId: buyer.id, partnerId: partner.id, amountMinor: 10_000 })
    await creditPartners(shop)
    expect((await eraseAccount(shop, partner)).status).toBe(200)
    const balances = await shop.db
      .selectFrom('partner_balances')
      .select(['pending_minor', 'available_minor', 'requested_minor', 'paid_minor'])
      .where('partner_id', '=', partner.id)
      .execute()
    expect(balances).toEqual([
      { pending_minor: '0', available_minor: '0', requested_minor: '0', paid_minor: '25000' },
    ])
    expect(await rowOf(refused.id)).toMatchObject({ details_encrypted: null, ends_with: '', reason: '' })
    expect(await rowOf(paid.id)).toMatchObject({
      details_encrypted: null,
      ends_with: '',
      reference: null,
    })
    expect(await checkBooks(shop)).toEqual([])
  })

  test('either gets the withdrawal or the deletion, at once', async () => {
    for (let times = 0; times < 5; times++) {
      const partner = await aPartnerWith(30_000)
      const [asked, erased] = await Promise.all([ask(partner, aRequest()), eraseAccount(shop, partner)])
      expect([
        [201, 409],
        [401, 200],
      ]).toContainEqual([asked.status, erased.status])
    }
    expect(await checkBooks(shop)).toEqual([])
  })

  test('is in the books for six years after the last movement, and then nowhere', async () => {
    const [old, young, alive] = [
      await aPartnerWith(30_000),
      await aPartnerWith(30_000),
      await aPartnerWith(30_000),
    ]
    const request = aRequest()
    await ask(old, request)
    await settleWithdrawal(shop, request.id, { status: 'paid', reference: null })
    await eraseAccount(shop, old)
    await eraseAccount(shop, young)
    const year = new Date().getUTCFullYear()
    // As nobody but the clock can: the ledger refuses to be changed.
    const moveTo = (partnerId: string, at: string) =>
      shop.db.transaction().execute(async (trx) => {
        await sql`alter table ledger_transfers disable trigger ledger_is_append_only`.execute(trx)
        await sql`update ledger_transfers set created_at = ${at}::timestamptz
          where partner_id = ${partnerId}`.execute(trx)
        await sql`alter table ledger_transfers enable trigger ledger_is_append_only`.execute(trx)
      })
    await moveTo(old.id, `${year - 7}-12-31T12:00:00Z`)
    await moveTo(young.id, `${year - 6}-01-01T12:00:00Z`)
    await moveTo(alive.id, `${year - 9}-01-01T12:00:00Z`)
    const left = async (partnerId: string) => {
      const { rows } = await sql<{ count: string }>`
        select (select count(*) from ledger_transfers where partner_id = ${partnerId})
          + (select count(*) from earnings where partner_id = ${partnerId})
          + (select count(*) from withdrawals where partner_id = ${partnerId})
          + (select count(*) from partner_balances where partner_id = ${partnerId}) as count`.execute(shop.db)
      return Number(rows[0]?.count)
    }
    await hurry(shop, 'tidy-up')
    await until(async () => (await left(old.id)) === 0)
    expect(await left(young.id)).toBeGreaterThan(0)
    expect(await left(alive.id)).toBeGreaterThan(0)
    expect(await checkBooks(shop)).toEqual([])
  })

  test('keeps getting nothing for what others pay later', async () => {
    const partner = await aPartnerWith(30_000)
    const buyer = await aCustomer(shop)
    await eraseAccount(shop, partner)
    const paid = { buyerId: buyer.id, partnerId: partner.id, amountMinor: 10_000 }
    const paymentId = await aPaidPayment(shop, paid)
    expect(await creditPartners(shop)).toEqual([])
    expect(await earningOf(shop, paymentId)).toBeUndefined()
    await endHolds(shop, partner.id)
    expect(await checkBooks(shop)).toEqual([])
  })
})
