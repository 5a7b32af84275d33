import { formatDate, formatUkTime } from '@hedgerow/domain/dates'
import { SHIPPED_LEGAL_DATE } from '@hedgerow/domain/legal-texts'
import { hasPdfTools, readPdf } from '@hedgerow/testing/documents'
import { mailbox } from '@hedgerow/testing/mailbox'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { requestRefund } from '#money/refunds/refunds.service.ts'
import { expireConnection } from '#network/connections/end-connection.ts'
import { createLog } from '#platform/instrumentation/log.ts'
import { issueDueInvoices } from '#sales/invoices/issue-invoices.ts'
import { cancel } from '#testing/cancellations.ts'
import { aCustomer } from '#testing/customers.ts'
import { sendUpdate } from '#testing/gateway.ts'
import { hurry, postpone, queueIsEmpty } from '#testing/jobs.ts'
import { anOrder } from '#testing/orders.ts'
import { answerElsewhere, payByBlik, setRate, startBy } from '#testing/payment-methods.ts'
import {
  aPurchase,
  aWaitingPurchase,
  CARDS,
  challengeOf,
  connectionsOf,
  paymentRow,
  reached,
  startPayment,
} from '#testing/payments.ts'
import { planFor, startSale } from '#testing/plans.ts'
import { openSecondFront, shopOfFile, startTestShop, type TestShop } from '#testing/test-shop.ts'

const shop = shopOfFile()
const inbox = () => mailbox(shop)
const issueNow = () => issueDueInvoices({ db: shop.db, settings: shop.settings, log: createLog('silent') })

/** The mails to an address so far, once nothing is under way. */
const subjectsTo = async (email: string) => {
  await queueIsEmpty(shop)
  return (await inbox().list(email, '')).map(({ subject }) => subject)
}

describe('a receipt that comes late', () => {
  test.each<
    [
      string,
      (own: TestShop, paymentId: string, bought: Awaited<ReturnType<typeof aPurchase>>) => Promise<unknown>,
      string,
    ]
  >([
    [
      'after a cancellation says so',
      (own, paymentId, { customer }) => cancel(own, customer, paymentId),
      'You cancelled this purchase on ',
    ],
    [
      'after all was refunded says so',
      async (own, paymentId) => {
        await requestRefund(own, { paymentId })
        await until(async () => (await paymentRow(own, paymentId)).refunded_minor === 3000)
      },
      'All of it has been refunded since. The connections it bought have ended.',
    ],
    [
      'after the connections have ended says so',
      async (own, paymentId) => {
        for (const { id } of await connectionsOf(own, paymentId)) await expireConnection(own, id)
      },
      'The connections it bought have ended.',
    ],
  ])('%s, and not that anything is ready', async (_, happens, words) => {
    const own = await startTestShop()
    await postpone(own, 'issue-invoices')
    const bought = await aPurchase(own)
    await happens(own, bought.paymentId, bought)
    await hurry(own, 'issue-invoices')
    const { text } = await mailbox(own).latest(bought.customer.email, 'Your receipt')
    expect(text.replace(/\s+/g, ' ')).toContain(words)
    expect(text).not.toMatch(/are ready|Works until|WireGuard/)
  })
})

