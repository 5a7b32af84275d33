import { randomUUID } from 'node:crypto'
import { mailbox } from '@hedgerow/testing/mailbox'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { replyToConversation } from '#backoffice/operate-conversations.ts'
import { recordIntent } from '#operators/operator-actions.ts'
import { settleWithdrawal } from '#partnership/withdrawals.service.ts'
import { requestRefund } from '#refunds/refunds.service.ts'
import { aStatement, declare } from '#testing/cancellations.ts'
import { aCustomer, uniqueEmail } from '#testing/customers.ts'
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
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()

const dataOf = (token: string) => shop.call('GET', '/api/v1/user/data', { token })

/** How the rows of a customer are found in each table that holds some. */
const HELD: Readonly<Record<string, string>> = {
  customers: 'id = $id',
  sessions: 'customer_id = $id',
  account_links: 'customer_id = $id',
  email_changes: 'customer_id = $id',
  orders: 'customer_id = $id',
  payments: 'customer_id = $id',
  payment_steps: 'payment_id in (select id from payments where customer_id = $id)',
  customer_notes: 'customer_id = $id',
  second_step_resets: 'customer_id = $id',
  purchases: 'customer_id = $id',
  refunds: 'payment_id in (select id from payments where customer_id = $id)',
  connections: 'customer_id = $id',
  peers: 'connection_id in (select id from connections where customer_id = $id)',
  renewals: 'connection_id in (select id from connections where customer_id = $id)',
  invoices: 'order_id in (select id from orders where customer_id = $id)',
  credit_notes: 'payment_id in (select id from payments where customer_id = $id)',
  partners: 'customer_id = $id',
  earnings: 'partner_id = $id',
  withdrawals: 'partner_id = $id',
  payouts: 'withdrawal_id in (select id from withdrawals where partner_id = $id)',
  ledger_transfers: 'partner_id = $id',
  partner_balances: 'partner_id = $id',
  conversations: `customer_id = $id
    or customer_id is null and lower(email) = (select email from customers where id = $id)`,
  conversation_messages: `conversation_id in (select id from conversations where customer_id = $id
    or customer_id is null and lower(email) = (select email from customers where id = $id))`,
  cancellation_statements: 'lower(email) = (select email from customers where id = $id)',
  operator_actions: `subject in ($id::text, (select promocode from customers where id = $id))
    or subject in (select id::text from orders where customer_id = $id)
    or subject in (select id from payments where customer_id = $id)
    or subject in (select id::text from withdrawals where partner_id = $id)
    or subject in (select disputes.id::text from disputes join payments on payments.id = payment_id where customer_id = $id)`,
  disputes: 'payment_id in (select id from payments where customer_id = $id)',
  dispute_hints: 'payment_id in (select id from payments where customer_id = $id)',
  unknown_payments: 'gate_customer_id = $id::text',
  passkeys: 'customer_id = $id',
  totp_secrets: 'customer_id = $id',
  recovery_codes: 'customer_id = $id',
  auth_challenges: 'customer_id = $id',
  security_events: 'customer_id = $id',
  farewells: 'email = (select email from customers where id = $id)',
}

/** Tables of the shop's own: no row is about one customer. */
const NOBODYS = [
  'nodes',
  'node_watch',
  // Programs of nodes.
  'agent_archives',
  'agent_archive_parts',
  'node_upgrades',
  'node_days',
  'incidents',
  'incident_updates',
  'free_addresses',
  'job_workers',
  // Which keys seal, and ids of what they do not open.
  'sealing_keys',
  'key_holders',
  'unreadable_secrets',
  'rates',
  // What the gateway booked: of a customer's payments and refunds these tables say nothing that those do not.
  'settlement_operations',
  'settlement_runs',
  'settlement_balances',
  'layers',
  'plans',
  // Files for the operator's bank: the account that pays, and no partner's.
  'payout_batches',
  'invoice_counters',
  'invoice_gaps',
  'credit_note_counters',
  'credit_note_gaps',
  'accounting_rates',
  // What the shop still has to do for a payment, until it is done.
  'failing_invoices',
  'dispute_watch',
  // Of payments that are not here.
  'unfiled_chargebacks',
  // Keyed hashes that lead to nobody without the key, for a week at most.
  'rate_counts',
  'velocity_counts',
  // Who runs the shop: no customer.
  'operators',
  'operator_passkeys',
  'operator_invitations',
  'operator_sessions',
  'operator_tokens',
  'operator_challenges',
  // What of the conversations each operator has seen, and what they answer often.
  'conversation_views',
  'canned_replies',
  'running_settings',
  'plan_changes',
  'price_changes',
  'kysely_migration',
  'kysely_migration_lock',
  'schema_floor',
]

