import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readReleaseKey } from '@hedgerow/agent-release/signature'
import { type Brand, brandFrom } from '@hedgerow/brand/brand'
import { DISGUISES, type Disguise, USUAL_DISGUISE } from '@hedgerow/domain/disguise'
import { CARRIERS, type GatewayName } from '@hedgerow/domain/gateways'
import type { OperatorRole } from '@hedgerow/domain/operator-roles'
import type { PaymentMethod } from '@hedgerow/domain/payment-methods'
import { DEFAULT_PRICES, type Prices } from '@hedgerow/domain/pricing'
import { LARGE_REFUND_MINOR, SECOND_PERSON_MINOR } from '@hedgerow/domain/running-settings'
import { writeAtomicallySync } from '@hedgerow/io/write-atomically'
import { isLoopback } from '@hedgerow/settings/hosts'
import { type Environment, readVariables, type Values } from '@hedgerow/settings/read-variables'
import { SettingsError } from '@hedgerow/settings/settings-error'
import * as v from '@hedgerow/settings/variables'
import { type Bucket, bucketVariables, toBucket } from '#platform/settings/backup-variables.ts'
import { encryptedMailUrl } from '#platform/settings/encryption.ts'
import {
  DATABASE_PLAINTEXT,
  HOST_PLAINTEXT,
  isProductionIn,
  MAIL_PLAINTEXT,
} from '#platform/settings/environment.ts'
import {
  btcpayVariables,
  dataVariables,
  gateVariables,
  stripeVariables,
  vatVariables,
} from '#platform/settings/money-variables.ts'
import {
  addressVariables,
  allVariables,
  brandVariables,
  CONSOLE_PORT,
  consoleAddress,
  databaseVariables,
  encryptionKey,
  keyVariables,
  partnerVariables,
  ssoVariables,
} from '#platform/settings/shop-variables.ts'

type Read<Variables extends (env: Environment, brand: Brand) => Record<string, v.Variable<unknown>>> = Values<
  ReturnType<Variables>
>

export type Gate = Readonly<{
  url: string
  projectId: number
  secret: string
  /** 3-D Secure by pages of ours instead of a page of the gateway's (gate.md §4.3). */
  isExtended3ds: boolean
  /** Its Payment Page, where the card is typed when it is not typed here, and a bank chosen. Empty: there is none. */
  pageUrl: string
}>

/** Null: there is none, and nothing is asked. */
export type DataApi = Readonly<{ url: string; token: string; secret: string }> | null

type Stripe = Readonly<{ url: string; key: string; webhookSecrets: readonly string[] }>

/** Where operators log in elsewhere. */
type SsoSettings = Readonly<{
  issuer: string
  clientId: string
  clientSecret: string
  groups: readonly (readonly [group: string, role: OperatorRole])[]
  groupsClaim: string
  scopes: string
}>

type Btcpay = Readonly<{ url: string; store: string; key: string; webhookSecrets: readonly string[] }>

const STRIPE_API = 'https://api.stripe.com'
const STRIPE_PAGES = 'https://checkout.stripe.com'

/** Who carries each method. Null: nobody does. */
export type Carriers = Readonly<
  Record<Exclude<PaymentMethod, 'crypto'>, GatewayName> & { crypto: GatewayName | null }
>

type DatabaseSettings = Readonly<Read<typeof databaseVariables>>

export type Settings = Readonly<
  Omit<
    Read<typeof allVariables>,
    | keyof Read<typeof gateVariables>
    | keyof Read<typeof dataVariables>
    | keyof Read<typeof stripeVariables>
    | keyof Read<typeof btcpayVariables>
    | keyof Read<typeof ssoVariables>
    | keyof Read<typeof bucketVariables>
    | 'publicUrl'
    | 'consoleUrl'
    | 'keyEncryptionKey'
  > & {
    isProduction: boolean
    /** A refund above it takes a permission of its own; minor units of whatever currency. */
    largeRefundMinor: number
    /** Giving back more takes two operators; minor units of whatever currency. */
    secondPersonMinor: number
    /** What files for AmneziaWG apps have. Null: there are none. */
    disguise: Disguise | null
    /** What the calculator computes with. */
    prices: Prices
    /** The address customers see, without a slash at its end. */
    publicUrl: string
    /** The address operators see, without a slash at its end. */
    consoleUrl: string
    /** Null: there is none, and another carries payments. */
    gate: Gate | null
    /** Null: there is none. */
    stripe: Stripe | null
    /** Null: there is none. */
    btcpay: Btcpay | null
    /** Null: operators have passkeys and passwords alone. */
    sso: SsoSettings | null
    /** Null: copies of backups go nowhere. */
    bucket: Bucket | null
    carriers: Carriers
    /** Who carries cards, and who does while that one does not answer. Null: nobody does. */
    cardGateways: { first: GatewayName; second: GatewayName | null }
    dataApi: DataApi
    cardForm: 'own' | 'hosted'
    /** What the operator allowed that weakens the shop, for the log of each start. */
    warnings: readonly string[]
    /** 32 bytes. */
    keyEncryptionKey: Buffer
    brand: Brand
  }