describe('the receipt', () => {
  test('names no accepted terms where none are recorded, as of an adopted payment', async () => {
    const own = await startTestShop()
    await postpone(own, 'issue-invoices')
    const { customer, paymentId } = await aPurchase(own)
    await sql`update payments set terms_hash = null where id = ${paymentId}`.execute(own.db)
    await hurry(own, 'issue-invoices')
    const { text, attachments } = await mailbox(own).latest(customer.email, 'Your receipt')
    expect(text).not.toMatch(/accepted|asked us to start/)
    expect(attachments.map(({ filename }) => filename)).toEqual(['cancellation_form.txt'])
  })

  test('brings a business its invoice, and tells everybody else where it is', async () => {
    const own = await startTestShop()
    await postpone(own, 'issue-invoices')
    const [business, private_] = [await aPurchase(own), await aPurchase(own)]
    await sql`update payments set vat_country = 'NL', vat_number = 'NL123456789B01', vat_number_standing = 'valid'
      where id = ${business.paymentId}`.execute(own.db)
    await hurry(own, 'issue-invoices')
    const mail = await mailbox(own).latest(business.customer.email, 'Your receipt')
    const [number] = /\d{4}-\d{6}$/.exec(mail.subject) ?? []
    expect(mail.text).toContain(`Invoice: ${number}, attached\n`)
    const [invoice] = mail.attachments
    expect(invoice).toMatchObject({ filename: 'invoice.pdf', contentType: 'application/pdf' })
    if (hasPdfTools && invoice) {
      const pdf = await (await fetch(new URL(invoice.url, own.sandbox.url))).bytes()
      expect((await readPdf(pdf)).text).toContain(number)
    }
    const other = await mailbox(own).latest(private_.customer.email, 'Your receipt')
    expect(other.text).toContain('Download your invoice from your payment history:')
    expect(other.text).toContain('/profile?tab=history\n')
  })

  test('comes after a success, once, however many processes issue invoices', async () => {
    const second = await openSecondFront(shop)
    const { customer } = await aPurchase(shop, { days: 7, connections: 5, currency: 'GBP' })
    await Promise.all([issueNow(), issueNow(), hurry(shop, 'issue-invoices')])
    const mail = await inbox().latest(customer.email, 'Your receipt')
    expect(mail.subject).toMatch(/^Your receipt from Hedgerow, \d{4}-\d{6}$/)
    const number = mail.subject.split(', ')[1]
    expect(mail.text).toContain(
      `We received £7.20 for 7 days, 5 connections. Your connections are ready in your profile.`,
    )
    expect(mail.text).toContain(`Paid: £7.20\nPaid by: Visa ending 0077\nInvoice: ${number}\n`)
    expect(mail.text).toContain('Your card statement will show HEDGEROW.')
    const [connection] = (await shop.call('GET', '/api/v1/user/profile', { token: customer.token })).body
      .connections
    const end = formatUkTime(new Date(connection.expirationDate))
    expect(mail.text).toContain(`Works until: ${end}\n`)
    expect(mail.text).toContain('1. On the device you want to connect, install the WireGuard app')
    for (const page of ['ios', 'android', 'windows', 'macos', 'linux'])
      expect(mail.html).toContain(`/manual/${page}"`)
    expect(mail.html?.match(/class="button"/g)).toHaveLength(1)
    const { body } = await shop.call('GET', '/api/v1/payment/history', { token: customer.token })
    const lastDay = formatDate(new Date(body[0].cancellableUntil))
    const text = mail.text.replace(/\s+/g, ' ')
    expect(text).toContain(
      `cancel this purchase until the end of ${lastDay} (UK time), without giving a reason`,
    )
    expect(text).toContain('/cancel which needs no log-in. When you paid, you asked us to start at once')
    expect(mail.attachments.map(({ filename }) => filename)).toEqual([
      'terms_of_service.txt',
      'cancellation_form.txt',
    ])
    expect(text).toContain(`Attached are the terms that you accepted, version ${SHIPPED_LEGAL_DATE}`)
    const terms = await (await fetch(new URL(mail.attachments[0]?.url ?? '', shop.sandbox.url))).text()
    expect(terms).toContain(
      `\n\nExample Hedgerow Limited, trading as Hedgerow, is registered in England and Wales`,
    )
    await issueNow()
    await second.stop()
    expect((await subjectsTo(customer.email)).filter((subject) => subject.includes('receipt'))).toHaveLength(
      1,
    )
  })

  test('tells of a payment in złoty what the order cost', async () => {
    await setRate(shop, 'EUR', 4_251_200)
    const customer = await aCustomer(shop)
    const paymentId = await startBy(payByBlik, shop, customer, await anOrder(shop, customer))
    await reached(shop, paymentId, 'awaiting redirect result')
    await answerElsewhere(shop, paymentId)
    await reached(shop, paymentId, 'Success')
    await issueNow()
    const mail = await inbox().latest(customer.email, 'Your receipt')
    expect(mail.text).toContain('We received €30.00 for 30 days, 3 connections.')
    const { snapshot } = await shop.db
      .selectFrom('invoices')
      .innerJoin('payments', 'payments.order_id', 'invoices.order_id')
      .select('snapshot')
      .where('payments.id', '=', paymentId)
      .executeTakeFirstOrThrow()
    expect(snapshot.method).toBe('Blik, 127.54 PLN at 4.2512')
  })

  test('does not promise what waits for room', async () => {
    const own = await startTestShop()
    const { customer } = await aWaitingPurchase(own)
    await hurry(own, 'issue-invoices')
    const mail = await mailbox(own).latest(customer.email, 'Your receipt')
    expect(mail.text).toContain('We are making room for your connections.')
    expect(mail.text).not.toContain('are ready')
    expect(mail.text).not.toMatch(/Works until|^1\. /m)
  })

  test('does not come for a payment that was declined', async () => {
    const customer = await aCustomer(shop)
    const paymentId = await startPayment(shop, customer, await anOrder(shop, customer), {
      pan: CARDS.declined,
    })
    await reached(shop, paymentId, 'Decline')
    await issueNow()
    expect(await subjectsTo(customer.email)).toEqual([])
  })
})

