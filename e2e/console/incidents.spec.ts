import { ANY_WIDTH, ask, expect, expectAccessible, expectNoSidewaysScroll, go, test } from './fixtures.ts'
import { newName } from './operators.ts'

test(
  'an incident is reported, told more of, and closed; visitors read each word',
  ANY_WIDTH,
  async ({ page }) => {
    const title = newName('Slow at night')
    await page.goto('/incidents')
    const report = await ask(page, 'Report an incident')
    await report.getByRole('button', { name: 'Publish' }).click()
    await expect(report.getByText('Please fill in: Title')).toBeVisible()
    await expectAccessible(page)
    await report.getByLabel('Title').fill(title)
    await report.getByLabel('What is the matter').fill('We are looking into it.')
    await report.getByLabel('Nodes').fill('Atlantis')
    await report.getByRole('button', { name: 'Publish' }).click()
    await expect(report.getByText('There is no node Atlantis.')).toBeVisible()
    await report.getByLabel('Nodes').fill('')
    await go(report, 'Publish', 'It is on the status page')
    await expect(page.getByRole('heading', { name: title })).toBeVisible()
    await expectAccessible(page)
    await page.setViewportSize({ width: 360, height: 740 })
    await expectNoSidewaysScroll(page)

    const update = await ask(page, 'Add an update')
    await update.getByLabel('Update').fill('A cable was cut.')
    await go(update, 'Publish', 'Published')
    const status = await page.context().newPage()
    await status.goto(`${process.env.SHOP_URL}/status`)
    await expect(status.getByText('A cable was cut.')).toBeVisible()
    await status.close()
    await go(await ask(page, 'It is over'), 'Close it', 'Closed')
    await expect(page.getByText('over', { exact: true }).first()).toBeVisible()
  },
)
