import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'

const RESULT = `/payment/result/${'a'.repeat(32)}`

/** Has the status of each payment say this; returns how often it was asked for. */
const answer = async (page: Page, status: string, metadata: object) => {
  const asked = { count: 0 }
  await page.route('**/api/v1/payment/status/*', (route) => {
    asked.count++
    return route.fulfill({ json: { status, metadata: JSON.stringify(metadata) } })
  })
  return asked
}

test('who has to go elsewhere is sent there by a form, and the page asks no more', async ({ page }) => {
  const issuer = `${process.env.SANDBOX_URL}/elsewhere`
  await page.route(`${issuer}**`, (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: '<!doctype html><title>Issuer</title><h1>Issuer</h1>',
    }),
  )
  const sendOff = async (status: string, metadata: object) => {
    const asked = await answer(page, status, metadata)
    const sent = page.waitForRequest(`${issuer}**`)
    await page.goto(RESULT)
    const request = await sent
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Issuer')
    expect(asked.count).toBe(1)
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
})
