import { anAccount, call } from '../customers.ts'
import { ANY_WIDTH, ask, expect, expectAccessible, expectNoSidewaysScroll, go, test } from './fixtures.ts'

test(
  'a promocode is limited, closed and opened again, and its partner is a link away',
  ANY_WIDTH,
  async ({ page }) => {
    const { token } = await anAccount()
    const { promocode } = await call('GET', '/user/profile', { token })
    await call('POST', '/partnership/crossings', { body: { code: promocode } })
    await page.goto(`/promocodes/${promocode.toLowerCase()}`)
    await expect(page.getByText('open', { exact: true })).toBeVisible()
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)

    const dialog = await ask(page, 'Limit')
    await dialog.getByLabel('Uses in all').fill('7')
    await go(dialog, 'Go ahead', 'Kept')
    await go(await ask(page, 'Close'), 'Close it', 'Kept')
    await expect(page.getByText('closed', { exact: true })).toBeVisible()
    await page.goto('/promocodes?state=closed')
    const row = page.getByRole('row').filter({ hasText: promocode })
    await expect(row.getByText('7', { exact: true })).toBeVisible()
    await expectAccessible(page)
    await row.getByRole('link', { name: promocode }).click()
    await go(await ask(page, 'Open again'), 'Open it', 'Kept')

    await page.getByRole('link', { name: 'Their partner account' }).click()
    await expect(page.getByRole('heading', { level: 1, name: `Partner ${promocode}` })).toBeVisible()
    await expect(page.getByText('Nothing earned yet.')).toBeVisible()
    await expectAccessible(page)
    await page.goto('/partners')
    await expect(page.getByRole('link', { name: promocode })).toBeVisible()
    await page.getByRole('link', { name: 'Suspicious rings' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Suspicious rings' })).toBeVisible()
    await expectAccessible(page)
  },
)

test(
  'files for the bank say what they lack, and an answer of the bank is read before it is recorded',
  ANY_WIDTH,
  async ({ page }) => {
    await page.goto('/withdrawals')
    await expect(page.getByRole('heading', { level: 1, name: 'Withdrawals' })).toBeVisible()
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    const dialog = await ask(page, 'Make a file for the bank')
    await dialog.getByLabel('Currency').selectOption('EUR')
    await dialog.getByRole('button', { name: 'Make it' }).click()
    await expect(dialog.getByText('PAYOUT_IBAN is not set')).toBeVisible()
    await dialog.getByRole('button', { name: 'Leave it' }).click()

    await ask(page, 'Bring in the bank’s answer')
    await dialog.getByLabel('The bank’s file').setInputFiles({
      name: 'answer.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('reference,amount,status\nP2ABCDEFGHJK,10.00,paid\nrent,20.00,paid\n'),
    })
    await dialog.getByRole('button', { name: 'Read it' }).click()
    await expect(page.getByText('no reference of ours: left alone')).toBeVisible()
    await expect(page.getByText('Nothing in it is new.')).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Files', exact: true }).click()
    await expect(page.getByText('No file was made yet')).toBeVisible()
  },
)
