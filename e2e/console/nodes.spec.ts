import { ask, expect, expectAccessible, expectNoSidewaysScroll, go, ON_A_PHONE, test } from './fixtures.ts'
import { newName } from './operators.ts'

test(
  'a node is added, waits for its agent, is drained, opened and removed by its name',
  ON_A_PHONE,
  async ({ page }) => {
    const name = newName('Leeds')
    await page.goto('/nodes')
    await expect(page.getByRole('link', { name: 'demonstration' })).toBeVisible()
    const add = await ask(page, 'Add a node')
    await add.getByLabel('Name').fill(name)
    await add.getByRole('textbox', { name: 'Endpoint' }).fill('nowhere')
    await add.getByRole('button', { name: 'Add node' }).click()
    await expect(add.getByRole('textbox', { name: 'Endpoint' })).toHaveAttribute('aria-invalid', 'true')
    await expectAccessible(page)
    await add.getByRole('textbox', { name: 'Endpoint' }).fill('vpn.example.org:51820')
    await add.getByRole('button', { name: 'Add node' }).click()
    const install = page.getByRole('dialog', { name: `Install ${name}` })
    await expect(install).toContainText('AGENT_TOKEN=')
    await expect(install.getByText('Waiting for the agent')).toBeVisible()
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await page.keyboard.press('Escape')

    await page.getByRole('link', { name }).click()
    await expect(page.getByText('awaiting', { exact: true })).toBeVisible()
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await go(await ask(page, 'Drain'), 'Drain', 'It gets no new connections')
    await expect(page.getByText('drained', { exact: true })).toBeVisible()
    await go(
      await ask(page, 'Open'),
      'Open',
      'It gets new connections again. Orders that wait for room are delivered within 30 seconds',
    )
    const place = await ask(page, 'Set time zone')
    await place.getByLabel('Time zone').fill('Europe/London')
    await go(place, 'Save', 'Saved')
    await expect(page.getByText('Europe/London')).toBeVisible()

    const remove = await ask(page, 'Remove')
    await remove.getByRole('button', { name: 'Remove', exact: true }).click()
    await expect(remove.getByText(`Please type ${name} exactly.`)).toBeVisible()
    await remove.getByLabel(`Type ${name} to confirm`).fill(name)
    await remove.getByRole('button', { name: 'Remove', exact: true }).click()
    await expect(page).toHaveURL(/\/nodes$/)
    await expect(page.getByRole('link', { name })).toHaveCount(0)
  },
)
