import { linkIn } from '@hedgerow/testing/mailbox'
import type { Locator } from '@playwright/test'
import { aCustomer, anAccount, call, enter, inbox, newEmail } from './customers.ts'
import { ANY_WIDTH, expect, expectAccessible, expectNoSidewaysScroll, refuse, test } from './fixtures.ts'
import { ops } from './operator.ts'

const DAY_AND_TIME = /\d\d\/\d\d\/\d{4} \d\d:\d\d/

/** By the keyboard: a second click that comes late would take the focus elsewhere. */
const pressTwice = async (button: Locator) => {
  await expect(button).toBeEnabled()
  await button.press('Enter')
  await button.page().keyboard.press('Enter')
}

test('a customer writes, the operator answers by the tool, and the customer answers in the profile', async ({
  page,
}) => {
  const { email } = await aCustomer(page, '/support')
  await page.getByRole('textbox', { name: 'Describe your problem' }).fill('The tunnel drops\nevery night.')
  await page.getByRole('button', { name: 'Submit' }).click()
  await page.waitForURL(({ pathname }) => pathname === '/')
  const { conversations } = JSON.parse(await ops('support', 'list', '--state', 'new', '--json'))
  const { id } = conversations.find((one: { email: string }) => one.email === email)
  await ops('support', 'reply', id.slice(0, 13), '--text', 'Which device is it?\n\nYours, Wren')

  await test.step('the mail leads to the conversation', async () => {
    const mail = await inbox().latest(email, 'Re: We received your message')
    expect(mail.text).toContain('Which device is it?')
    const link = mail.text.match(/https?:\S+conversation=\S+/)?.[0] ?? ''
    const { pathname, search } = new URL(link)
    await page.goto(pathname + search)
  })

  const thread = page.getByRole('group').filter({ hasText: 'Support message' })
  const messages = thread.getByRole('listitem')
  await expect(page.getByRole('heading', { name: 'Messages' })).toBeVisible()
  await expect(messages).toHaveCount(2)
  await expect(messages.first()).toContainText('You')
  await expect(messages.first()).toContainText(DAY_AND_TIME)
  await expect(messages.last()).toContainText('Which device is it?')
  await expect(messages.last()).toBeInViewport()
  await expect(thread.getByText('Answered')).toBeVisible()
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)

  const field = thread.getByRole('textbox', { name: 'Your reply' })
  const send = thread.getByRole('button', { name: 'Send' })
  await expect(send).toBeDisabled()
  await field.fill('A phone.')

  await test.step('when it cannot be sent, nothing is lost', async () => {
    const url = '**/api/v1/support/*/messages'
    await refuse(page, url, 429, 'Please wait a little and try again.')
    await send.click()
    await expect(page.getByRole('alert')).toContainText('What you wrote is still here.')
    await expect(field).toHaveValue('A phone.')
    await page.unroute(url)
  })

  await pressTwice(send)
  await expect(messages).toHaveCount(3)
  await expect(messages.last()).toBeFocused()
  await expect(field).toHaveValue('')
  await expect(thread.getByText('Waiting for our reply')).toBeVisible()
  const shown = await ops('support', 'show', id)
  expect(shown).toContain('State   new')
  expect(shown).toMatch(/Ada Lovelace:\n {2}A phone\.\n$/)

  await test.step('a page of forms leads there too', async () => {
    await page.goto('/support')
    await page.getByRole('link', { name: 'Your earlier messages' }).click()
    await expect(messages).toHaveCount(3)
  })
})

test('an applicant sees how the application stands, and that a mail’s link survives the log-in', async ({
  page,
}) => {
  const customer = await anAccount()
  const id = crypto.randomUUID()
  const body = { id, name: 'Ada', commentary: 'A shop for sailors.' }
  await call('POST', '/applications', { token: customer.token, body })
  await ops('application', 'set', id, 'accepted', '--yes', '--note', 'Welcome aboard.')
  const path = `/profile?tab=profile&conversation=${id}`
  await page.goto(path)
  await page.waitForURL(({ searchParams }) => searchParams.get('redirectUrl') === path)
  await enter(page, customer, path)
  const thread = page.getByRole('group').filter({ hasText: 'White label application' })
  await expect(thread.getByText('Accepted')).toBeVisible()
  await expect(thread.getByText('Welcome aboard.')).toBeVisible()
  await inbox().latest(customer.email, 'Re: We received your application')
})

test(
  'a visitor asks on a phone without an account, and goes on by the mailed link',
  ANY_WIDTH,
  async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 })
    const email = newEmail()
    await page.goto('/support')
    await page.getByRole('link', { name: 'Ask your question without one' }).click()
    await page.waitForURL('/contact')
    await expectAccessible(page)
    await page.getByRole('textbox', { name: 'Name' }).fill('Grace Hopper')
    await page.getByRole('textbox', { name: 'Email' }).fill(email)
    await page.getByRole('textbox', { name: 'Your question' }).fill('Does it work\non a router?')
    const send = page.getByRole('button', { name: 'Send', exact: true })
    await send.dblclick()
    await expect(page.getByText('We have your question')).toBeVisible()
    await expectAccessible(page)
    const received = await inbox().latest(email, 'We received your message')
    expect(await inbox().list(email, '')).toHaveLength(1)

    const { conversations } = JSON.parse(await ops('support', 'list', '--state', 'new', '--json'))
    const { id } = conversations.find((one: { email: string }) => one.email === email)
    await ops('support', 'reply', id, '--text', 'It does. Which one is yours?')
    await inbox().latest(email, 'Re: We received your message')

    const { pathname } = new URL(linkIn(received, '/contact/'))
    const answers = page.waitForResponse('**/api/v1/contact/conversation')
    await page.goto(pathname)
    expect((await answers).headers()['cache-control']).toBe('no-store')
    const messages = page.getByRole('listitem').filter({ has: page.getByRole('time') })
    await expect(messages).toHaveCount(2)
    await expect(messages.last()).toContainText('It does. Which one is yours?')
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    const referrers: (string | undefined)[] = []
    page.on('request', async (request) => referrers.push((await request.allHeaders()).referer))
    await page.getByRole('textbox', { name: 'Your reply' }).fill('A GL.iNet.')
    await pressTwice(send)
    await expect(messages).toHaveCount(3)
    await expect(messages.last()).toBeFocused()
    expect(await ops('support', 'show', id)).toMatch(/Grace Hopper:\n {2}A GL\.iNet\.\n$/)
    expect(referrers.join()).not.toContain(pathname)

    await page.goto(`${pathname.slice(0, -4)}AAAA`)
    await expect(page.getByText('This link does not work')).toBeVisible()
  },
)
