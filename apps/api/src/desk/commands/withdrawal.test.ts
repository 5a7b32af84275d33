import { randomUUID } from 'node:crypto'
import { mailbox } from '@hedgerow/testing/mailbox'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { applyRefundUpdates } from '#money/refunds/refunds.service.ts'
import { checkBooks } from '#partners/ledger/check-books.ts'
import { resolveWithdrawal } from '#partners/withdrawals/withdrawals.service.ts'
import { aCustomer } from '#testing/customers.ts'
import { queueIsEmpty } from '#testing/jobs.ts'
import { opsSettings, runOps, runOpsAtTerminal } from '#testing/ops.ts'
import { anEarning, balanceOf } from '#testing/partners.ts'
import { paymentRow } from '#testing/payments.ts'
import { newKey, shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()

const withdrawal = (...args: string[]) => runOps(opsSettings(shop), 'withdrawal', ...args)

/** `show` opens the bank details. */
const show = (key: string | undefined, ...args: string[]) =>
  runOps({ ...opsSettings(shop), KEY_ENCRYPTION_KEY: key ?? '' }, 'withdrawal', 'show', ...args)

const aWithdrawal = async (given: object = {}) => {
  const partner = await aCustomer(shop, { name: 'Ada' })
  await anEarning(shop, partner.id, 30_000, 'GBP')
  const id = randomUUID()
  const bank = { accountHolder: 'Ada Lovelace', iban: 'GB33BUKB20201555555555' }
  const body = { id, currency: 'GBP', amount: 275.5, ...bank, ...given }
  const { token } = partner
  const reply = await shop.call('POST', '/api/v1/partnership/withdrawals', { token, body })
  expect(reply.status, reply.text).toBe(201)
  return { id: reply.body._id, partner }
}

describe('ops withdrawal', () => {
  test('lists those that wait, without bank details', async () => {
    const { id, partner } = await aWithdrawal()
    const { out, code } = await withdrawal('list')
    expect(out).toMatch(/^WITHDRAWAL +REQUESTED +PARTNER +AMOUNT +TO +OWES BACK +BATCH\n/)
    expect(out).toMatch(new RegExp(`${id} .*${partner.email} +£275\\.50 +…5555`))
    expect(out).not.toContain('2020155')
    expect(code).toBe(0)
    const { json } = await withdrawal('list', '--json')
    expect(json.hasMore).toBe(false)
    expect(json.withdrawals).toContainEqual(
      expect.objectContaining({
        id,
        partner: partner.email,
        amount: '275.50',
        currency: 'GBP',
        status: 'requested',
        owing: '0.00',
      }),
    )
    expect((await withdrawal('list', '--status', 'refused')).out).not.toContain(id)
    expect((await withdrawal('list', '--status', 'gone')).code).toBe(2)
    await aWithdrawal()
    const first = await withdrawal('list', '--limit', '1')
    expect(first.out.split('\n')).toHaveLength(4)
    expect(first.out).toMatch(/There are more than these 1\./)
  })

  test('shows where the money goes, too, when the partner wrote the number in capital letters', async () => {
    const { id } = await aWithdrawal({ id: randomUUID().toUpperCase() })
    const { out, err } = await show(shop.env.KEY_ENCRYPTION_KEY, id)
    expect(out, err).toMatch(/IBAN +GB33 BUKB 2020 1555 5555 55\n/)
  })

  test('shows where the money goes, to whoever has the shop’s key', async () => {
    const { id, partner } = await aWithdrawal()
    const { out, code } = await show(shop.env.KEY_ENCRYPTION_KEY, id)
    expect(out).toMatch(/Holder +Ada Lovelace\nIBAN +GB33 BUKB 2020 1555 5555 55\n/)
    expect(out).toContain(partner.email)
    expect(code).toBe(0)
    const { json } = await show(shop.env.KEY_ENCRYPTION_KEY, id, '--json')
    expect(json.bank).toEqual({ accountHolder: 'Ada Lovelace', iban: 'GB33BUKB20201555555555' })
    const wrong = await show(newKey(), id)
    expect([wrong.code, wrong.out]).toEqual([1, ''])
    expect(wrong.err).not.toContain('2020')
  })

  test('shows a sort code and an account as they are written', async () => {
    const { id } = await aWithdrawal({ iban: undefined, sortCode: '202015', accountNumber: '55779911' })
    const { out } = await show(shop.env.KEY_ENCRYPTION_KEY, id)
    expect(out).toMatch(/Sort code +20-20-15\nAccount +55779911\n/)
  })

  test('says so when the bank details are deleted', async () => {
    const { id } = await aWithdrawal()
    await withdrawal('paid', id, '--yes')
    await sql`update withdrawals set details_encrypted = null where id = ${id}`.execute(shop.db)
    const { out } = await show(shop.env.KEY_ENCRYPTION_KEY, id)
    expect(out).toMatch(/Bank details +deleted/)
    expect(out).toMatch(/Status +paid on /)
  })

  test('is paid once the operator has said yes, and says so the second time', async () => {
    const { id, partner } = await aWithdrawal()
    const no = await runOpsAtTerminal(opsSettings(shop), 'n\n', 'withdrawal', 'paid', id)
    expect(no.out).toContain(`Have you sent £275.50 to the account of ${partner.email} ending in 5555?`)
    expect(no.code).toBe(1)
    expect(await balanceOf(shop, partner, 'GBP')).toMatchObject({ requested: 275.5, paid: 0 })
    const nobody = await withdrawal('paid', id)
    expect(nobody.err).toContain('There is no terminal to answer in')
    const paid = await withdrawal('paid', id, '--reference', 'HEDGE 77', '--yes')
    expect([paid.code, paid.out]).toEqual([0, 'Recorded as paid. The partner gets a mail.\n'])
    const again = await withdrawal('paid', id)
    expect(again.out).toMatch(/^Nothing was done: it was already paid on \d\d\/\d\d\/\d{4} \d\d:\d\d\.\n$/)
    expect(again.code).toBe(0)
    expect((await withdrawal('paid', id, '--reference', 'HEDGE 77')).code).toBe(0)
    const other = await withdrawal('paid', id, '--reference', 'HEDGE 78')
    expect([other.code, other.out]).toEqual([1, ''])
    expect(other.err).toMatch(
      /^Nothing was done: it was already paid on .*\. This reference was not recorded; the recorded one is “HEDGE 77”\.\n$/,
    )
    const refused = await withdrawal('refuse', id, '--reason', 'Too late', '--yes')
    expect([refused.code, refused.out]).toEqual([1, ''])
    expect(refused.err).toMatch(/^Nothing was done: it was already paid on /)
    expect(await balanceOf(shop, partner, 'GBP')).toMatchObject({
      available: 24.5,
      requested: 0,
      paid: 275.5,
    })
  })

  describe('of which later refunds want something back', () => {
    const anOwing = async () => {
      const partner = await aCustomer(shop, { name: 'Ada' })
      const earned = await anEarning(shop, partner.id, 30_000, 'GBP')
      const other = await anEarning(shop, partner.id, 1_000, 'EUR')
      const bank = { accountHolder: 'Ada Lovelace', iban: 'GB33BUKB20201555555555' }
      const { token } = partner
      const body = { currency: 'GBP', amount: 275.5, ...bank }
      const { _id: id } = (await shop.call('POST', '/api/v1/partnership/withdrawals', { token, body })).body
      return { id: id as string, partner, earned, other }
    }

    const refunded = async (paymentId: string) => {
      const { charged_minor, charged_currency } = await paymentRow(shop, paymentId)
      const update = { requestId: undefined, refundId: undefined, status: 'success' as const, code: '0' }
      const sum = { amountMinor: charged_minor, currency: charged_currency, operationId: randomUUID() }
      expect(await applyRefundUpdates(shop, paymentId, [{ ...update, ...sum }])).toBe(true)
    }

    test('says so before the operator is asked, in that currency alone', async () => {
      const { id, partner, earned, other } = await anOwing()
      await refunded(other)
      expect((await show(shop.env.KEY_ENCRYPTION_KEY, id)).out).not.toContain('Owed')
      await refunded(earned)
      // 24.50 were there to be taken.
      const told =
        'The partner owes £275.50 back because of refunds, which the partner account does not cover: as much as this withdrawal, or more'
      expect((await show(shop.env.KEY_ENCRYPTION_KEY, id)).out).toMatch(new RegExp(`\\nOwed +${told}\\.\\n`))
      expect((await show(shop.env.KEY_ENCRYPTION_KEY, id, '--json')).json.owing).toBe('275.50')
      expect((await withdrawal('list')).out).toMatch(new RegExp(`${id} .* £275\\.50 +…5555 +£275\\.50\n`))
      const no = await runOpsAtTerminal(opsSettings(shop), 'n\n', 'withdrawal', 'paid', id, '--although')
      expect(no.out).toContain(`${told}. Have you sent £275.50 to the account`)
      expect(no.code).toBe(1)
      expect(await balanceOf(shop, partner, 'GBP')).toMatchObject({ requested: 275.5, paid: 0 })
      const paid = await withdrawal('paid', id, '--although', '--yes')
      expect(paid.out).toBe(`${told}.\nRecorded as paid. The partner gets a mail.\n`)
    })

    test('is not paid unless the operator says although', async () => {
      const { id, partner, earned } = await anOwing()
      await refunded(earned)
      const no = await withdrawal('paid', id, '--yes')
      expect([no.code, no.out]).toEqual([1, ''])
      expect(no.err).toMatch(/^Nothing was done\. The partner owes £275\.50 back .* add --although\.\n$/)
      const { json, code } = await withdrawal('paid', id, '--yes', '--json')
      expect([code, json.outcome, json.status, json.owing]).toEqual([1, 'refused', 'requested', '275.50'])
      await queueIsEmpty(shop)
      expect(await mailbox(shop).list(partner.email, 'We have paid you')).toEqual([])
      expect(await balanceOf(shop, partner, 'GBP')).toMatchObject({ requested: 275.5, paid: 0 })

      const paid = await withdrawal('paid', id, '--although', '--yes', '--json')
      expect(paid.json).toMatchObject({ outcome: 'recorded', status: 'paid', owing: '275.50' })
      expect((await withdrawal('paid', id, '--yes')).out).toMatch(/^Nothing was done: it was already/)
      expect(await balanceOf(shop, partner, 'GBP')).toMatchObject({ requested: 0, paid: 275.5 })
    })

    test('and was paid all the same, stays owed, in sight, until it is taken from what is earned next', async () => {
      const { id, partner, earned } = await anOwing()
      await refunded(earned)
      await resolveWithdrawal(shop, id, { status: 'paid', reference: null }, { knownOwing: 27_550 })
      expect((await checkBooks(shop)).filter(({ partner_id }) => partner_id === partner.id)).toEqual([])
      const ops = (...args: string[]) => runOps(opsSettings(shop), ...args)
      const account = await ops('partner', 'show', partner.email, '--json')
      expect(account.json.balances).toContainEqual(
        expect.objectContaining({ currency: 'GBP', paid: '275.50', owing: '275.50' }),
      )
      expect((await ops('partner', 'show', partner.email)).out).toMatch(
        /£275\.50 paid; owes £275\.50 back because of refunds\n/,
      )
      expect((await ops('reconcile', '--json')).json.partnersOwe).toContainEqual({
        partner: partner.id,
        currency: 'GBP',
        amount: '275.50',
      })
      expect((await ops('reconcile')).out).toMatch(
        /\nPartner \w+ owes £275\.50 back because of refunds\. It is taken /,
      )

      // What they earn next is taken first.
      await anEarning(shop, partner.id, 30_000, 'GBP')
      const after = await ops('partner', 'show', partner.email, '--json')
      expect(after.json.balances).toContainEqual(
        expect.objectContaining({ currency: 'GBP', available: '24.50', paid: '275.50', owing: '0.00' }),
      )
    })

    test('is nothing any more once it was refused', async () => {
      const { id, partner, earned } = await anOwing()
      await refunded(earned)
      await withdrawal('refuse', id, '--reason', 'Refunded', '--yes')
      expect(await balanceOf(shop, partner, 'GBP')).toMatchObject({ available: 0, requested: 0, paid: 0 })
      expect((await show(shop.env.KEY_ENCRYPTION_KEY, id)).out).not.toContain('Owed')
    })

    test('is not paid in ignorance of a refund that comes while the operator thinks', async () => {
      const { id, earned } = await anOwing()
      await refunded(earned)
      const ending = { status: 'paid', reference: null } as const
      expect(await resolveWithdrawal(shop, id, ending, { knownOwing: 0 })).toMatchObject({
        isDone: false,
        owesMinor: 27_550,
      })
      expect((await show(shop.env.KEY_ENCRYPTION_KEY, id)).out).toMatch(/Status +requested/)
      expect(await resolveWithdrawal(shop, id, ending, { knownOwing: 27_550 })).toMatchObject({
        isDone: true,
      })
    })
  })

  test('is refused with a reason, which the partner reads', async () => {
    const { id, partner } = await aWithdrawal()
    expect((await withdrawal('refuse', id, '--yes')).code).toBe(2)
    expect((await withdrawal('refuse', id, '--reason', '  ', '--yes')).code).toBe(2)
    const reason = 'The bank knows no such account.'
    const { json, code } = await withdrawal('refuse', id, '--reason', reason, '--yes', '--json')
    expect(json).toMatchObject({ outcome: 'recorded', id, status: 'refused', reason })
    expect(code).toBe(0)
    expect(await balanceOf(shop, partner, 'GBP')).toMatchObject({ available: 300, requested: 0 })
    const mail = await mailbox(shop).latest(partner.email, 'We could not pay you £275.50')
    expect(mail.text).toContain(reason)
    expect((await withdrawal('refuse', id, '--reason', reason, '--json')).json.outcome).toBe('known')
    const other = await withdrawal('refuse', id, '--reason', 'Another.')
    expect(other.err).toMatch(
      /This reason was not recorded; the recorded one is “The bank knows no such account\.”/,
    )
  })

  test('of two operators at once one wins, and the partner gets one mail', async () => {
    const { id, partner } = await aWithdrawal()
    const outcomes = await Promise.all([
      withdrawal('paid', id, '--yes'),
      withdrawal('refuse', id, '--reason', 'No such account', '--yes'),
    ])
    expect(outcomes.map(({ code }) => code).sort()).toEqual([0, 1])
    await queueIsEmpty(shop)
    expect(await mailbox(shop).list(partner.email, 'We ')).toHaveLength(1)
  })

  test.each([randomUUID(), 'nonsense', "' or 1=1"])('knows no withdrawal %s', async (id) => {
    const { code, err } = await withdrawal('paid', id, '--yes')
    expect(err).toBe(`There is no withdrawal ${id}.\n`)
    expect(code).toBe(1)
  })
})
