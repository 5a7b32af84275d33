import {
  ANY_WIDTH,
  ask,
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  go,
  inDays,
  test,
} from './fixtures.ts'
import { newName } from './operators.ts'

test(
  'a plan is put on sale, gets another price from a moment on, and the preview shows both',
  ANY_WIDTH,
  async ({ page }) => {
    await page.goto('/plans')
    const group = newName('Group')
    const adding = await ask(page, 'Add a group')
    await adding.getByLabel('Name').fill(group)
    await go(adding, 'Add it', 'Added. The shop shows it once it has a plan.')
    const section = page.getByRole('region', { name: group, exact: true })
    await expect(section.getByText('No plan is on sale here')).toBeVisible()

    await section.getByRole('button', { name: 'Add a plan' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Siskin')
    await dialog.getByLabel('Connections').fill('many')
    await dialog.getByLabel('Price in pounds').fill('12.34')
    await dialog.getByRole('button', { name: 'Put it on sale' }).click()
    await expect(dialog.getByText('Please enter a whole number.')).toBeVisible()
    await dialog.getByLabel('Connections').fill('4')
    await go(dialog, 'Put it on sale', 'Kept. The shop shows it from its moment on.')
    await expect(section.getByRole('cell', { name: '£12.34' })).toBeVisible()
    const preview = page.getByRole('region', { name: `Preview of ${group}` })
    await expect(preview.getByText('£12.34')).toBeVisible()

    await section.getByRole('button', { name: 'Change' }).click()
    await dialog.getByLabel('Price in pounds').fill('15')
    await dialog.getByLabel('From when on').fill(inDays(3))
    await go(dialog, 'Change it', 'Kept')
    await expect(page.getByRole('region', { name: 'To come' }).getByText('£15.00').last()).toBeVisible()
    await expect(section.getByRole('cell', { name: '£12.34' })).toBeVisible()
    await page.getByLabel('At', { exact: true }).selectOption({ index: 1 })
    await expect(preview.getByText('£15.00')).toBeVisible()
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)

    const change = page
      .getByRole('region', { name: 'To come' })
      .getByRole('listitem')
      .filter({ hasText: '£15.00' })
    await change.getByRole('button', { name: 'Take back' }).last().click()
    await go(dialog, 'Take the change back', 'Taken back')
    await section.getByRole('button', { name: 'Retire' }).click()
    await go(dialog, 'Retire it', 'Kept')
    await expect(section.getByText('No plan is on sale here')).toBeVisible()
  },
)
