import { readFile } from 'node:fs/promises'
import { readPdf } from '@hedgerow/testing/documents'
import type { Download } from '@playwright/test'
import { anAccount, aPurchase, enter } from './customers.ts'
import { expect, test } from './fixtures.ts'

const TYPED = {
  timestamp: '21/11/2026 14:05',
  authCode: '831000',
  pan: '4111111111111111',
  cardHolder: 'Zoë Łódź',
  total: '€45.17',
}

const textOf = async (download: Download) => {
  expect(download.suggestedFilename()).toBe('invoice.pdf')
  const { text, isClean } = await readPdf(await readFile(await download.path()))
  expect(isClean).toBe(true)
  return text
}

test('PDFs are saved: one that was typed, with the card number masked, and the invoice of a purchase', async ({
  page,
}) => {
  await page.goto('/invoice')
  const submit = page.getByRole('button', { name: 'Download PDF' })
  for (const [name, value] of Object.entries(TYPED)) await page.locator(`input[name=${name}]`).fill(value)
  await expect(submit).toBeEnabled()
  const [typed] = await Promise.all([page.waitForEvent('download'), submit.click()])
  const text = await textOf(typed)
  for (const part of ['21/11/2026 14:05', '411111******1111', 'Zoë Łódź', '€45.17', 'not an invoice'])
    expect(text).toContain(part)

  const customer = await anAccount()
  await aPurchase(customer)
  await enter(page, customer, '/profile?tab=history')
  const button = page.getByRole('table', { name: 'Orders' }).getByRole('button', { name: 'Get Invoice' })
  const [bought] = await Promise.all([page.waitForEvent('download'), button.click()])
  const invoice = await textOf(bought)
  for (const part of [/\d{4}-\d{6}/, /€30\.00/, /ADA LOVELACE/, /400000\W+0077/])
    expect(invoice).toMatch(part)
})

test('a page prints black on white, without what is pressed', async ({ page }) => {
  const customer = await anAccount()
  await aPurchase(customer)
  await enter(page, customer, '/robots.txt')
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  for (const [path, shown] of [
    ['/profile', page.getByRole('img', { name: /code/i }).first()],
    ['/profile?tab=history', page.getByText('30 days, 3 connections').first()],
    ['/terms', page.getByText('In short')],
  ] as const) {
    await page.goto(path)
    await expect(shown).toBeVisible()
    const pressed = page
      .locator(':is(header, footer):not(main *), nav, [role=tab], button')
      .filter({ visible: true })
    await expect(pressed).toHaveCount(0)
    expect(await page.evaluate('getComputedStyle(document.documentElement).color'), path).toBe('rgb(0, 0, 0)')
    expect(await page.evaluate('getComputedStyle(document.documentElement).backgroundColor'), path).toBe(
      'rgb(255, 255, 255)',
    )
  }
})

test('the legal texts are PDFs that a reader opens', async ({ page, request }) => {
  await page.goto('/terms')
  for (const [name, words] of [
    ['terms_of_service', /terms/i],
    ['privacy_policy', /privacy/i],
    ['cancellation_form', /hereby give notice/],
  ] as const) {
    const path = `/legal/${name}.pdf`
    await expect(page.getByRole('main').locator(`a[href="${path}"]`)).toBeVisible()
    const response = await request.get(path)
    expect(response.headers()).toMatchObject({
      'content-type': 'application/pdf',
      'cache-control': 'no-cache',
    })
    const { text, isClean } = await readPdf(await response.body())
    expect(isClean).toBe(true)
    expect(text).toMatch(words)
    expect(text).not.toMatch(/template|lawyer/i)
  }
})
