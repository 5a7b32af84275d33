import type { Page } from '@playwright/test'
import { anAccount, anOrder, call, enter } from './customers.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, ON_A_PHONE, payWith, test } from './fixtures.ts'

const PAID = '4000000000000077'

const promocodeOf = async ({ token }: { token: string }): Promise<string> =>
  (await call('GET', '/partnership', { token })).promocode

const field = (page: Page) => page.getByLabel('Promocode', { exact: true })
const pay = (page: Page, sum: string) => page.getByRole('button', { name: `Pay ${sum}` })

/** On a phone the summary is folded. */
const openSummary = async (page: Page) => {
  const fold = page.locator('details:not([open]) > summary', { hasText: /^Your (order|plan)/ })
  if (await fold.isVisible()) await fold.click()
}

const enterCode = async (page: Page, code: string) => {
  await openSummary(page)
  const disclosure = page.getByRole('button', { name: 'Have a promocode?' })
  if (await disclosure.isVisible()) await disclosure.click()
  await field(page).fill(code)
  await field(page).press('Enter')
}

const expectRefused = async (page: Page, code: string, message: string) => {
  await enterCode(page, code)
  await expect(field(page)).toHaveAccessibleDescription(message)
  await expect(field(page)).toHaveValue(code)
  await expect(field(page)).toBeFocused()
}

test(
  "a promocode on an order takes off its owner's share, and less is charged",
  ON_A_PHONE,
  async ({ page }) => {
    const [partner, buyer] = await Promise.all([anAccount(), anAccount()])
    const [code, own] = await Promise.all([promocodeOf(partner), promocodeOf(buyer)])
    const orderId = await anOrder(buyer, 'GBP')
    await enter(page, buyer, `/checkout/${orderId}`)
    await expect(pay(page, '£30.00')).toBeVisible()
    const main = page.getByRole('main')

    await test.step('a code that is unknown, or one’s own, is refused at the field', async () => {
      const unknown = 'This promocode is not valid. Check it, or pay without it'
      await expectRefused(page, 'NOSUCHCODE', unknown)
      await expectRefused(page, own, 'This is your own promocode. It is for others to use')
      await expect(pay(page, '£30.00')).toBeVisible()
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
    })

    await test.step('a valid one is applied by Enter, and nothing moves when it is', async () => {
      await openSummary(page)
      const total = main.getByRole('status').filter({ hasText: '£' })
      const before = await total.boundingBox()
      await enterCode(page, code.toLowerCase())
      await expect(pay(page, '£27.00')).toBeVisible()
      await expect(main).toContainText(`Promocode ${code}−£3.00`)
      await expect(page.getByRole('button', { name: `Remove the promocode ${code}` })).toBeFocused()
      expect((await total.boundingBox())?.y).toBe(before?.y)
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
    })

    await test.step('the lower total is charged', async () => {
      await payWith(page, PAID)
      await page.waitForURL(/\/payment\/success/)
      const [paid] = await call('GET', '/payment/history', { token: buyer.token })
      expect(paid).toMatchObject({ total: 27, status: 'Success' })
    })

    await test.step('the paid order and the history show it, and it cannot be changed any more', async () => {
      await page.goto(`/checkout/${orderId}`)
      await expect(page.getByText('This order is paid')).toBeVisible()
      await expect(main).toContainText(`Promocode ${code}−£3.00`)
      await expect(page.getByRole('button', { name: /promocode/ })).toHaveCount(0)
      await page.goto('/profile?tab=history')
      const orders = page.getByRole('table', { name: 'Orders' })
      await expect(orders).toContainText(`£27.00${code} −£3.00`)
      await expect(page.getByRole('table', { name: 'Payments' })).toContainText(`£27.00${code} −£3.00`)
    })

    // Credited by a round, a moment later.
    await expect(async () => {
      const { usedPromocodes, pendingTransactions } = await call('GET', '/partnership', {
        token: partner.token,
      })
      expect({ usedPromocodes, pendingTransactions }).toEqual({ usedPromocodes: 1, pendingTransactions: 1 })
    }).toPass()
  },
)
