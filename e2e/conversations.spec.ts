import { aCustomer, inbox } from './customers.ts'
import { ANY_WIDTH, expect, expectAccessible, refuse, test } from './fixtures.ts'

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
  test(
    `${path} is sent, reaches the operator and the customer, and leads home`,
    ANY_WIDTH,
    async ({ page }) => {
      const { email } = await aCustomer(page, path)
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

      // By the name, the mail to the operator is found among those of other tests. In letters: many digits might be a
      // card number, which would be masked.
      const name = `Ada ${email.replace(/@.*/, '').replace(/[\d.]/g, (sign) => 'abcdefghijx'.charAt(sign === '.' ? 10 : Number(sign)))}`
      await page.getByRole('textbox', { name: 'Name' }).fill(name)
      await page.getByRole('textbox', { name: label }).fill('The tunnel drops\nevery night at eleven.')

      await test.step('when it cannot be sent, nothing is lost', async () => {
        await refuse(page, `**${call}`, 429, 'Please wait a little and try again.')
        await submit.click()
        await expect(page.getByRole('alert')).toContainText('Please wait a little and try again.')
        await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue(name)
        await expect(page.getByRole('textbox', { name: label })).toHaveValue(/every night at eleven\.$/)
        await expectAccessible(page)
        await page.unroute(`**${call}`)
      })

      await submit.dblclick()
      await page.waitForURL(({ pathname }) => pathname === '/')
      await expect(page.getByRole('status').getByText(thanks)).toBeVisible()

      const mail = await inbox().latest(OPERATOR, `${toOperator} ${name}`)
      expect(mail.replyTo).toBe(email)
      expect(mail.text).toContain('> The tunnel drops\n> every night at eleven.')
      const answer = await inbox().latest(email, toCustomer)
      expect(answer.text).toContain('> every night at eleven.')
      expect(await inbox().list(OPERATOR, `${toOperator} ${name}`)).toHaveLength(1)
    },
  )
}