>

/** What a partner sees. */
export type PartnerSettings = Pick<Settings, 'publicUrl' | 'partnerHoldDays' | 'partnerMinimumSpend'>

/** The key that development makes once and keeps beside its data. Only the shop makes it: another would not fit. */
const keptKey = (dataDir: string, mayMake: boolean): Buffer => {
  const file = join(dataDir, 'key-encryption-key')
  if (!existsSync(file)) {
    if (!mayMake)
      throw new SettingsError(`There is no ${file}: set KEY_ENCRYPTION_KEY or DATA_DIR as the shop has it`)
    mkdirSync(dataDir, { recursive: true })
    writeAtomicallySync(file, `${randomBytes(32).toString('base64')}\n`)
  }
  const { data } = encryptionKey.safeParse(readFileSync(file, 'utf8'))
  if (!data)
    throw new SettingsError(`${file} does not hold a 32-byte key in Base64; restore it from your backup`)
  return data
}

const toPublicUrl = ({ publicUrl, port }: Read<typeof addressVariables>): string =>
  publicUrl ?? `http://localhost:${port}`

const toConsoleUrl = ({ consoleUrl, consolePort }: Read<typeof consoleAddress>): string =>
  consoleUrl ?? `http://localhost:${consolePort ?? CONSOLE_PORT}`

const toKey = ({ keyEncryptionKey, dataDir }: Read<typeof keyVariables>, mayMake: boolean): Buffer =>
  keyEncryptionKey ?? keptKey(dataDir, mayMake)

/** Where nothing of it is set although it must be, another gateway is. */
const toGate = (read: Read<typeof gateVariables>, isProduction: boolean): Gate | null => {
  if (read.projectId === undefined || read.secret === undefined) return null
  const url = read.gateUrl ?? `http://localhost:${read.sandboxPort}`
  return {
    url,
    projectId: read.projectId,
    secret: read.secret,
    isExtended3ds: read.threeDs === 'extended',
    pageUrl: read.pageUrl ?? (isProduction ? '' : `${url}/payment`),
  }
}

/** What is set in part cannot be used. */
const toSso = (read: Read<typeof ssoVariables>): SsoSettings | null => {
  const { ssoIssuer: issuer, ssoClientId: clientId, ssoClientSecret: clientSecret, ssoGroups } = read
  if (issuer && clientId && clientSecret && ssoGroups.length > 0) {
    const groups = ssoGroups.map((one) => {
      const at = one.lastIndexOf('=')
      return [one.slice(0, at), one.slice(at + 1) as OperatorRole] as const
    })
    return {
      issuer,
      clientId,
      clientSecret,
      groups,
      groupsClaim: read.ssoGroupsClaim,
      scopes: read.ssoScopes,
    }
  }
  if (issuer || clientId || clientSecret || ssoGroups.length > 0)
    throw new SettingsError(
      'SSO_ISSUER, SSO_CLIENT_ID, SSO_CLIENT_SECRET and SSO_GROUPS belong together: set all or none',
    )
  return null
}

type DataVariables = Read<typeof dataVariables>

