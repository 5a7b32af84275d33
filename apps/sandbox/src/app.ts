import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import formbody from '@fastify/formbody'
import fastify from 'fastify'
import { bankRoutes } from '#bank/bank.routes.ts'
import { booksRoutes } from '#books/books.routes.ts'
import { createBtcpayServer } from '#btcpay/btcpay-server.ts'
import { greenfieldRoutes } from '#btcpay/greenfield.routes.ts'
import { btcpayPages, resumeBtcpay } from '#btcpay/pages.routes.ts'
import { CALLS } from '#calls.ts'
import { customerRoutes } from '#customer/customer.routes.ts'
import { chargebacksRoutes } from '#data-api/chargebacks.routes.ts'
import { dataApiRoutes } from '#data-api/data-api.routes.ts'
import { faultsRoutes } from '#faults/faults.routes.ts'
import { answerNotFound, frontRoutes } from '#front/front.routes.ts'
import { createGateway } from '#gateway/gateway.ts'
import { resumeGateway } from '#gateway/resume.ts'
import { hostedRoutes } from '#hosted/hosted.routes.ts'
import { issuerRoutes } from '#issuer/issuer.routes.ts'
import { mailRoutes } from '#mail/mail.routes.ts'
import { startMailServer } from '#mail/mail-server.ts'
import { createMailbox } from '#mail/mailbox.ts'
import { DEFAULT_SETTINGS, type SandboxSettings, SettingsError } from '#settings.ts'
import { settlementRoutes } from '#settlement/settlement.routes.ts'
import { dashboardRoutes } from '#stripe/dashboard.routes.ts'
import { payRoutes } from '#stripe/pay.routes.ts'
import { resumeStripe } from '#stripe/resume.ts'
import { stripeRoutes } from '#stripe/stripe.routes.ts'
import { createStripeAccount } from '#stripe/stripe-account.ts'
import { gatewayRoutes } from '#v2/v2.routes.ts'
import { viesRoutes } from '#vies/vies.routes.ts'

export type Sandbox = {
  /** The base of all pages and of the gateway, without a slash at the end. */
  url: string
  smtpPort: number
  close(): Promise<void>
}

/** Far more than a shop or a form sends. */
const BODY_BYTES = 64 * 1_024
/** A payment id has up to 255 characters, each up to 12 in an address. */
const LONGEST_ID = 255 * 12

const noSchema = () => () => {
  throw new Error('no route here has a schema')
}

const START_FAULTS: Record<string, string> = {
  EADDRINUSE: 'is already in use',
  EACCES: 'may not be used without more rights',
  EADDRNOTAVAIL: 'is not an address of this machine',
}

/** Turns a port that cannot be had into one line that says what to change. */
const explained = async <T>(start: Promise<T>, setting: string, host: string, port: number): Promise<T> => {
  try {
    return await start
  } catch (error) {
    const fault = START_FAULTS[(error as NodeJS.ErrnoException).code ?? '']
    throw fault ? new SettingsError(`${host}:${port} ${fault}: set ${setting} to another`) : error
  }
}

export const startSandbox = async (overrides: Partial<SandboxSettings> = {}): Promise<Sandbox> => {
  const settings = { ...DEFAULT_SETTINGS, ...overrides }
  const { host, port, smtpPort, dataDir } = settings
  const gateway = createGateway(settings)
  const stripe = createStripeAccount(settings)
  const btcpay = createBtcpayServer(settings)
  const mailbox = createMailbox(dataDir && join(dataDir, 'mails.jsonl'))
  const app = fastify({
    forceCloseConnections: true,
    bodyLimit: BODY_BYTES,
    routerOptions: { maxParamLength: LONGEST_ID },
    // No route has a schema, and with compilers of its own Fastify loads 170 files.
    schemaController: { compilersFactory: { buildValidator: noSchema, buildSerializer: noSchema } },
  })
  /** Ends in reverse order: nothing may be written to a journal that is closed. */
  const toClose = [
    () => mailbox.close(),
    () => gateway.close(),
    () => stripe.close(),
    () => btcpay.close(),
    () => app.close(),
  ]
  const close = async () => {
    for (const end of toClose.splice(0).reverse()) await end()
  }

  try {
    const mail = await explained(
      startMailServer(host, smtpPort, mailbox),
      'SANDBOX_SMTP_PORT',
      host,
      smtpPort,
    )
    toClose.push(() => mail.close())

    answerNotFound(app)
    await app.register(formbody)
    await app.register(gatewayRoutes(gateway, CALLS), { prefix: '/v2' })
    await app.register(dataApiRoutes(gateway), { prefix: '/data/v1' })
    await app.register(viesRoutes, { prefix: '/taxation_customs/vies' })
    await app.register(chargebacksRoutes(gateway))
    await app.register(booksRoutes(gateway.books))
    await app.register(settlementRoutes(gateway))
    await app.register(bankRoutes)
    await app.register(faultsRoutes(gateway.faults, '/'), { prefix: '/gate' })
    await app.register(issuerRoutes(gateway))
    await app.register(customerRoutes(gateway))
    await app.register(hostedRoutes(gateway))
    await app.register(stripeRoutes(stripe))
    await app.register(payRoutes(stripe))
    await app.register(dashboardRoutes(stripe))
    await app.register(faultsRoutes(stripe.faults, '/stripe'), { prefix: '/stripe' })
    await app.register(greenfieldRoutes(btcpay))
    await app.register(btcpayPages(btcpay))
    await app.register(faultsRoutes(btcpay.faults, '/btcpay'), { prefix: '/btcpay' })
    await app.register(mailRoutes(mailbox, gateway))
    await app.register(frontRoutes(gateway, stripe, btcpay, mailbox, { host, port: mail.port }))
    await explained(app.listen({ host, port }), 'SANDBOX_PORT', host, port)

    const usedPort = (app.server.address() as AddressInfo).port
    gateway.publicUrl = settings.publicUrl ?? `http://localhost:${usedPort}`
    stripe.publicUrl = gateway.publicUrl
    btcpay.publicUrl = gateway.publicUrl
    resumeGateway(gateway)
    resumeStripe(stripe)
    resumeBtcpay(btcpay)
    return { url: gateway.publicUrl, smtpPort: mail.port, close }
  } catch (error) {
    await close()
    throw error
  }
}