/** Columns that are not told as they stand. */
const TOLD_OTHERWISE = [
  // Of no use to the customer, and of much to a thief.
  'customers.password_hash',
  'customers.signup_secret_hash',
  'sessions.token_hash',
  'customers.way_back_hash',
  'passkeys.credential_id',
  'passkeys.public_key',
  'totp_secrets.secret_encrypted',
  'totp_secrets.pending_encrypted',
  'recovery_codes.code_hash',
  'auth_challenges.token_hash',
  'auth_challenges.challenge',
  // As a time, and as a number.
  'totp_secrets.last_step',
  'totp_secrets.pending_session_id',
  'passkeys.counter',
  // They name the rows, and the hour is that of their first time.
  'recovery_codes.id',
  'security_events.id',
  'security_events.hour',
  'account_links.token_hash',
  'email_changes.confirm_hash',
  'email_changes.undo_hash',
  // Who the partner is, is theirs to tell: cameByReferral.
  'customers.referred_by',
  // In units of the currency.
  'orders.total_minor',
  'orders.price_minor',
  'orders.discount_minor',
  'payments.amount_minor',
  'payments.charged_minor',
  'payments.refunded_minor',
  'payments.cancelled_minor',
  'refunds.amount_minor',
  'disputes.amount_minor',
  'payments.disputed_minor',
  'earnings.amount_minor',
  'earnings.due_back_minor',
  'earnings.reversed_minor',
  'withdrawals.amount_minor',
  'ledger_transfers.amount_minor',
  'partner_balances.pending_minor',
  'partner_balances.available_minor',
  'partner_balances.requested_minor',
  'partner_balances.paid_minor',
  // Whom the customer's payments credit, is the partner's affair; and what the partner earned from, its customer's.
  'payments.partner_id',
  'payments.is_credited',
  // A refund that is due tells.
  'payments.is_unknown',
  'payments.uncredited_because',
  // Keyed hashes: they say nothing by themselves.
  'unknown_payments.amount_minor',
  // The account is their own.
  'unknown_payments.gate_customer_id',
  'payments.card_hash',
  'payments.network_hash',
  'earnings.payment_id',
  'ledger_transfers.payment_id',
  // The account is their own: it needs no id.
  'partners.customer_id',
  'earnings.partner_id',
  'withdrawals.partner_id',
  'ledger_transfers.partner_id',
  'partner_balances.partner_id',
  // Decrypted.
  'withdrawals.details_encrypted',
  // Where it stood in the operator's file; by the time of that file.
  'payouts.batch_id',
  'payouts.position',
  // By their names on the wire.
  'orders.options',
  'connections.options',
  'connections.filters_on',
  // By name and period.
  'orders.plan_id',
  // By its name, where its connections are on another.
  'orders.location_id',
  // The invoices tell.
  'payments.is_invoiced',
  'invoices.year',
  'invoices.number',
  'invoices.snapshot',
  'refunds.is_noted',
  'refunds.noted_before_minor',
  'credit_notes.year',
  'credit_notes.number',
  'credit_notes.snapshot',
  'connections.ordinal',
  'connections.link_hash',
  'conversations.link_hash',
  // Who of the shop's people wrote, asked or answers.
  'customer_notes.id',
  'customer_notes.operator_id',
  'second_step_resets.operator_id',
  'conversations.operator_id',
  // Its order only.
  'payment_steps.id',
  // Decrypted, as long as they are of use; as the name of the location, and the address that comes of it.
  'peers.private_key_encrypted',
  'peers.preshared_key_encrypted',
  'peers.node_id',
  'peers.position',
  // What its node was told last.
  'peers.revision',
  // As numbers, and as a day.
  'peers.bytes_received',
  'peers.bytes_sent',
  'peers.connected_on',
  'peers.first_connected_on',
  // The mail's address is the account's own, and what names its job is no data.
  'farewells.id',
  // That it was done, and when; who did it, and how it was typed, is the operator's.
  'operator_actions.id',
  'operator_actions.who',
  'operator_actions.arguments',
  'operator_actions.subject',
]