/** In development the sandbox's, with the keys that it has by itself. */
const toStripe = (
  read: Read<typeof stripeVariables>,
  gate: Gate | null,
  isProduction: boolean,
): Settings['stripe'] => {
  const { stripeKey, stripeWebhookSecrets, stripeUrl } = read
  if (isProduction && (stripeKey !== undefined) !== stripeWebhookSecrets.length > 0)
    throw new SettingsError('STRIPE_KEY and STRIPE_WEBHOOK_SECRETS belong together: set both or none')
  if (isProduction)
    return stripeKey
      ? { url: stripeUrl ?? STRIPE_API, key: stripeKey, webhookSecrets: stripeWebhookSecrets }
      : null
  return {
    url: stripeUrl ?? (stripeKey ? STRIPE_API : new URL(gate?.url ?? '').origin),
    key: stripeKey ?? 'sk_test_sandbox',
    webhookSecrets: stripeWebhookSecrets.length > 0 ? stripeWebhookSecrets : ['whsec_sandbox'],
  }
}

/** In development the sandbox's, with what it has by itself. What is set in part cannot be used. */
const toBtcpay = (
  read: Read<typeof btcpayVariables>,
  gate: Gate | null,
  isProduction: boolean,
): Settings['btcpay'] => {
  const { btcpayUrl: url, btcpayStore: store, btcpayKey: key, btcpayWebhookSecrets: webhookSecrets } = read
  if (url && store && key && webhookSecrets.length > 0) return { url, store, key, webhookSecrets }
  if (isProduction && (url || store || key || webhookSecrets.length > 0))
    throw new SettingsError(
      'BTCPAY_URL, BTCPAY_STORE, BTCPAY_KEY and BTCPAY_WEBHOOK_SECRETS belong together: set all or none',
    )
  if (isProduction) return null
  return {
    url: url ?? new URL(gate?.url ?? '').origin,
    store: store ?? 'sandbox-store',
    key: key ?? 'sandbox-btcpay-key',
    webhookSecrets: webhookSecrets.length > 0 ? webhookSecrets : ['sandbox-btcpay-webhook'],
  }
}

/** In development the sandbox's. What is set in part cannot be used. */
const toDataApi = (read: DataVariables, gate: Gate | null, isProduction: boolean): DataApi => {
  const { dataUrl, dataToken, dataSecret } = read
  const isSet = [dataUrl, dataToken, dataSecret].filter((one) => one !== undefined).length
  if (dataUrl && dataToken && dataSecret) return { url: dataUrl, token: dataToken, secret: dataSecret }
  if (isSet > 0)
    throw new SettingsError(
      'DATA_API_URL, DATA_API_TOKEN and DATA_API_SECRET belong together: set all or none',
    )
  return isProduction || !gate
    ? null
    : { url: `${gate.url}/data/v1`, token: 'sandbox-token', secret: gate.secret }
}

/** In development the sandbox's; in production it is not asked unless it is set. */
const toViesUrl = (viesUrl: string | undefined, gate: Gate | null, isProduction: boolean) =>
  viesUrl ?? (isProduction || !gate ? undefined : `${gate.url}/taxation_customs/vies`)

/** For a program that needs the database and nothing else. */
export const readDatabaseSettings = (env: Environment): DatabaseSettings =>
  readVariables(databaseVariables(env), env)

/** Who carries what while operators have chosen nothing: crypto has to be turned on. */
const usualCarriers = (gate: Gate | null, stripe: Settings['stripe']): Carriers => ({
  card: CARRIERS.card.find((name) => (name === 'gate' ? gate : stripe) !== null) ?? CARRIERS.card[0],
  open_banking: CARRIERS.open_banking[0],
  blik: CARRIERS.blik[0],
  crypto: null,
})

export type WithGate = Settings & { gate: Gate }

/** For a program that cannot do without the Gate. */
export const requireGate = (settings: Settings): WithGate => {
  const { gate } = settings
  if (!gate) throw new SettingsError('GATE_URL, GATE_PROJECT_ID and GATE_SECRET are not set')
  return { ...settings, gate }
}

/** For a program that asks the gateway and sends no customer there. */
export const readGateSettings = (env: Environment): Gate | null =>
  toGate(readVariables(gateVariables(env), env), isProductionIn(env))

/** For a program that asks Stripe how payments stand. */
const readStripeSettings = (env: Environment): Settings['stripe'] =>
  toStripe(readVariables(stripeVariables(env), env), readGateSettings(env), isProductionIn(env))

