import { randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { expect, test } from 'vitest'
import { creditPartners } from '#partners/earnings/earnings.service.ts'
import { checkBooks } from '#partners/ledger/check-books.ts'
import type { Database } from '#platform/database/schema.ts'
import { aCustomer } from '#testing/customers.ts'
import { anEarning, aPaidPayment } from '#testing/partners.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()

/** A partner who has had some of everything. */
const aPartner = async () => {
  const partner = await aCustomer(shop)
  const paymentId = await anEarning(shop, partner.id, 90_000)
  const buyer = await aCustomer(shop)
  const held = await aPaidPayment(shop, { buyerId: buyer.id, partnerId: partner.id, amountMinor: 10_000 })
  await creditPartners(shop)
  const id = randomUUID()
  const bank = { accountHolder: 'Ada', iban: 'DE89370400440532013000' }
  const body = { id, currency: 'EUR', amount: 300, ...bank }
  await shop.call('POST', '/api/v1/partnership/withdrawals', { token: partner.token, body })
  return { partnerId: partner.id, paymentId, held, withdrawalId: id }
}

const LATER = "now() - interval '11 minutes'"

/** Each fault is made in a transaction that is rolled back. */
const faultsAfter = async (statement: string, ids: Record<string, string>): Promise<string[]> => {
  let found: string[] = []
  const undo = new Error('taken back')
  const made = shop.db.transaction().execute(async (trx) => {
    await sql`set local session_replication_role = replica`.execute(trx)
    const text = Object.entries(ids).reduce(
      (so, [name, id]) => so.replaceAll(`$${name}`, `'${id}'`),
      statement,
    )
    await sql.raw(text).execute(trx)
    found = (await checkBooks({ db: trx as unknown as Kysely<Database> })).map(({ what }) => what)
    throw undo
  })
  await expect(made).rejects.toBe(undo)
  return found
}

test.each([
  ['nothing', 'select 1', []],
  [
    'a transfer that no balance knows',
    "insert into ledger_transfers (partner_id, currency, kind, from_account, to_account, amount_minor) values ($partnerId, 'EUR', 'given-up', 'available', 'shop', 1)",
    ['balance is not the sum of its transfers: available'],
  ],
  [
    'a balance that was raised',
    'update partner_balances set paid_minor = paid_minor + 1 where partner_id = $partnerId',
    ['balance is not the sum of its transfers: paid', 'paid is not the sum of paid withdrawals'],
  ],
  [
    'an earning that was raised',
    'update earnings set amount_minor = amount_minor + 1 where payment_id = $paymentId',
    ['earning differs from what the ledger says was earned'],
  ],
  [
    'an earning that claims to be free',
    'update earnings set matured_at = now() where payment_id = $held',
    ['earning is held, or is free, and the ledger says otherwise', 'pending is not what earnings hold'],
  ],
  [
    'a refund that nobody took in',
    'update payments set refunded_minor = charged_minor where id = $paymentId',
    ['a refund has not taken its share of the earning'],
  ],
  [
    'a withdrawal that ended by itself',
    "update withdrawals set status = 'paid', ended_at = now() where id = $withdrawalId",
    [
      'paid is not the sum of paid withdrawals',
      'requested is not the sum of open withdrawals',
      'withdrawal differs from its transfers: paid',
    ],
  ],
  [
    'a withdrawal that was lost',
    'delete from withdrawals where id = $withdrawalId',
    ['requested is not the sum of open withdrawals', 'withdrawal differs from its transfers: none'],
  ],
  [
    'an earning for somebody else',
    'update payments set partner_id = gen_random_uuid() where id = $paymentId',
    ['earning of a payment that earns nothing for this partner'],
  ],
  [
    'a payment that waits to be credited for too long',
    `update payments set is_credited = false, ended_at = ${LATER} where id = $paymentId`,
    ['earning of a payment that earns nothing for this partner', 'paid, and its partner not credited'],
  ],
  [
    'a hold that does not end',
    `update earnings set available_at = ${LATER} where payment_id = $held`,
    ['hold is over, and what was earned is not available'],
  ],
  [
    'a level that was given away',
    'update partners set transactions = 25 where customer_id = $partnerId',
    ['transactions are not the credited payments'],
  ],
  [
    'a use of the promocode that nobody made',
    'update partners set promocode_uses = 1 where customer_id = $partnerId',
    ['uses of the promocode are not the credited payments with it'],
  ],
])('finds %s', async (_, statement, faults) => {
  expect(await faultsAfter(statement, await aPartner())).toEqual(faults)
})