/** As the file writes it; of several values each, in whatever order. */
const written = (value: unknown): string[] =>
  value instanceof Date || typeof value !== 'object'
    ? [JSON.stringify(value)]
    : Object.values(value ?? {}).flatMap(written)

/** An account of which every table holds something. */
const aFullAccount = async () => {
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
  await sql`update peers set connected_on = '2026-11-20', bytes_received = 123456789012, bytes_sent = 987654321
    where connection_id = ${connectionId} and removed_at is null`.execute(shop.db)
  await sql`
    insert into renewals (payment_id, connection_id, days, old_end, new_end)
    values (${paymentId}, ${connectionId}, 31, now(), now() + interval '31 days')`.execute(shop.db)
  await sql`update payments set vat_country = 'DE', network_country = 'PL', bank_country = 'FR', vat_number = 'DE811907980',
    vat_number_standing = 'unanswered', vat_number_consultation = 'WAPIAAAAYfQBLtRZ' where id = ${paymentId}`.execute(
    shop.db,
  )
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
  await settleWithdrawal(shop, withdrawal.id, { status: 'paid', reference: 'HEDGE 77' })
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
  return customer
}

describe('the file with all data of an account', () => {
  test('tells all that any table holds of it', async () => {
    const customer = await aFullAccount()
    const { text } = await dataOf(customer.token)
    const { rows: tables } = await sql<{ name: string }>`
      select tablename as name from pg_tables where schemaname = 'public' order by 1`.execute(shop.db)
    expect(tables.map(({ name }) => name)).toEqual([...Object.keys(HELD), ...NOBODYS].sort())
    for (const [name, found] of Object.entries(HELD)) {
      const where = sql.raw(found.replaceAll('$id', `'${customer.id}'`))
      const { rows } = await sql<Record<string, unknown>>`
        select * from ${sql.table(name)} where ${where}`.execute(shop.db)
      expect(rows.length, name).toBeGreaterThan(0)
      for (const [column, value] of rows.flatMap((row) => Object.entries(row))) {
        if (value === null || TOLD_OTHERWISE.includes(`${name}.${column}`)) continue
        for (const part of written(value)) expect(text.includes(part), `${name}.${column} ${part}`).toBe(true)
      }
    }
  })

  test('tells when what guards it was set up and used, and nothing that would let anybody in', async () => {
    const customer = await aCustomer(shop)
    const secrets = await aGuard(shop, customer.id)
    const { body, text } = await dataOf(customer.token)
    expect(body.secondStep).toMatchObject({
      app: { confirmedAt: expect.stringMatching(/Z$/), lastCodeAt: expect.stringMatching(/Z$/) },
      passkeys: [{ name: 'Yubi on the ring', signatures: 7_341, transports: ['usb', 'nfc'] }],
      recoveryCodes: [{ usedAt: null }, { usedAt: expect.stringMatching(/Z$/) }],
      underWay: [{ purpose: 'second-step', tries: 0 }],
    })
    expect(body.securityEvents).toMatchObject([{ kind: 'data-exported', times: 1 }])
    for (const [what, secret] of Object.entries(secrets)) expect(text.includes(secret), what).toBe(false)
  })

  test('tells each time that an operator opened or changed what is its own, and nobody else’s', async () => {
    const [{ customer, order, paymentId }, eve] = await Promise.all([aPurchase(shop), aPurchase(shop)])
    const { token } = customer
    await anEarning(shop, customer.id, 30_000)
    const bank = { accountHolder: 'Ada', iban: 'GB33BUKB20201555555555' }
    const body = { currency: 'EUR', amount: 250, ...bank }
    const { _id } = (await shop.call('POST', '/api/v1/partnership/withdrawals', { token, body })).body
    const { promocode } = (await shop.call('GET', '/api/v1/partnership', { token })).body
    for (const [command, subject] of [
      ['order show', order.orderId],
      ['payment show', paymentId],
      ['order show', eve.order.orderId],
      ['withdrawal show', _id],
      ['promocode close', promocode.toLowerCase()],
      ['payment show', eve.paymentId],
    ] as const) {
      const end = await recordIntent(shop, { who: 'wren@desk', command, arguments: {}, subject })
      await end('done')
    }
    const { operatorActions } = (await dataOf(token)).body
    expect(operatorActions.map(({ command }: { command: string }) => command)).toEqual([
      'order show',
      'payment show',
      'withdrawal show',
      'promocode close',
    ])
  })

  test('tells the bank account of a withdrawal, and nothing of the payments that were earned from', async () => {
    const customer = await aCustomer(shop)
    const paymentId = await anEarning(shop, customer.id, 30_000)
    const bank = { accountHolder: 'Zoë Ł', sortCode: '20-20-15', accountNumber: '5555 5555' }
    const { token } = customer
    const asked = await shop.call('POST', '/api/v1/partnership/withdrawals', {
      token,
      body: { currency: 'EUR', amount: 250, accountHolder: 'Zoë Ł', iban: 'GB33 BUKB 2020 1555 5555 55' },
    })
    expect(asked.status, asked.text).toBe(201)
    await anEarning(shop, customer.id, 30_000, 'GBP')
    const inPounds = { currency: 'GBP', amount: 250, ...bank }
    const second = await shop.call('POST', '/api/v1/partnership/withdrawals', { token, body: inPounds })
    expect(second.status, second.text).toBe(201)
    const { body, text } = await dataOf(token)
    expect(
      body.partnership.withdrawals.map(({ bankAccount }: { bankAccount: object }) => bankAccount),
    ).toEqual([
      { accountHolder: 'Zoë Ł', sortCode: '202015', accountNumber: '55555555' },
      { accountHolder: 'Zoë Ł', iban: 'GB33BUKB20201555555555' },
    ])
    expect(text).not.toContain(paymentId)
  })

  test('tells on which day a peer was connected, and its bytes', async () => {
    const { customer, paymentId } = await aPurchase(shop)
    const [connection] = await connectionsOf(shop, paymentId)
    await sql`update peers set connected_on = '2026-11-20', bytes_received = 123456789012, bytes_sent = 5
      where connection_id = ${connection?.id}`.execute(shop.db)
    const { connections } = (await dataOf(customer.token)).body
    const told = connections.find(({ _id }: { _id: string }) => _id === connection?.id)
    expect(told.peers).toMatchObject([
      { connectedOn: '2026-11-20', bytesReceived: 123_456_789_012, bytesSent: 5, location: 'demonstration' },
    ])
    expect(told.peers[0].address).toBe(told.address)
  })

  test('tells which jobs wait that name the account or what is its own, and nobody else’s', async () => {
    const [customer, eve] = await Promise.all([aPurchase(shop), aPurchase(shop)])
    // Its own job comes a while after the purchase.
    await mailbox(shop).latest(customer.customer.email, 'Your receipt')
    const names = [
      ['mail-reset', { customerId: customer.customer.id }],
      ['deliver-payment', { paymentId: customer.paymentId }],
      ['mail-reset', { customerId: eve.customer.id }],
    ] as const
    for (const [task, payload] of names) {
      await sql`select graphile_worker.add_job(${task}, ${JSON.stringify(payload)}::json,
        run_at := now() + interval '1 hour')`.execute(shop.db)
    }
    const { body } = await dataOf(customer.customer.token)
    // The file itself is mailed of.
    const jobs = body.jobs.filter(({ task }: { task: string }) => task !== 'mail-security-change')
    expect(jobs.map(({ task }: { task: string }) => task)).toEqual(['mail-reset', 'deliver-payment'])
    for (const { runAt } of jobs) expect(Date.parse(runAt)).toBeGreaterThan(Date.now() + 3_500_000)
    await sql`select graphile_worker.complete_jobs(array_agg(id)) from graphile_worker.jobs
      where task_identifier in ('mail-reset', 'deliver-payment')`.execute(shop.db)
  })

  test('says that a last mail is on its way to whoever had the address before', async () => {
    const email = uniqueEmail()
    await shop.db.insertInto('farewells').values({ id: randomUUID(), email }).execute()
    const [again, other] = await Promise.all([aCustomer(shop, { email }), aCustomer(shop)])
    expect((await dataOf(again.token)).body.farewells).toHaveLength(1)
    expect((await dataOf(other.token)).body.farewells).toEqual([])
  })
})
