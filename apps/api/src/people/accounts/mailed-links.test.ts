import { mailbox, tokenIn } from '@hedgerow/testing/mailbox'
import { expectProblem } from '@hedgerow/testing/problems'
import { describe, expect, test } from 'vitest'
import { aCustomer, uniqueEmail } from '#testing/customers.ts'
import { askForEmail, changeEmail, confirmEmail, confirmToken, undoEmail } from '#testing/email-changes.ts'
import { aGuarded, aTicket } from '#testing/second-step.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()
const NEW_PASSWORD = 'another wren in the hedge'

const look = (kind: string, token: string) =>
  shop.call('POST', '/api/v1/user/links', { body: { kind, token } })
const KINDS = ['confirm', 'reset', 'email-confirm', 'email-undo', 'second-step']

/** Looked at twice, it works all the same; used, it is over, or says that it is done. As another kind of link it never works. */
const expectLooked = async (
  kind: string,
  token: string,
  reply: object,
  use: () => Promise<unknown>,
  isDoneSaid = false,
) => {
  for (let i = 0; i < 2; i++) expect((await look(kind, token)).body).toEqual(reply)
  for (const other of KINDS.filter((one) => one !== kind)) expectProblem(await look(other, token), 400)
  await use()
  if (isDoneSaid) expect((await look(kind, token)).body).toEqual({ isDone: true })
  else expectProblem(await look(kind, token), 400)
}

describe('POST /api/v1/user/links', () => {
  test('looks at a link to choose a password', async () => {
    const { email } = await aCustomer(shop)
    await shop.call('POST', '/api/v1/user/password/forgot', { body: { username: email } })
    const token = tokenIn(await mailbox(shop).latest(email, 'Choose a new password'), '/reset/')
    const body = { token, password: NEW_PASSWORD }
    await expectLooked('reset', token, { email }, () =>
      shop.call('POST', '/api/v1/user/password/reset', { body }),
    )
  })

  test('looks at a link to confirm another address', async () => {
    const customer = await aCustomer(shop)
    const email = uniqueEmail('grace')
    await askForEmail(shop, customer.token, email)
    const token = await confirmToken(shop, email)
    await expectLooked('email-confirm', token, { email }, () => confirmEmail(shop, token))
  })

  test('looks at a link to have the old address back', async () => {
    const customer = await aCustomer(shop)
    const { undo } = await changeEmail(shop, customer)
    await expectLooked(
      'email-undo',
      undo,
      { email: customer.email },
      () => undoEmail(shop, undo, NEW_PASSWORD),
      true,
    )
    // The account has gone on to another address, which is none of its reader's business.
    await shop.db
      .updateTable('customers')
      .set({ email: uniqueEmail() })
      .where('id', '=', customer.id)
      .execute()
    expectProblem(await look('email-undo', undo), 400)
  })

  test('looks at a link to confirm an account', async () => {
    const email = uniqueEmail()
    const body = { name: 'Ada', email, signupPassword: NEW_PASSWORD, acceptTerms: true }
    await shop.call('POST', '/api/v1/user/create', { body })
    const token = tokenIn(await mailbox(shop).latest(email, 'Confirm your email'), '/confirm/')
    const confirm = () =>
      shop.call('POST', `/api/v1/user/confirm/${token}`, { body: { password: NEW_PASSWORD } })
    await expectLooked('confirm', token, { email }, confirm, true)
  })

  test('looks at a link to keep the second step, and tells no address', async () => {
    const owner = await aGuarded(shop)
    await shop.call('POST', '/api/v1/user/login/way-back', { body: { ticket: await aTicket(shop, owner) } })
    const mail = await mailbox(shop).latest(owner.email, 'will be turned off')
    const token = tokenIn(mail, '/second-step/')
    await expectLooked('second-step', token, {}, () =>
      shop.call('POST', '/api/v1/user/login/way-back/stop', { body: { token } }),
    )
  })

  test.each(KINDS)('says of a %s link that is none that it does not work', async (kind) => {
    for (const token of ['', 'of-no-mail']) expectProblem(await look(kind, token), 400)
  })
})
