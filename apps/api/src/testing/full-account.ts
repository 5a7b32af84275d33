import { randomUUID } from 'node:crypto'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { requestRefund } from '#money/refunds/refunds.service.ts'
import { resolveWithdrawal } from '#partners/withdrawals/withdrawals.service.ts'
import { replyToConversation } from '#people/conversations/operator-replies.ts'
import { correctWithin } from '#sales/invoices/correct-invoice.ts'
import { aStatement, declare } from '#testing/cancellations.ts'
import { aCustomer } from '#testing/customers.ts'
import { sendUpdate } from '#testing/gateway.ts'
import { aGuard } from '#testing/guards.ts'
import { hurry, queueIsEmpty } from '#testing/jobs.ts'
import { opsSettings, runOps } from '#testing/ops.ts'
import { anOrder } from '#testing/orders.ts'
import { anEarning } from '#testing/partners.ts'
import { payByBlik, startBy } from '#testing/payment-methods.ts'
import { aPurchase, CARDS, challengeOf, connectionsOf, reached, startPayment } from '#testing/payments.ts'
import { planFor, startSale } from '#testing/plans.ts'
import { refundsOf } from '#testing/refunds.ts'
import type { TestShop } from '#testing/test-shop.ts'

/** An account of which every table holds something. */
export const aFullAccount = async (shop: TestShop) => {
  const partner = await aCustomer(shop)
  const customer = await aCustomer(shop, { name: 'Zaphod Unique' })
  const { token } = customer
  await sql`update customers set referred_by = ${partner.id}, redirect_path = '/calculator?days=47'
    where id = ${customer.id}`.execute(shop.db)
  const fields = {
    firstName: 'Zaph',
    phone: '+44 555 0199',
    addressCity: 'Ely',
    addressString: '77 Unrepeatable Row',
  }
  await shop.call('PUT', '/api/v1/user', { token, body: fields })
  const { order, paymentId } = await aPurchase(shop, { days: 17 }, { card_holder: 'AUGUSTA BYRON' }, customer)
  await shop.call('GET', `/api/v1/orders/${order.orderId}/invoice`, { token })
  const [connection] = await connectionsOf(shop, paymentId)
  const connectionId = connection?.id ?? ''
  await shop.call('POST', `/api/v1/connections/${connectionId}/keys`, { token })
  await shop.call('POST', `/api/v1/connections/${connectionId}/keys`, { token })
  await shop.call('POST', `/api/v1/connections/${connectionId}/link`, { token })
  await sql`update payments set cancelled_at = now() - interval '3 hours', cancelled_minor = 117
    where id = ${paymentId}`.execute(shop.db)
  await declare(shop, aStatement({ email: customer.email, message: 'I want no more of it' }))
  await sql`update cancellation_statements set closed_at = now() where email = ${customer.email}`.execute(
    shop.db,
  )
  await sql`update connections set reminded_days = 3, ended_by_hand = array[now() - interval '4 hours']
    where id = ${connectionId}`.execute(shop.db)
  await sql`insert into peers_used_twice (peer_id) select id from peers
    where connection_id = ${connectionId} and replaced_at is null`.execute(shop.db)
  await sql`update peers set connected_on = '2026-11-20', bytes_received = 123456789012, bytes_sent = 987654321
    where connection_id = ${connectionId} and removed_at is null`.execute(shop.db)
  await sql`
    insert into renewals (payment_id, connection_id, days, old_end, new_end)
    values (${paymentId}, ${connectionId}, 31, now(), now() + interval '31 days')`.execute(shop.db)
  await sql`insert into goodwill_days (connection_id, days, reason, old_end, new_end)
    values (${connectionId}, 6, 'outage', now(), now() + interval '6 days')`.execute(shop.db)
  await sql`update payments set vat_country = 'DE', network_country = 'PL', bank_country = 'FR', vat_number = 'DE811907980',
    vat_number_standing = 'unanswered', vat_number_consultation = 'WAPIAAAAYfQBLtRZ', vat_name = 'Lovelace Rechenwerk GmbH',
    vat_address = 'Notengasse 4', vies_name = 'LOVELACE RECHENWERK', vies_address = 'NOTENGASSE 4',
    vies_late_answer = 'valid' where id = ${paymentId}`.execute(shop.db)
  // The sandbox refuses the one, and the other has its credit note.
  await requestRefund(shop, { paymentId, amountMinor: 113 })
  await until(async () => (await refundsOf(shop, paymentId))[0]?.status === 'Decline')
  await requestRefund(shop, { paymentId, amountMinor: 119 })
  await until(async () => {
    await hurry(shop, 'issue-invoices')
    return shop.db
      .selectFrom('credit_notes')
      .select('number')
      .where('payment_id', '=', paymentId)
      .executeTakeFirst()
  })
  await shop.db
    .transaction()
    .execute((trx) => correctWithin(trx, shop.settings, paymentId, { buyer: { name: 'Lovelace & Co' } }))
  const asked = await startPayment(shop, customer, await anOrder(shop, customer), { pan: CARDS.challenged })
  await challengeOf(shop, asked)
  const again = await anOrder(shop, customer)
  const left = await startPayment(shop, customer, again, { pan: CARDS.challenged })
  await challengeOf(shop, left)
  const declined = await startPayment(shop, customer, again, { pan: CARDS.declined, instead: left })
  await reached(shop, declined, 'Decline')
  await startBy(payByBlik, shop, customer, again)
  await startSale(shop, customer, planFor('31 days'), { purchaseId: randomUUID() })
  await shop.call('POST', '/api/v1/user/password/forgot', { body: { username: customer.email } })
  const { promocode } = (await shop.call('GET', '/api/v1/user/profile', { token })).body
  for (let times = 0; times < 7; times++)
    await shop.call('POST', '/api/v1/partnership/crossings', { body: { code: promocode } })
  await anEarning(shop, customer.id, 30_000)
  const bank = { accountHolder: 'Zaphod Unique', iban: 'GB33BUKB20201555555555' }
  const withdrawal = { id: randomUUID(), currency: 'EUR', amount: 251.23, ...bank }
  await shop.call('POST', '/api/v1/partnership/withdrawals', { token, body: withdrawal })
  await sql`insert into payout_batches (id, currency, kind, execution_day, payer, created_at)
    values ('B2AAAAAAAA', 'EUR', 'sepa', '2026-11-24', '{}', now() - interval '2 hours')`.execute(shop.db)
  await sql`
    insert into payouts (reference, batch_id, withdrawal_id, position, released_at, released_because)
    values ('P2AAAAAAAAAA', 'B2AAAAAAAA', ${withdrawal.id}, 1, now(), 'bank AC04')`.execute(shop.db)
  const billing = {
    company: 'Zaphod Unique Ltd',
    companyAddress: '77 Unrepeatable Row',
    vatNumber: 'GB987654321',
    agrees: true,
  }
  await shop.call('PUT', '/api/v1/partnership/billing', { token, body: billing })
  await resolveWithdrawal(shop, withdrawal.id, { status: 'paid', reference: 'HEDGE 77' })
  await sql`update partners set promocode_limit = 4242, promocode_closed_at = now()
    where customer_id = ${customer.id}`.execute(shop.db)
  const words = { id: randomUUID(), name: 'Zaphod', problem: 'Nothing works at 77 Unrepeatable Row.' }
  await shop.call('POST', '/api/v1/support', { token, body: words })
  const question = {
    id: randomUUID(),
    name: 'Zaphod',
    email: customer.email,
    question: 'Is it raining in Ely?',
  }
  await shop.call('POST', '/api/v1/contact', { body: question })
  await sql`update conversations set link_opened_at = now() - interval '5 hours' where id = ${question.id}`.execute(
    shop.db,
  )
  const reply = { conversationId: words.id, text: 'Is the kettle on?', isAgain: false, closes: false }
  await replyToConversation(shop, reply)
  const lost = { paymentId: 'ab'.repeat(16), amountMinor: 4711, currency: 'EUR', status: 'success' }
  await sendUpdate(shop, { ...lost, more: { customer: { id: customer.id } } })
  await sql`insert into disputes (payment_id, amount_minor, currency, reason, reason_group, gate_id, gate_status, respond_by, answered_at)
    values (${paymentId}, 119, 'EUR', '13.1', 'consumer', 'chb-4711', 'challenged', now() + interval '11 hours',
      now() - interval '12 hours')`.execute(shop.db)
  await sql`insert into disputes (payment_id, amount_minor, currency, status, respond_by, ended_at, vat, refund_id, reversed_at)
    select payment_id, amount_minor, 'EUR', 'reversed', now(), now() - interval '19 hours', 'credit-note', id,
      now() - interval '20 hours'
    from refunds where payment_id = ${paymentId} limit 1`.execute(shop.db)
  await sql`insert into restored_invoices (refund_id, order_id, payment_id, of_year, of_number, noted_minor, year, number, snapshot)
    select refund_id, order_id, payments.id, year, number, 0, year, 900001, snapshot
    from disputes join payments on payments.id = payment_id join live_invoices using (order_id)
    where reversed_at is not null and payment_id = ${paymentId}`.execute(shop.db)
  await sql`insert into dispute_hints (payment_id, first_told_at, last_told_at, checked_at)
    values (${paymentId}, now() - interval '13 hours', now() - interval '14 hours', now() - interval '15 hours')`.execute(
    shop.db,
  )
  await sql`update payments set ended_by_dispute_at = now() - interval '16 hours' where id = ${paymentId}`.execute(
    shop.db,
  )
  const operatorId = randomUUID()
  await sql`insert into operators (id, name, role) values (${operatorId}, 'Trillian', 'support')`.execute(
    shop.db,
  )
  await sql`insert into customer_notes (id, customer_id, operator_id, text, created_at)
    values (${randomUUID()}, ${customer.id}, ${operatorId}, 'Prefers towels.', now() - interval '17 hours')`.execute(
    shop.db,
  )
  await sql`insert into second_step_resets (customer_id, operator_id, asked_at)
    values (${customer.id}, ${operatorId}, now() - interval '18 hours')`.execute(shop.db)
  await aGuard(shop, customer.id)
  await queueIsEmpty(shop)
  await runOps(opsSettings(shop), 'connection', 'list', '--customer', customer.email)
  await sql`insert into email_changes (id, customer_id, old_email, new_email, asked_at, expires_at, changed_at, undo_until, ended_at)
    values (${randomUUID()}, ${customer.id}, 'zaph@old.example', 'zaph@new.example', now() - interval '6 hours',
      now() + interval '7 hours', now() - interval '8 hours', now() + interval '9 hours', now() + interval '10 hours')`.execute(
    shop.db,
  )
  await shop.db.insertInto('farewells').values({ id: randomUUID(), email: customer.email }).execute()
  await shop.db.insertInto('returned_mails').values({ email: customer.email, kind: 'bounced' }).execute()
  return customer
}
