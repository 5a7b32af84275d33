import { randomUUID } from 'node:crypto'
import { mailbox } from '@hedgerow/testing/mailbox'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { recordIntent } from '#people/operators/operator-actions.ts'
import { aCustomer, uniqueEmail } from '#testing/customers.ts'
import { aFullAccount } from '#testing/full-account.ts'
import { aGuard } from '#testing/guards.ts'
import { anEarning } from '#testing/partners.ts'
import { aPurchase, connectionsOf } from '#testing/payments.ts'
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
  peers_used_twice:
    'peer_id in (select peers.id from peers join connections on connections.id = connection_id where customer_id = $id)',
  renewals: 'connection_id in (select id from connections where customer_id = $id)',
  goodwill_days: 'connection_id in (select id from connections where customer_id = $id)',
  restored_invoices: 'payment_id in (select id from payments where customer_id = $id)',
  invoice_corrections: 'payment_id in (select id from payments where customer_id = $id)',
  invoices: 'order_id in (select id from orders where customer_id = $id)',
  credit_notes: 'payment_id in (select id from payments where customer_id = $id)',
  partners: 'customer_id = $id',
  earnings: 'partner_id = $id',
  withdrawals: 'partner_id = $id',
  partner_billing: 'partner_id = $id',
  commission_documents: 'withdrawal_id in (select id from withdrawals where partner_id = $id)',
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
  returned_mails: 'email = (select email from customers where id = $id)',
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
  // Sums of whole nodes.
  'node_minutes',
  'node_hours',
  'incidents',
  'incident_updates',
  'free_addresses',
  'imports',
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
  'closed_months',
  'commission_counters',
  'commission_gaps',
  'accounting_rates',
  // What the shop still has to do for a payment, until it is done.
  'failing_invoices',
  'dispute_watch',
  // Of accounts that are deleted.
  'erased_buyers',
  // The shop's own texts.
  'terms',
  // Of payments that are not here.
  'unfiled_chargebacks',
  // Keyed hashes that lead to nobody without the key, for a week at most.
  'rate_counts',
  'velocity_counts',
  // The same for 30 days, and by which of the account's purchases: what was cancelled stands in its payments.
  'returned_purchases',
  // Who runs the shop: no customer.
  'operators',
  'operator_passkeys',
  'operator_identities',
  'operator_invitations',
  'operator_sessions',
  'operator_tokens',
  'operator_challenges',
  // Hashes of what operators did, beside operator_actions.
  'operator_record',
  'accepted_record_faults',
  'second_persons',
  // What each operator gave back, which stands in the refunds too.
  'operator_sums',
  // What of the conversations each operator has seen, and what they answer often.
  'conversation_views',
  'canned_replies',
  'running_settings',
  // Where operators’ programs are, and ids that they were told, for 30 days.
  'webhook_endpoints',
  'webhook_deliveries',
  'shop_checks',
  'backups',
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
  'payments.networks',
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
  ...[
    'id',
    'of_year',
    'of_number',
    'noted_minor',
    'credit_number',
    'credit_snapshot',
    'year',
    'number',
    'snapshot',
  ].flatMap((column) => [`invoice_corrections.${column}`, `restored_invoices.${column}`]),
  'refunds.is_noted',
  'refunds.noted_before_minor',
  'credit_notes.year',
  'credit_notes.number',
  'credit_notes.snapshot',
  'commission_documents.year',
  'commission_documents.number',
  'commission_documents.snapshot',
  'partner_billing.partner_id',
  'connections.ordinal',
  'connections.import_id',
  'connections.link_hash',
  'conversations.link_hash',
  // Who of the shop's people wrote, asked or answers.
  'customer_notes.id',
  'customer_notes.operator_id',
  'goodwill_days.operator_id',
  'second_step_resets.operator_id',
  'conversations.operator_id',
  // Names the shop's own text, which the receipt brought.
  'payments.terms_hash',
  // Its order only.
  'payment_steps.id',
  // Decrypted, as long as they are of use; as the name of the location, and the address that comes of it.
  'peers.private_key_encrypted',
  'peers.preshared_key_encrypted',
  'peers.node_id',
  'peers.position',
  'peers.ipv6_position',
  // What its node was told last.
  'peers.revision',
  // As numbers, and as a day.
  'peers.bytes_received',
  'peers.bytes_sent',
  'peers.connected_on',
  'peers.first_connected_on',
  // As isUsedTwice of its connection.
  'peers_used_twice.seen_at',
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

describe('the file with all data of an account', () => {
  test('tells all that any table holds of it', async () => {
    const customer = await aFullAccount(shop)
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
