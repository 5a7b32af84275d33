import { aCustomer, expect, expectAccessible, expectNoSidewaysScroll, inbox, test } from './fixtures.ts'

const FORMS = [
  {
    path: '/submit',
    call: '/api/v1/applications',
    label: 'Commentary',
    toOperator: 'White label application from',
    toCustomer: 'We received your application',
    thanks: 'Thank you. We have your application',
  },
  {
    path: '/support',
    call: '/api/v1/support',
    label: 'Describe your problem',
    toOperator: 'Support message from',
    toCustomer: 'We received your message',
    thanks: 'Thank you. We have your message',
  },
] as const

/** Where the shop's mail to its operator goes when nothing is set. */
const OPERATOR = 'operator@hedgerow.example'

for (const { path, call, label, toOperator, toCustomer, thanks } of FORMS) {
  test(`${path} is sent, reaches the operator and the customer, and leads home`, async ({ page }) => {
    const { email } = await aCustomer(page)
    await page.goto(path)
    const submit = page.getByRole('button', { name: 'Submit' })
    await expect(page.getByRole('textbox', { name: 'Email' })).toHaveValue(email)
    await expect(page.getByRole('textbox', { name: 'Email' })).not.toBeEditable()
    await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Ada Lovelace')
    await expect(submit).toBeDisabled()
    await page.getByRole('textbox', { name: label }).fill('too short')
    await page.getByRole('textbox', { name: label }).blur()
    await expect(page.getByText('Write 10 characters or more')).toBeVisible()
    await expect(submit).toBeDisabled()
    await expectAccessible(page)

    // By the name, the mail to the operator is found among those of other tests.
    const name = `Ada ${email.split('@')[0]}`
    await page.getByRole('textbox', { name: 'Name' }).fill(name)
    await page.getByRole('textbox', { name: label }).fill('The tunnel drops\nevery night at eleven.')
    await submit.dblclick()
    await page.waitForURL(({ pathname }) => pathname === '/')
    await expect(page.getByRole('status').getByText(thanks)).toBeVisible()

    const mail = await inbox().latest(OPERATOR, `${toOperator} ${name}`)
    expect(mail.replyTo).toBe(email)
    expect(mail.text).toContain('> The tunnel drops\n> every night at eleven.')
    const answer = await inbox().latest(email, toCustomer)
    expect(answer.text).toContain('> every night at eleven.')
    expect(await inbox().list(OPERATOR, `${toOperator} ${name}`)).toHaveLength(1)
  })

  test(`${path} keeps what was typed when it cannot be sent`, async ({ page }) => {
    await aCustomer(page)
    await page.goto(path)
    await page.getByRole('textbox', { name: label }).fill('The tunnel drops every night')
    const problem = { title: 'Too Many Requests', status: 429, detail: 'Please wait a little and try again.' }
    await page.route(`**${call}`, (route) => route.fulfill({ status: 429, json: problem }))
    await page.getByRole('button', { name: 'Submit' }).click()
    await expect(page.getByRole('alert')).toContainText('Please wait a little and try again.')
    await expect(page.getByRole('textbox', { name: label })).toHaveValue('The tunnel drops every night')
    await expectAccessible(page)
    await page.unroute(`**${call}`)
    await page.getByRole('button', { name: 'Submit' }).click()
    await page.waitForURL(({ pathname }) => pathname === '/')
  })

  test(`${path} is for customers, and has no barriers on a narrow phone in the dark`, async ({ page }) => {
    await page.goto(path)
    await page.waitForURL(new RegExp(`/login\\?redirectUrl=${encodeURIComponent(path)}$`))
    await aCustomer(page)
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
    await page.setViewportSize({ width: 320, height: 640 })
    await page.goto(path)
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
  })
}
