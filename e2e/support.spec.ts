import { linkIn } from '@hedgerow/testing/mailbox'
import type { Locator } from '@playwright/test'
import { inbox, newEmail } from './customers.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, ON_A_PHONE, test } from './fixtures.ts'
import { ops } from './operator.ts'

/** By the keyboard: a second click that comes late would take the focus elsewhere. */
const pressTwice = async (button: Locator) => {
  await expect(button).toBeEnabled()
  await button.press('Enter')
  await button.page().keyboard.press('Enter')
}

test(
  'a visitor asks on a phone without an account, and goes on by the mailed link',
  ON_A_PHONE,
  async ({ page }) => {
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

    const { rows } = JSON.parse(await ops('support', 'list', '--state', 'new', '--json'))
    const found = await Promise.all(
      rows.map(async ({ id: one }: { id: string }) =>
        JSON.parse(await ops('support', 'show', one, '--json')),
      ),
    )
    const { id } = found.find((one: { email: string }) => one.email === email)
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
    page.on('request', async (request) => {
      // What is asked for as the page is closed has no headers any more.
      const { referer } = await request.allHeaders().catch(() => request.headers())
      referrers.push(referer)
    })
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
