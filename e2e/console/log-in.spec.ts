import {
  ask,
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  ON_A_PHONE,
  testOutside as test,
} from './fixtures.ts'
import { aDevice, anInvitation, newName } from './operators.ts'

test(
  'an invited operator makes a passkey, comes back by it to where they were, and confirms by it what is dangerous',
  ON_A_PHONE,
  async ({ page }) => {
    await aDevice(page)
    const { name, link } = await anInvitation('owner')
    await page.goto(link)
    await expect(page.getByText(`You are ${name} here, and your role is`)).toBeVisible()
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await page.getByRole('button', { name: 'Create passkey' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Today' })).toBeVisible()

    await page.getByRole('button', { name: /^owner|^Account/ }).click()
    await page.getByRole('button', { name: 'Log out' }).click()
    await expect(page.getByRole('heading', { name: 'Log in' })).toBeVisible()
    await page.goto('/operators')
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await page.getByRole('button', { name: 'Log in with a passkey' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Operators' })).toBeVisible()

    const invited = newName('Wren')
    const invite = await ask(page, 'Invite')
    await invite.getByLabel('Name').fill(invited)
    await invite.getByLabel('Role').selectOption('Support')
    // As the server answers once the log-in is a quarter of an hour old.
    let asked = 0
    await page.route('**/api/v1/operators', (route) =>
      route.request().method() === 'POST' && asked++ === 0
        ? route.fulfill({
            status: 403,
            json: { title: 'Forbidden', status: 403, code: 'ask-again', detail: 'Ask' },
          })
        : route.fallback(),
    )
    await invite.getByRole('button', { name: 'Create link' }).click()
    const again = page.getByRole('dialog', { name: 'Please confirm that it is you' })
    await expectAccessible(page)
    await again.getByRole('button', { name: 'Use your passkey' }).click()
    const made = page.getByRole('dialog', { name: `A link for ${invited}` })
    await expect(made).toContainText('/invitation#')
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
  },
)
