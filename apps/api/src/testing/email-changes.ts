import type { Reply } from '@hedgerow/testing/call'
import { mailbox, tokenIn } from '@hedgerow/testing/mailbox'
import { type TestCustomer, uniqueEmail } from '#testing/customers.ts'
import type { TestShop } from '#testing/test-shop.ts'

type Shop = Pick<TestShop, 'call' | 'sandbox'>

export const askForEmail = ({ call }: Shop, token: string | undefined, email: unknown): Promise<Reply> =>
  call('POST', '/api/v1/user/email', { token, body: { email } })

export const confirmEmail = ({ call }: Shop, token: string): Promise<Reply> =>
  call('POST', '/api/v1/user/email/confirm', { body: { token } })

export const undoEmail = ({ call }: Shop, token: string, password: string): Promise<Reply> =>
  call('POST', '/api/v1/user/email/undo', { body: { token, password } })

/** What the newest mail to a new address confirms it by. */
export const confirmToken = async (shop: Shop, email: string): Promise<string> =>
  tokenIn(await mailbox(shop).latest(email, 'Confirm your new email'), '/email/confirm/')

/** What the newest mail to an old address undoes the change by. */
export const undoToken = async (shop: Shop, email: string): Promise<string> =>
  tokenIn(await mailbox(shop).latest(email, 'was changed'), '/email/undo/')

/** Asks for another address and confirms it. Returns the address, and what undoes the change. */
export const changeEmail = async (
  shop: Shop,
  { token, email: oldEmail }: Pick<TestCustomer, 'email' | 'token'>,
  email = uniqueEmail('grace'),
): Promise<{ email: string; undo: string }> => {
  await askForEmail(shop, token, email)
  const { status, text } = await confirmEmail(shop, await confirmToken(shop, email))
  if (status !== 200) throw new Error(text)
  return { email, undo: await undoToken(shop, oldEmail) }
}
