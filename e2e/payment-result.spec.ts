import type { Page } from '@playwright/test'
import { ANY_WIDTH, expect, test } from './fixtures.ts'

const RESULT = `/payment/result/${'a'.repeat(32)}`

/** Answers the result page's status calls one by one; the last answer stays. 0 is a failure. */
const answer = async (page: Page, statuses: readonly (string | 0)[], metadata: object = {}) => {
  const askedAt: number[] = []
  await page.route('**/api/v1/payment/status/*', (route) => {
    const status = statuses[Math.min(askedAt.length, statuses.length - 1)]
    askedAt.push(Date.now())
    return status === 0
      ? route.fulfill({ status: 503, json: { title: 'Unavailable', status: 503, detail: 'Later' } })
      : route.fulfill({ json: { status, metadata: JSON.stringify(metadata) } })
  })
  return askedAt
}

test(
  'the result is asked for every 500 milliseconds, through failures, until it is there',
  ANY_WIDTH,
  async ({ page }) => {
    const asked = await answer(page, [
      'Pending',
      0,
      'awaiting clarification',
      'awaiting customer action',
      'awaiting merchant auth',
      'processing',
      'Success',
    ])
    await page.goto(RESULT)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Processing...')
    await page.waitForURL(/\/payment\/success$/)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Payment is successful!')
    expect(asked).toHaveLength(7)
    const pauses = asked.slice(1).map((at, position) => at - (asked[position] ?? 0))
    expect(Math.min(...pauses)).toBeGreaterThan(450)
    // A busy machine may make one of them longer, but not all.
    expect(Math.min(...pauses)).toBeLessThan(900)
    await page.getByRole('main').getByRole('link', { name: 'Continue' }).click()
    await page.waitForURL(/\/login\?redirectUrl=%2Fprofile$/)
  },
)

test('Decline and Error lead to /payment/reject', ANY_WIDTH, async ({ page }) => {
  for (const status of ['Decline', 'Error']) {
    await answer(page, [status])
    await page.goto(RESULT)
    await page.waitForURL(/\/payment\/reject$/)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Payment rejected')
    await page.unroute('**/api/v1/payment/status/*')
  }
  await expect(page.getByRole('main').getByRole('link', { name: 'Continue' })).toHaveAttribute(
    'href',
    '/profile',
  )
})

test(
  'who has to go elsewhere is sent there by a form, and the page asks no more',
  ANY_WIDTH,
  async ({ page }) => {
    const issuer = `${process.env.SANDBOX_URL}/elsewhere`
    await page.route(`${issuer}**`, (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: '<!doctype html><title>Issuer</title><h1>Issuer</h1>',
      }),
    )
    const sendOff = async (status: string, metadata: object) => {
      const asked = await answer(page, [status], metadata)
      const sent = page.waitForRequest(`${issuer}**`)
      await page.goto(RESULT)
      const request = await sent
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Issuer')
      expect(asked).toHaveLength(1)
      await page.unroute('**/api/v1/payment/status/*')
      return {
        method: request.method(),
        query: Object.fromEntries(new URL(request.url()).searchParams),
        body: Object.fromEntries(new URLSearchParams(request.postData() ?? '')),
      }
    }

    await test.step('3-D Secure', async () => {
      const termUrl = `${process.env.SHOP_URL}/api/v1/payment/challenge/${'a'.repeat(32)}`
      const metadata = { acs_url: issuer, md: 'the md', pa_req: 'the+request/=', term_url: termUrl }
      expect(await sendOff('awaiting 3ds result', metadata)).toEqual({
        method: 'POST',
        query: {},
        body: { MD: 'the md', PaReq: 'the+request/=', TermUrl: termUrl },
      })
    })

    await test.step('a redirect by POST', async () => {
      const metadata = { url: `${issuer}?bank=7`, method: 'POST', body: { token: 'a b' } }
      expect(await sendOff('awaiting redirect result', metadata)).toEqual({
        method: 'POST',
        query: { bank: '7' },
        body: { token: 'a b' },
      })
    })

    await test.step('a redirect by GET, with the query of its address among the fields', async () => {
      const metadata = { url: `${issuer}?bank=7`, method: 'GET', body: { token: 'a b' } }
      expect(await sendOff('awaiting redirect result', metadata)).toEqual({
        method: 'GET',
        query: { bank: '7', token: 'a b' },
        body: {},
      })
    })
  },
)
