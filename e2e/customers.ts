import { mailbox, tokenIn } from '@hedgerow/testing/mailbox'
import { until } from '@hedgerow/testing/until'
import type { Page } from '@playwright/test'

export const PASSWORD = 'hedge sparrow 7'

/** A card that is charged without a question of the bank. */
const PAID = '4000000000000077'

let made = 0
/** Unlike that of any other test in any process. */
export const newEmail = () => `ada.${process.pid}.${Date.now()}.${made++}@example.org`

/** The inbox where this shop's mail arrives. */
export const inbox = () => mailbox({ sandbox: { url: process.env.SANDBOX_URL ?? '' } as never })

/** A call as a program makes it: without a cookie, and so without a header against forgery. */
export const call = async (method: string, path: string, { token = '', body }: Sent = {}) => {
  const reply = await fetch(`${process.env.SHOP_URL}/api/v1${path}`, {
    method,
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const text = await reply.text()
  if (!reply.ok) throw new Error(`${method} ${path} answered ${reply.status}: ${text}`)
  return JSON.parse(text)
}
type Sent = { token?: string; body?: object }

export type Customer = { email: string; token: string }

/** A confirmed customer with a session, made without the pages: those have tests of their own. */
export const anAccount = async (name = 'Ada Lovelace'): Promise<Customer> => {
  const email = newEmail()
  const body = { name, email, signupPassword: PASSWORD, acceptTerms: true }
  await call('POST', '/user/create', { body })
  const mail = await inbox().latest(email, 'Confirm your email')
  const path = `/user/confirm/${tokenIn(mail, '/confirm/')}`
  const { access_token: token } = await call('POST', path, { body: { password: PASSWORD } })
  return { email, token }
}

/** Opens a page of the shop as this customer, who has logged in before. */
export const enter = async (page: Page, { token }: Customer, path = '/calculator'): Promise<void> => {
  // A document of the shop in which no script runs.
  await page.goto('/robots.txt')
  await page.evaluate((value) => localStorage.setItem('access_token', value), token)
  await page.goto(path)
}

/** A customer who has logged in, on the calculator unless `path` says otherwise. */
export const aCustomer = async (page: Page, path?: string): Promise<Customer> => {
  const customer = await anAccount()
  await enter(page, customer, path)
  return customer
}

const EXPIRY_IN_YEARS = 4

/** Another choice than the calculator's first, with what it costs. */
type Chosen = {
  features: Record<string, boolean>
  total: number
  days?: number
  connections?: number
  promocode?: string
}
const FIRST: Chosen = { features: {}, total: 30 }

/** Orders what the calculator shows at first, unless `chosen` says otherwise; returns the order's id. */
export const anOrder = async (
  { token }: Customer,
  currency: 'EUR' | 'GBP' = 'EUR',
  chosen = FIRST,
): Promise<string> => {
  const body = { days: 30, connections: 3, currency, ...chosen }
  return (await call('POST', '/orders', { token, body })).orderId
}

const aCard = () => ({
  pan: PAID,
  card_holder: 'ADA LOVELACE',
  month: 12,
  year: (new Date().getFullYear() + EXPIRY_IN_YEARS) % 100,
  cvv: '123',
  acceptTerms: true,
})

const isPaid = (paymentId: string) =>
  until(async () => (await call('GET', `/payment/status/${paymentId}`)).status === 'Success')

/** A completed order of three connections, unless something else is waited for; returns its id. */
export const aPurchase = async (customer: Customer, chosen = FIRST, until = isPaid): Promise<string> => {
  const orderId = await anOrder(customer, 'EUR', chosen)
  const { total } = await call('GET', `/orders/${orderId}`, { token: customer.token })
  const body = { total, currency: 'EUR', ...aCard() }
  const { paymentId } = await call('POST', `/orders/${orderId}`, { token: customer.token, body })
  await until(paymentId)
  return orderId
}
