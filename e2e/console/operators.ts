import type { OperatorRole } from '@hedgerow/domain/operator-roles'
import { type APIRequestContext, type CDPSession, type Page, request } from '@playwright/test'
import { codeOf } from '../authenticator.ts'
import { ops } from '../operator.ts'

const OPERATOR_PASSWORD = 'nine wrens in a holly bush'

let made = 0
/** Unlike that of any other test in any process. */
export const newName = (word: string): string => `${word} ${process.pid}-${made++}`

/** Somebody who is invited by the operator's tool, with the link that lets them in once. */
export const anInvitation = async (role: OperatorRole): Promise<{ name: string; link: string }> => {
  const name = newName(role)
  const { link } = JSON.parse(await ops('operator', 'invite', '--name', name, '--role', role, '--json'))
  // The tool does not know at which port this shop serves its console.
  return { name, link: `${process.env.SHOP_CONSOLE_URL}/invitation${new URL(link).hash}` }
}

const post = async (http: APIRequestContext, path: string, data: object) => {
  const reply = await http.post(`/api/v1${path}`, { data })
  if (!reply.ok()) throw new Error(`${path} answered ${reply.status()}: ${await reply.text()}`)
  return reply.json()
}

/** The cookies of an operator who has just logged in, made without the pages: those have tests of their own. */
export const aSession = async (role: OperatorRole) => {
  const { name, link } = await anInvitation(role)
  const http = await request.newContext({ baseURL: process.env.SHOP_CONSOLE_URL ?? '' })
  const token = new URL(link).hash.slice(1)
  const { app } = await post(http, '/invitation', { token })
  const { ticket, secret } = app
  await post(http, '/invitation/accept', {
    token,
    app: { password: OPERATOR_PASSWORD, ticket, code: codeOf(secret) },
  })
  const state = await http.storageState()
  await http.dispose()
  return { name, state }
}

const BUILT_IN = {
  protocol: 'ctap2',
  ctap2Version: 'ctap2_1',
  transport: 'internal',
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
  automaticPresenceSimulation: true,
} as const

/** A device that makes passkeys and answers by them at once, in the place of a fingerprint reader. */
export const aDevice = async (page: Page): Promise<CDPSession> => {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable', { enableUI: false })
  await cdp.send('WebAuthn.addVirtualAuthenticator', { options: BUILT_IN })
  return cdp
}
