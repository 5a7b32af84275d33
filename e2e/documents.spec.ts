import { readFile } from 'node:fs/promises'
import { readPdf } from '@hedgerow/testing/documents'
import { ANY_WIDTH, expect, expectAccessible, expectFieldError, test } from './fixtures.ts'

const MESSAGES = {
  timestamp: 'Payment timestamp is required!',
  description: 'Description is required!',
  authCode: 'Authorisation code is required!',
  method: 'Payment method is required!',
  pan: 'PAN is required!',
  cardHolder: "Card holder's name is required!",
  total: 'Total amount & currency symbol is required!',
}

const TYPED = {
  timestamp: '21/11/2026 14:05',
  authCode: '831000',
  pan: '4111111111111111',
  cardHolder: 'Zoë Łódź',
  total: '€45.17',
}

test.describe('/invoice', () => {
  test('asks for all seven fields, in the words of the specification', ANY_WIDTH, async ({ page }) => {
    await page.goto('/invoice')
    const submit = page.getByRole('button', { name: 'Download PDF' })
    await expect(submit).toBeDisabled()
    await expect(page.locator('input[name=description]')).toHaveValue('PURCHASE: Timed VPN connections')
    await expect(page.locator('input[name=method]')).toHaveValue('Visa/Mastercard')
    for (const [name, message] of Object.entries(MESSAGES)) {
      const field = page.locator(`input[name=${name}]`)
      await expect(async () => {
        await field.fill('')
        await field.focus()
        await field.blur()
        await expect(page.getByText(message)).toBeVisible({ timeout: 1000 })
      }).toPass()
      await expect(field).toHaveAccessibleDescription(new RegExp(message.replace(/[!&]/g, '.')))
    }
    await expect(submit).toBeDisabled()
    await expectAccessible(page)

    for (const [name, value] of Object.entries(TYPED)) await page.locator(`input[name=${name}]`).fill(value)
    await expectFieldError(page.locator('input[name=total]'), '45.17', MESSAGES.total)
    await expectFieldError(
      page.locator('input[name=cardHolder]'),
      'a'.repeat(101),
      'Use 100 characters at most',
    )
    await expect(submit).toBeDisabled()
  })

  test('downloads invoice.pdf with the card number masked, and begins anew', ANY_WIDTH, async ({ page }) => {
    await page.goto('/invoice')
    const submit = page.getByRole('button', { name: 'Download PDF' })
    for (const [name, value] of Object.entries(TYPED)) await page.locator(`input[name=${name}]`).fill(value)
    await expect(submit).toBeEnabled()
    const downloading = page.waitForEvent('download')
    await submit.click()
    const download = await downloading
    expect(download.suggestedFilename()).toBe('invoice.pdf')
    const { text, isClean } = await readPdf(await readFile(await download.path()))
    expect(isClean).toBe(true)
    for (const part of ['21/11/2026 14:05', '411111******1111', 'Zoë Łódź', '€45.17', 'not an invoice'])
      expect(text).toContain(part)
    await expect(page.locator('input[name=cardHolder]')).toHaveValue('')
    await expect(page.locator('input[name=timestamp]')).toHaveValue('')
    await expect(page.locator('input[name=method]')).toHaveValue('Visa/Mastercard')
    await expect(submit).toBeDisabled()
  })

  test('keeps what was typed when the server is away', ANY_WIDTH, async ({ page }) => {
    await page.goto('/invoice')
    await page.route('**/api/v1/invoice', (route) => route.fulfill({ status: 404, body: '' }))
    for (const [name, value] of Object.entries(TYPED)) await page.locator(`input[name=${name}]`).fill(value)
    await page.getByRole('button', { name: 'Download PDF' }).click()
    await expect(page.getByText('The document was not made')).toBeVisible()
    for (const [name, value] of Object.entries(TYPED))
      await expect(page.locator(`input[name=${name}]`)).toHaveValue(value)
  })
})

test('/terms leads to the documents and to the signup', ANY_WIDTH, async ({ page, request }) => {
  await page.goto('/terms')
  const main = page.getByRole('main')
  for (const name of ['terms_of_service', 'privacy_policy']) {
    const path = `/legal/${name}.pdf`
    await expect(main.locator(`a[href="${path}"]`)).toBeVisible()
    const response = await request.get(path)
    expect(response.headers()['content-type']).toBe('application/pdf')
    expect(response.headers()['cache-control']).toBe('no-cache')
    const { text, isClean } = await readPdf(await response.body())
    expect(isClean).toBe(true)
    expect(text).not.toMatch(/template|lawyer/i)
  }
  const form = await request.get('/legal/cancellation_form.pdf')
  await expect(main.locator('a[href="/legal/cancellation_form.pdf"]')).toBeVisible()
  expect((await readPdf(await form.body())).text).toContain('hereby give notice')
  await main.getByRole('link', { name: 'Continue' }).click()
  await expect(page).toHaveURL(/\/signup$/)
})
