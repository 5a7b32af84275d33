import { ANY_WIDTH, expect, test } from './fixtures.ts'

test.use({ expectedErrors: /Failed to fetch dynamically imported module/ })

test('a page whose script is gone is loaded anew once, then says so', ANY_WIDTH, async ({ page }) => {
  await page.goto('/jobs')
  await page.getByRole('heading', { level: 1 }).waitFor()
  let documents = 0
  page.on('request', (request) => {
    if (request.isNavigationRequest()) documents++
  })
  await page.route('**/assets/partners-page-*.js', (route) => route.fulfill({ status: 404 }))
  await page.getByRole('navigation').getByRole('link', { name: 'Partners', exact: true }).click()
  await expect(page.getByText('This page did not load')).toBeVisible()
  expect(documents).toBe(1)
  await page.unroute('**/assets/partners-page-*.js')
  await page.getByRole('button', { name: 'Reload the page' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Partners' })).toBeVisible()
})
