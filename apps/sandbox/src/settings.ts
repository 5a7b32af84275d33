import { type Environment, readVariables, type Values } from '@hedgerow/settings/read-variables'
import * as v from '@hedgerow/settings/variables'

export { SettingsError } from '@hedgerow/settings/settings-error'

const HIGHEST_PROJECT_ID = 4_294_967_295
const HOUR_MS = 3_600_000
const DAY_MINUTES = 1_440

const VARIABLES = {
  host: v.withDefault('SANDBOX_HOST', v.text, '127.0.0.1'),
  port: v.withDefault('SANDBOX_PORT', v.port, 3001),
  smtpPort: v.withDefault('SANDBOX_SMTP_PORT', v.port, 2525),
  projectId: v.withDefault('GATE_PROJECT_ID', v.wholeNumber(0, HIGHEST_PROJECT_ID), 57123),
  secret: v.withDefault('GATE_SECRET', v.secret, 'sandbox-secret'),
  /** Of the Data API; its key is the project's secret unless it has one of its own. */
  dataToken: v.withDefault('DATA_API_TOKEN', v.secret, 'sandbox-token'),
  dataSecret: v.optional('DATA_API_SECRET', v.secret),
  /** Where the notice of chargebacks goes; unset means 'chargebacks' beside the address for callbacks of the sale. */
  chargebackUrl: v.optional(
    'SANDBOX_CHARGEBACK_URL',
    v.baseUrl(v.HTTP, (value) => `must be an http or https address, not ${value}`),
  ),
  /** Of the Stripe account. */
  stripeKey: v.withDefault('STRIPE_KEY', v.secret, 'sk_test_sandbox'),
  /** Where all of its events go, besides the endpoints that are made by a call; and what they are signed with. */
  stripeWebhookUrl: v.optional(
    'SANDBOX_STRIPE_WEBHOOK_URL',
    v.baseUrl(v.HTTP, (value) => `must be an http or https address, not ${value}`),
  ),
  stripeWebhookSecret: v.withDefault('SANDBOX_STRIPE_WEBHOOK_SECRET', v.secret, 'whsec_sandbox'),
  /** Of the BTCPay Server: its store, the key for it, and the webhook that the store has from the start. */
  btcpayStore: v.withDefault('BTCPAY_STORE', v.text, 'sandbox-store'),
  btcpayKey: v.withDefault('BTCPAY_KEY', v.secret, 'sandbox-btcpay-key'),
  btcpayWebhookUrl: v.optional(
    'SANDBOX_BTCPAY_WEBHOOK_URL',
    v.baseUrl(v.HTTP, (value) => `must be an http or https address, not ${value}`),
  ),
  btcpayWebhookSecret: v.withDefault('SANDBOX_BTCPAY_WEBHOOK_SECRET', v.secret, 'sandbox-btcpay-webhook'),
  /** Where browsers reach these pages; unset means http://localhost and the port in use. */
  publicUrl: v.optional(
    'SANDBOX_PUBLIC_URL',
    v.baseUrl(v.HTTP, (value) => `must be an http or https address, not ${value}`),
  ),
  /** Where the shop answers, and the program that is its operator's tool; unset means that this page changes nothing there. */
  shopUrl: v.optional(
    'SANDBOX_SHOP_URL',
    v.baseUrl(v.HTTP, (value) => `must be an http or https address, not ${value}`),
  ),
  shopTool: v.optional('SANDBOX_SHOP_TOOL', v.text),
  /** Where books and mails are kept over restarts; unset means in memory only. */
  dataDir: v.optional('SANDBOX_DATA_DIR', v.text),
  /** The name that the issuer's page shows. */
  merchantName: v.withDefault('SANDBOX_MERCHANT_NAME', v.text, 'Example Merchant'),
  callbackDelayMs: v.withDefault('SANDBOX_CALLBACK_DELAY_MS', v.wholeNumber(0, HOUR_MS), 150),
  /** Multiplies the pauses between callback tries: 1 is the gateway's real schedule. */
  retryScale: v.withDefault('SANDBOX_RETRY_SCALE', v.number(0, 1), 0.1),
  accessTimeoutMinutes: v.withDefault('SANDBOX_ACCESS_TIMEOUT_MINUTES', v.number(0, DAY_MINUTES), 30),
}

export type SandboxSettings = Values<typeof VARIABLES>

export const readSettings = (env: Environment): SandboxSettings => readVariables(VARIABLES, env)

export const DEFAULT_SETTINGS = readSettings({})