/** For a program that asks a BTCPay Server how payments stand. */
const readBtcpaySettings = (env: Environment): Settings['btcpay'] =>
  toBtcpay(readVariables(btcpayVariables(env), env), readGateSettings(env), isProductionIn(env))

/** For a program that asks where operators log in. */
const readSso = (env: Environment): Settings['sso'] => toSso(readVariables(ssoVariables(env), env))

/** For a program that reads what was sent there. */
const readBucket = (env: Environment): Settings['bucket'] =>
  toBucket(readVariables(bucketVariables(env), env))

/** For a program that asks the gateway for its reports. */
export const readDataApi = (env: Environment): DataApi =>
  toDataApi(readVariables(dataVariables(env), env), readGateSettings(env), isProductionIn(env))

/** For a program that speaks for the company. */
export const readBrand = (env: Environment): Brand => {
  readVariables(brandVariables(env), env)
  return brandFrom(env)
}

/** For a program that issues invoices. */
export const readIssuer = (env: Environment): Pick<Settings, 'brand' | 'ossNumber'> => {
  const { ossNumber } = vatVariables(env)
  return { brand: readBrand(env), ...readVariables({ ossNumber }, env) }
}

/** For a program that says where the shop is. */
export const readPublicUrl = (env: Environment): string =>
  toPublicUrl(readVariables(addressVariables(env), env))

const releaseKey = v.optional(
  'AGENT_RELEASE_KEY',
  v.text.check(
    v.must(
      (text) => readReleaseKey(text) !== undefined,
      'must be an Ed25519 public key in Base64, as "npm run release" prints it',
    ),
  ),
)

/** For a program that stores archives of agents: with the key, it refuses at once what every node would. */
export const readAgentReleaseKey = (env: Environment): string | undefined =>
  readVariables({ releaseKey }, env).releaseKey

/** For a program that invites operators. */
export const readConsoleUrl = (env: Environment): Pick<Settings, 'consoleUrl'> => ({
  consoleUrl: toConsoleUrl(readVariables(consoleAddress(env), env)),
})

/** For a program that shows what a partner sees. */
export const readPartnerSettings = (env: Environment): PartnerSettings => {
  const read = readVariables(partnerVariables(env), env)
  return { ...read, publicUrl: toPublicUrl(read) }
}

/** For a program that makes keys beside the shop. */
export const readSharedKeys = (env: Environment): Pick<Settings, 'keyEncryptionKey' | 'acceptedKeys'> => {
  const read = readVariables(keyVariables(env), env)
  return { keyEncryptionKey: toKey(read, false), acceptedKeys: read.acceptedKeys }
}

/** Settings that are made of several variables, or that a program may not make. */
const COMPOSED: { [K in keyof Settings]?: (env: Environment) => Settings[K] } = {
  isProduction: isProductionIn,
  brand: readBrand,
  gate: readGateSettings,
  stripe: readStripeSettings,
  btcpay: readBtcpaySettings,
  sso: readSso,
  bucket: readBucket,
  carriers: (env) => usualCarriers(readGateSettings(env), readStripeSettings(env)),
  dataApi: readDataApi,
  publicUrl: readPublicUrl,
  consoleUrl: (env) => readConsoleUrl(env).consoleUrl,
  keyEncryptionKey: (env) => readSharedKeys(env).keyEncryptionKey,
  disguise: () => DISGUISES[USUAL_DISGUISE],
}

/**
 * The settings for a program that uses few of them and need not have the others: each is read and checked when it is asked
 * for, which throws a SettingsError.
 */
export const settingsWhenAsked = (env: Environment): Settings =>
  new Proxy({} as Settings, {
    get: (_, name: string) => {
      const composed = COMPOSED[name as keyof Settings]
      if (composed) return composed(env)
      const variable = new Map(Object.entries(allVariables(env, brandFrom(env)))).get(name)
      if (!variable) throw new Error(`No program but the shop reads the setting ${name}`)
      return readVariables({ variable: variable as v.Variable<unknown> }, env).variable
    },
  })

type Allowed = Pick<
  Settings,
  'host' | 'mayDatabaseBePlain' | 'mayMailBePlain' | 'rateLimitScale' | 'vatScheme' | 'viesUrl'
>

/** More than that many times the limits are none. */
const SCALE_OF_NO_LIMITS = 10

