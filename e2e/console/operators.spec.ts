import {
  ANY_WIDTH,
  ask,
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  go,
  test,
  testOutside,
} from './fixtures.ts'
import { aDevice, anInvitation, newName } from './operators.ts'

test(
  'an operator is invited by a link that is shown once, given another role, and ended',
  ANY_WIDTH,
  async ({ page }) => {
    const name = newName('Wren')
    await page.goto('/operators')
    await expect(page.getByText('you', { exact: true })).toBeVisible()
    await expectAccessible(page)
    const invite = await ask(page, 'Invite')
    await invite.getByLabel('Name').fill(name)
    await invite.getByLabel('Role').selectOption('Support')
    await invite.getByRole('button', { name: 'Make a link' }).click()
    const link = page.getByRole('dialog', { name: `A link for ${name}` })
    await expect(link).toContainText('/invitation#')
    await expectAccessible(page)
    await page.keyboard.press('Escape')

    const row = page.getByRole('row').filter({ hasText: name })
    await expect(row).toContainText('invited')
    await row.getByRole('button', { name: 'Role' }).click()
    const role = page.getByRole('dialog', { name: `What may ${name} do?` })
    await role.getByLabel('Role').selectOption('Finance')
    await go(role, 'Change', `${name} has another role`)
    await expect(row).toContainText('Finance')
    await row.getByRole('button', { name: 'End' }).click()
    await go(page.getByRole('dialog', { name: `End ${name}?` }), 'End', `${name} gets in no more`)
    await expect(row).toContainText('ended')
    await page.setViewportSize({ width: 360, height: 740 })
    await expectNoSidewaysScroll(page)
  },
)

testOutside('what is dangerous asks again who is there, and is then done', ANY_WIDTH, async ({ page }) => {
  const cdp = await aDevice(page)
  const { link } = await anInvitation('owner')
  await page.goto(link)
  await page.getByRole('button', { name: 'Make a passkey' }).click()
  await expect(page.getByRole('heading', { name: 'Today' })).toBeVisible()
  await page.goto('/operators')
  const name = newName('Wren')
  const invite = await ask(page, 'Invite')
  await invite.getByLabel('Name').fill(name)
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
  await invite.getByRole('button', { name: 'Make a link' }).click()
  const again = page.getByRole('dialog', { name: 'Please confirm that it is you' })
  await expect(again).toBeVisible()
  await expectAccessible(page)
  await again.getByRole('button', { name: 'Use your passkey' }).click()
  await expect(page.getByRole('dialog', { name: `A link for ${name}` })).toBeVisible()
  await cdp.detach()
})
