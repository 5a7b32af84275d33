import type { Page } from '@playwright/test'
import { expect, takenOver, test } from './fixtures.ts'

test.use({ expectedErrors: /Failed to fetch dynamically imported module|ERR_INTERNET_DISCONNECTED/ })

const SCRIPT = '**/assets/faq-page-*.js'

/** Opens a page, and counts the documents that are fetched from then on. */
const openTerms = async (page: Page): Promise<{ count: number }> => {
  await page.goto('/terms')
  await takenOver(page)
  const documents = { count: 0 }
  page.on('request', (request) => {
    if (request.isNavigationRequest()) documents.count++
  })
  return documents
}

const goToQuestions = (page: Page) =>
  page.getByRole('contentinfo').getByRole('link', { name: 'Questions' }).click()

const heading = (page: Page) => page.getByRole('heading', { level: 1, name: 'Questions' })
const failure = (page: Page) => page.getByText('This page did not load')

test('a page whose script is gone is loaded anew by itself, and is there', async ({ page }) => {
  const documents = await openTerms(page)
  // The document that comes with the reload names files that there are.
  await page.route(SCRIPT, (route) =>
    documents.count === 0 ? route.fulfill({ status: 404 }) : route.continue(),
  )
  await goToQuestions(page)
  await expect(heading(page)).toBeVisible()
  await expect(page).toHaveURL('/faq')
  expect(documents.count).toBe(1)
})

test('a script that stays away leads to one reload, then to a word and a way on', async ({ page }) => {
  await page.route(SCRIPT, (route) => route.fulfill({ status: 404 }))
  const documents = await openTerms(page)
  await goToQuestions(page)
  await expect(failure(page)).toBeVisible()
  expect(documents.count).toBe(1)
  await page.unroute(SCRIPT)
  await page.getByRole('button', { name: 'Reload the page' }).click()
  await expect(heading(page)).toBeVisible()
  expect(documents.count).toBe(2)
})

test('without a network nothing is loaded anew: the shop stays in sight', async ({ page, context }) => {
  const documents = await openTerms(page)
  await context.setOffline(true)
  await goToQuestions(page)
  await expect(failure(page)).toBeVisible()
  expect(documents.count).toBe(0)
})
