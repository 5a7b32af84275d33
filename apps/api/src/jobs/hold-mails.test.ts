import { randomUUID } from 'node:crypto'
import type { Reply } from '@hedgerow/testing/call'
import { mailbox } from '@hedgerow/testing/mailbox'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { orLater } from '#jobs/hold-mails.ts'
import { requestRefund } from '#money/refunds/refunds.service.ts'
import { MailHeld } from '#platform/mail/bounded-mailer.ts'
import { countHeldMails } from '#platform/queue/held-mails.ts'
import { MAIL_BOUNDS, type MailName } from '#platform/queue/mail-bounds.ts'
import { aStatement } from '#testing/cancellations.ts'
import { aCustomer, PASSWORD, uniqueEmail } from '#testing/customers.ts'
import { hurry, queueIsEmpty } from '#testing/jobs.ts'
import { BEHIND_PROXY, from } from '#testing/limits.ts'
import { anOrder } from '#testing/orders.ts'
import { answerElsewhere, BANKS, payByBank, startBy } from '#testing/payment-methods.ts'
import { reached } from '#testing/payments.ts'
import { shopOfFile, startTestShop, type TestShop } from '#testing/test-shop.ts'

const shop = shopOfFile()

test('the operator’s digest leaves at the end of the first ceiling that was reached, whatever is held after that', async () => {
  const deps = { db: shop.db, rateCounter: { waitFor: () => undefined } } as unknown as Parameters<
    typeof orLater
  >[0]
  const hold = (seconds: number) =>
    orLater(deps, 'mail-question', { conversationId: 'x', messageId: 'x' }, { id: '1', key: null }, () =>
      Promise.reject(new MailHeld(seconds)),
    )
  const runsAt = async () =>
    (
      await sql<{ run_at: Date }>`select run_at from graphile_worker.jobs
        where task_identifier = 'mail-operator-digest'`.execute(shop.db)
    ).rows
  await hold(1_800)
  const first = await runsAt()
  await hold(3_600)
  expect(first).toHaveLength(1)
  expect(await runsAt()).toEqual(first)
})

/** A tenth of every limit. */
const SMALL = { env: { ...BEHIND_PROXY.env, RATE_LIMIT_SCALE: '0.1' } }

type Asking = (own: TestShop, email: string, headers: Record<string, string>) => Promise<Reply>

/** How anyone has each kind of mail sent to an address that they type. */
const ASKING: Partial<Record<MailName, Asking>> = {
  'mail-confirmation': (own, email, headers) => {
    const body = { name: 'Ada', email, signupPassword: PASSWORD, acceptTerms: true }
    return own.call('POST', '/api/v1/user/create', { body, headers })
  },
  'mail-question-received': (own, email, headers) => {
    const body = { id: randomUUID(), name: 'Ada', email, question: 'Does it work on a router?' }
    return own.call('POST', '/api/v1/contact', { body, headers })
  },
  'mail-statement-received': (own, email, headers) =>
    own.call('POST', '/api/v1/cancellations', { body: aStatement({ email }), headers }),
  'mail-email-change': async (own, email, headers) => {
    const { token } = await aCustomer(own)
    return own.call('POST', '/api/v1/user/email', { body: { email }, headers, token })
  },
}

const ANYONE = (Object.keys(MAIL_BOUNDS) as MailName[]).filter((name) => MAIL_BOUNDS[name].to === 'anyone')

test('every kind of mail to anyone is tried here', () => {
  expect(Object.keys(ASKING).toSorted()).toEqual(ANYONE.toSorted())
})

test.each(ANYONE)('a stranger with five networks leaves honest people their %s', async (kind) => {
  const own = await startTestShop(SMALL)
  const { most = 0 } = MAIL_BOUNDS[kind]
  const emails = Array.from({ length: Math.ceil(most / 8) + 5 }, () => uniqueEmail())
  await Promise.all(
    emails.map((email, i) =>
      ASKING[kind]?.(own, email, from(`2a0${i % 5}:db8:1:${(i << 8).toString(16)}::1`)),
    ),
  )
  await queueIsEmpty(own)
  expect(await countHeldMails(own.db)).toBeGreaterThan(0)
  const honest = uniqueEmail('honest')
  expect((await ASKING[kind]?.(own, honest, from('192.0.2.7')))?.status).toBeLessThan(300)
  expect(await mailbox(own).latest(honest, '')).toBeTruthy()
})

test('refunds by hand are mailed one by one up to a ceiling, and then as one mail that says how many wait', async () => {
  const own = await startTestShop(SMALL)
  for (let i = 0; i < 3; i++) {
    const customer = await aCustomer(own)
    const order = await anOrder(own, customer, { currency: 'GBP' })
    const paymentId = await startBy(payByBank, own, customer, order, { bankId: BANKS.noConsent })
    await reached(own, paymentId, 'awaiting redirect result')
    await answerElsewhere(own, paymentId)
    await reached(own, paymentId, 'Success')
    expect(await requestRefund(own, { paymentId })).toMatchObject({ isByHand: true })
  }
  await queueIsEmpty(own)
  const { operatorEmail } = own.settings
  expect(await mailbox(own).list(operatorEmail, 'must be sent by hand')).toHaveLength(2)
  await hurry(own, 'mail-operator-digest')
  const digest = await mailbox(own).latest(operatorEmail, 'More is waiting')
  expect(digest.text).toContain('3 refunds must be sent by hand')
})