describe('the mail of a decline', () => {
  /** Declined for want of money, and its page has not asked for the status. */
  const declined = async (paymentId: string) => {
    const sum = { amount: 3000, currency: 'EUR' }
    const operation = { id: 1, type: 'sale', status: 'decline', code: '10105', sum_initial: sum }
    const update = { paymentId, amountMinor: 3000, currency: 'EUR', status: 'decline', more: { operation } }
    await sendUpdate(shop, update)
    expect((await paymentRow(shop, paymentId)).status).toBe('Decline')
  }

  const start = async () => {
    const customer = await aCustomer(shop)
    const order = await anOrder(shop, customer)
    const paymentId = await startPayment(shop, customer, order, { pan: CARDS.challenged })
    await challengeOf(shop, paymentId)
    return { customer, order, paymentId }
  }

  const waits = async (paymentId: string) => {
    const { rows } =
      await sql`select from graphile_worker.jobs where key = ${`declined:${paymentId}`}`.execute(shop.db)
    return rows.length > 0
  }

  /** Lets the minute be over. */
  const minuteOver = async (paymentId: string) => {
    await hurry(shop, 'mail-declined')
    await until(async () => !(await waits(paymentId)))
  }

  test('goes to a customer who left before the page could say it, with the reason and the way back', async () => {
    const { customer, order, paymentId } = await start()
    await declined(paymentId)
    expect(await subjectsTo(customer.email)).toEqual([])
    await minuteOver(paymentId)
    const mail = await inbox().latest(customer.email, 'Your payment did not go through')
    expect(mail.text).toContain(
      'The payment of €30.00 for 30 days, 3 connections was declined. You were not charged.',
    )
    expect(mail.text).toContain('There is not enough money in the account.')
    expect(mail.text).toContain(`${shop.url}/checkout/${order.orderId}`)
    await declined(paymentId)
    expect(await waits(paymentId)).toBe(false)
  })

  test('leads back to the plan', async () => {
    const customer = await aCustomer(shop)
    const plan = planFor('1 week')
    const paymentId = await startSale(shop, customer, plan, { pan: CARDS.declined })
    await until(async () => (await paymentRow(shop, paymentId)).status === 'Decline')
    await minuteOver(paymentId)
    const mail = await inbox().latest(customer.email, 'did not go through')
    expect(mail.text).toContain(`${shop.url}/payment/checkout/${plan.id}`)
  })

  test('does not go to a customer who saw it on the page', async () => {
    const { customer, paymentId } = await start()
    await declined(paymentId)
    await reached(shop, paymentId, 'Decline')
    await minuteOver(paymentId)
    expect(await subjectsTo(customer.email)).toEqual([])
  })

  test('does not go to a customer who has tried again since', async () => {
    const { customer, order, paymentId } = await start()
    await declined(paymentId)
    await startPayment(shop, customer, order, { pan: CARDS.challenged })
    await minuteOver(paymentId)
    expect(await subjectsTo(customer.email)).toEqual([])
  })

  test('does not go for an attempt that was left for another one', async () => {
    const { customer, order, paymentId } = await start()
    await startPayment(shop, customer, order, { pan: CARDS.challenged, instead: paymentId })
    await declined(paymentId)
    expect(await waits(paymentId)).toBe(false)
    expect(await subjectsTo(customer.email)).toEqual([])
  })

  test('does not go where a success came after all', async () => {
    const { customer, paymentId } = await start()
    await declined(paymentId)
    await sendUpdate(shop, { paymentId, amountMinor: 3000, currency: 'EUR', status: 'success' })
    await minuteOver(paymentId)
    expect((await subjectsTo(customer.email)).filter((one) => one.includes('go through'))).toEqual([])
  })
})
