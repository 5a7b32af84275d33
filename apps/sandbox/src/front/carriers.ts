import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { FastifyInstance } from 'fastify'
import { type Html, html } from '#pages/html.ts'
import { sendPage } from '#pages/page-reply.ts'
import { workbenchPage } from '#pages/workbench-page.ts'
import type { SandboxSettings } from '#settings.ts'

type Shop = Pick<SandboxSettings, 'shopUrl' | 'shopTool'>

/** What may be chosen of the shop's running settings, which have the same names. */
const CHOICES = {
  'card-gateway': { gate: 'Cards to the gateway', stripe: 'Cards to Stripe' },
  'crypto-gateway': { btcpay: 'Bitcoin on', off: 'Bitcoin off' },
} as const

const ANSWER_MS = 2_000
const TOOL_MS = 60_000

/** As the shop's checkout sees it. Undefined where the shop does not answer. */
const stateOf = async (shopUrl: string): Promise<string | undefined> => {
  try {
    const reply = await fetch(`${shopUrl}/api/v1/payment/methods`, { signal: AbortSignal.timeout(ANSWER_MS) })
    const { card, takesCrypto } = (await reply.json()) as { card: { hosted: boolean }; takesCrypto?: true }
    const cards = card.hosted
      ? 'Cards are typed on a gateway’s page'
      : 'Cards are typed on the shop’s own form'
    return `${cards}, and bitcoin is ${takesCrypto ? 'on' : 'off'}.`
  } catch {
    return undefined
  }
}

/** Nothing where the sandbox was started without the shop. */
export const carriersSection = async ({ shopUrl, shopTool }: Shop): Promise<Html | undefined> => {
  if (!shopUrl || !shopTool) return undefined
  const state = await stateOf(shopUrl)
  const buttons = Object.entries(CHOICES).flatMap(([setting, values]) =>
    Object.entries(values).map(
      ([value, label]) => html`<form method="post" action="/carriers">
<input type="hidden" name="setting" value="${setting}"><button class="second" name="value" value="${value}">${label}</button></form>`,
    ),
  )
  return html`<h2 id="carriers">Who carries new payments</h2>
<p>${state ?? 'The shop does not answer yet.'}</p>
<div class="buttons">${buttons}</div>
<p class="quiet" style="margin-top: 1rem">Sets the shop’s running settings <code>card-gateway</code> and <code>crypto-gateway</code> by the operator’s tool, which
takes a few seconds. The console can do it, too. What has begun stays with its gateway.</p>`
}

export const carriersRoutes = ({ shopTool }: Shop) => {
  const run = promisify(execFile)
  return async (app: FastifyInstance) => {
    app.post<{ Body: Record<string, string> | undefined }>(
      '/carriers',
      async ({ body = {}, headers }, reply) => {
        // A page of somebody else's could send this form, too.
        if (headers['sec-fetch-site'] === 'cross-site')
          return reply.code(403).send({ error: 'Not from another site' })
        const { setting = '', value = '' } = body
        const values = Object.entries(CHOICES).find(([name]) => name === setting)?.[1] ?? {}
        if (!shopTool || !Object.hasOwn(values, value))
          return reply.code(400).send({ error: 'No such choice, or no shop to make it in' })
        try {
          await run(process.execPath, [shopTool, 'setting', 'set', setting, '--value', value, '--yes'], {
            timeout: TOOL_MS,
          })
        } catch (error) {
          const { stderr } = error as { stderr?: string }
          const page = html`<p>The shop’s tool did not set ${setting} to ${value}:</p><pre>${stderr || String(error)}</pre>`
          return sendPage(reply, workbenchPage('Nothing was changed', '/', page), 502)
        }
        return reply.redirect('/#carriers', 303)
      },
    )
  }
}