const warningsOf = (
  { host, mayDatabaseBePlain, mayMailBePlain, rateLimitScale, vatScheme, viesUrl }: Allowed,
  isProduction: boolean,
) => [
  ...(mayDatabaseBePlain ? [`${DATABASE_PLAINTEXT} is on: the database may be reached without TLS`] : []),
  ...(mayMailBePlain
    ? [`${MAIL_PLAINTEXT} is on: mails, and the links in them, may be sent without TLS`]
    : []),
  ...(isProduction && (rateLimitScale === 0 || rateLimitScale > SCALE_OF_NO_LIMITS)
    ? [`RATE_LIMIT_SCALE is ${rateLimitScale}: requests are not limited`]
    : []),
  ...(vatScheme === 'oss' && !viesUrl
    ? [
        'VIES_URL is not set: any VAT number in the form of its country takes the VAT off, and nothing shows that it is a business’s',
      ]
    : []),
  ...(isProduction && !isLoopback(host)
    ? [
        `${HOST_PLAINTEXT} is on, and HOST is ${host}: cards and keys travel unencrypted between the proxy and the shop; use a network that only you control, and let only the proxy connect`,
      ]
    : []),
]

/** Reads and checks every variable. `mayMakeKey`: only the shop itself makes the one of development. Throws one SettingsError that names all that is wrong. */
export const readSettings = (env: Environment, mayMakeKey = true): Settings => {
  const isProduction = isProductionIn(env)
  const brand = brandFrom(env)
  const read = readVariables(allVariables(env, brand), env)
  const { sandboxPort, gateUrl, projectId, secret, threeDs, pageUrl, ...rest } = read
  const { dataUrl, dataToken, dataSecret, stripeKey, stripeWebhookSecrets, stripeUrl, ...afterStripe } = rest
  const { btcpayUrl, btcpayStore, btcpayKey, btcpayWebhookSecrets, ...afterBtcpay } = afterStripe
  const { ssoIssuer, ssoClientId, ssoClientSecret, ssoGroups, ssoGroupsClaim, ssoScopes, ...afterSso } =
    afterBtcpay
  const { bucketUrl, bucketKey, bucketSecret, bucketRegion, ...others } = afterSso
  const gate = toGate(read, isProduction)
  const stripe = toStripe(read, gate, isProduction)
  const btcpay = toBtcpay(read, gate, isProduction)
  const bucket = toBucket(read)
  if (bucket && !read.backupDir)
    throw new SettingsError('BACKUP_S3 needs BACKUP_DIR: a backup is made there first')
  const issuerOrigins = [...read.issuerOrigins]
  // Real issuers live on hosts that cannot be listed; the sandbox's on one that we know.
  if (issuerOrigins.length === 0) {
    if (isProduction) issuerOrigins.push('https:')
    // In production too, where a rehearsal has its sandbox on this machine.
    if (gate && (!isProduction || gate.url.startsWith('http:'))) issuerOrigins.push(new URL(gate.url).origin)
  }
  // The page that sends customers there has to be allowed to.
  else {
    if (gate?.pageUrl) issuerOrigins.push(new URL(gate.pageUrl).origin)
    if (stripe) issuerOrigins.push(stripeUrl ? new URL(stripeUrl).origin : STRIPE_PAGES)
    if (btcpay) issuerOrigins.push(new URL(btcpay.url).origin)
  }
  return {
    ...others,
    smtpUrl: encryptedMailUrl(read.smtpUrl, read.mayMailBePlain),
    warnings: warningsOf(read, isProduction),
    isProduction,
    disguise: DISGUISES[USUAL_DISGUISE],
    largeRefundMinor: LARGE_REFUND_MINOR,
    secondPersonMinor: SECOND_PERSON_MINOR,
    prices: DEFAULT_PRICES,
    publicUrl: toPublicUrl(read),
    consoleUrl: toConsoleUrl(read),
    gate,
    stripe,
    btcpay,
    sso: toSso(read),
    bucket,
    carriers: usualCarriers(gate, stripe),
    cardGateways: { first: usualCarriers(gate, stripe).card, second: null },
    dataApi: toDataApi(read, gate, isProduction),
    viesUrl: toViesUrl(read.viesUrl, gate, isProduction),
    issuerOrigins,
    keyEncryptionKey: toKey(read, mayMakeKey),
    brand,
  }
}
