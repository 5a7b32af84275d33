import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { readReleaseKey } from '@hedgerow/agent-release/signature'
import { writeAtomicallySync } from '@hedgerow/atomic-file/write-atomically'
import { type Brand, brandFrom, DEFAULT_BRAND, isSocialUrl, SOCIAL_VARIABLES } from '@hedgerow/brand/brand'
import { BANK_COUNTRIES } from '@hedgerow/domain/bank-countries'
import { ENDED_KEPT_DAYS } from '@hedgerow/domain/nodes'
import { HOLD_DAYS, MINIMUM_SPEND_MINOR } from '@hedgerow/domain/partnership'
import { DEFAULT_PRICES, type Prices } from '@hedgerow/domain/pricing'
import { LARGE_REFUND_MINOR } from '@hedgerow/domain/running-settings'
import { VAT_SCHEMES } from '@hedgerow/domain/vat'
import { checkedCertificates } from '@hedgerow/settings/certificates'
import { isLoopback } from '@hedgerow/settings/hosts'
import { type Environment, readVariables, type Values } from '@hedgerow/settings/read-variables'
import { SettingsError } from '@hedgerow/settings/settings-error'
import * as v from '@hedgerow/settings/variables'
import { isValidBIC, isValidIBAN } from 'ibantools'
import { encryptedMailUrl, isDatabaseEncrypted, isMailEncrypted } from '#settings/encryption.ts'
import { legalVariables } from '#settings/legal-texts.ts'
import { hasDefaultPassword, isWeakKey, isWeakSecret } from '#settings/weak-secrets.ts'

const isOssNumber = (number: string) => /^EU\d{9}$/.test(number)
const isValidIban = (iban: string) => isValidIBAN(iban.replaceAll(' ', ''))

const isProductionIn = (env: Environment): boolean => env.NODE_ENV === 'production'

/** What development has by itself, and production has to be given. */
const given = <Value, Default>(
  env: Environment,
  name: string,
  form: v.Form<Value>,
  inDevelopment: Default,
) =>
  isProductionIn(env)
    ? v.required(name, form, 'is required in production; .env.example shows one')
    : v.withDefault(name, form, inDevelopment)

/** A rule that only production keeps. */
const mustInProduction = (env: Environment, isRight: (value: string) => boolean, fault: string) =>
  v.must((value) => !isProductionIn(env) || isRight(value), fault)

/** Whether what is sent there can be read on the way. */
const isPlainToOthers = (address: string): boolean => {
  const { protocol, hostname } = new URL(address)
  return protocol === 'http:' && !isLoopback(hostname)
}

/** The address of something that card numbers pass. */
const cardUrl = (env: Environment) =>
  v
    .baseUrl(v.HTTP)
    .check(
      mustInProduction(
        env,
        (address) => !isPlainToOthers(address),
        'must begin with https:// in production: card numbers are sent there',
      ),
    )

const CONSOLE_PORT = 3002

const consoleUrl = (env: Environment) =>
  v
    .baseUrl(v.HTTP)
    .check(
      mustInProduction(
        env,
        (address) => !isPlainToOthers(address),
        'must begin with https:// in production: operators log in there',
      ),
    )

const consoleAddress = (env: Environment) => ({
  /** Where operators' browsers are served; null: this process has no console. */
  consolePort: v.withDefault('CONSOLE_PORT', v.portOrOff, CONSOLE_PORT),
  /** The address that operators see, behind a proxy. */
  consoleUrl: v.optional('CONSOLE_URL', consoleUrl(env)),
})

const addressVariables = (env: Environment) => ({
  port: v.withDefault('PORT', v.port, 3000),
  publicUrl: given(env, 'PUBLIC_URL', cardUrl(env), undefined),
})

const DATABASE_PLAINTEXT = 'DATABASE_ALLOW_PLAINTEXT'
const MAIL_PLAINTEXT = 'SMTP_ALLOW_PLAINTEXT'
const HOST_PLAINTEXT = 'HOST_ALLOW_PLAINTEXT'
const isOn = (env: Environment, name: string): boolean => env[name]?.trim() === 'on'

/** As the shop's own: a proxy on this machine ends TLS. */
const consoleHost = (env: Environment) =>
  v.text.check(
    mustInProduction(
      env,
      (host) => isOn(env, HOST_PLAINTEXT) || isLoopback(host),
      `must be this machine in production: operators' sessions would travel unencrypted to it from the proxy (${HOST_PLAINTEXT}=on allows it)`,
    ),
  )

/** What the shop earns is nobody else's to read. */
const metricsHost = (env: Environment) =>
  v.text.check(
    mustInProduction(
      env,
      (host) => isOn(env, HOST_PLAINTEXT) || isLoopback(host),
      `must be this machine in production: whoever reaches it reads what the shop earns (${HOST_PLAINTEXT}=on allows it)`,
    ),
  )

/** Of the database's address, and of the mail server's. */
const ownPassword = (env: Environment) =>
  mustInProduction(
    env,
    (address) => !hasDefaultPassword(address),
    'must have a password of its own in production: this one is the user again, or comes from an example',
  )

/** 'auto' is one for each processor. */
const processCount = v.countOrAuto(64, availableParallelism)

/** The shop speaks plain HTTP: a proxy on this machine ends TLS. */
const listeningHost = (env: Environment) =>
  v.text.check(
    mustInProduction(
      env,
      (host) => isOn(env, HOST_PLAINTEXT) || isLoopback(host),
      `must be this machine in production: cards and keys would travel unencrypted to it from the proxy (${HOST_PLAINTEXT}=on allows it)`,
    ),
  )

const databaseUrl = (env: Environment) =>
  v.url(['postgres:', 'postgresql:']).check(
    ownPassword(env),
    mustInProduction(
      env,
      (address) => isOn(env, DATABASE_PLAINTEXT) || isDatabaseEncrypted(address, env),
      `must end with ?sslmode=verify-full in production, unless the database is on this machine (${DATABASE_PLAINTEXT}=on allows it)`,
    ),
  )

const databaseVariables = (env: Environment) => ({
  dataDir: v.withDefault('DATA_DIR', v.path, resolve('./data')),
  /** Undefined: PostgreSQL is embedded, under dataDir. */
  databaseUrl: given(env, 'DATABASE_URL', databaseUrl(env), undefined),
  /** Whether the database may be reached without TLS over a network. */
  mayDatabaseBePlain: v.withDefault(DATABASE_PLAINTEXT, v.onOff, false),
  ...checkedCertificates(isProductionIn(env)),
})

const mailVariables = (env: Environment) => ({
  smtpUrl: given(
    env,
    'SMTP_URL',
    v.baseUrl(['smtp:', 'smtps:']).check(
      ownPassword(env),
      mustInProduction(
        env,
        (address) => isOn(env, MAIL_PLAINTEXT) || isMailEncrypted(address),
        `may have only name and authMethod after the "?" in production: other options can turn TLS off (${MAIL_PLAINTEXT}=on allows it)`,
      ),
    ),
    'smtp://localhost:2525',
  ),
  /** Whether mails may go to a server that does not encrypt, over a network. */
  mayMailBePlain: v.withDefault(MAIL_PLAINTEXT, v.onOff, false),
})

const encryptionKey = v.key(32)

/** The key that production is given. One that development has made is never weak. */
const givenKey = (env: Environment) =>
  given(
    env,
    'KEY_ENCRYPTION_KEY',
    v.key(32, (key) => !isProductionIn(env) || !isWeakKey(key)),
    undefined,
  )

/** A key is told by its id; more of them would make no rotation easier. */
const MOST_ACCEPTED = 3

/** Keys that open what they have sealed, and seal nothing. */
const acceptedVariables = (env: Environment) => {
  const item = v.key(32, (key) => !isProductionIn(env) || !isWeakKey(key))
  const keys = v.list('KEY_ENCRYPTION_KEYS_ACCEPTED', item)
  return {
    acceptedKeys: {
      ...keys,
      form: keys.form.check(v.atMost(MOST_ACCEPTED)),
    },
  }
}

const keyVariables = (env: Environment) => ({
  ...databaseVariables(env),
  ...acceptedVariables(env),
  keyEncryptionKey: givenKey(env),
})

const partnerVariables = (env: Environment) => ({
  ...addressVariables(env),
  /** Days for which a partner's earning is held. */
  partnerHoldDays: v.withDefault('PARTNER_HOLD_DAYS', v.wholeNumber(0, 365), HOLD_DAYS),
  /** What an order costs at least that counts as a partner's transaction, in minor units. */
  partnerMinimumSpend: v.withDefault('PARTNER_MINIMUM_SPEND', v.amount, MINIMUM_SPEND_MINOR),
})

const gateSecret = (env: Environment) =>
  v.secret.check(
    mustInProduction(
      env,
      (secret) => !isWeakSecret(secret),
      'must be the secret that the gateway gave you: this one is too short, or comes from an example',
    ),
  )

/** In development, what the sandbox uses by itself when nothing else is said. */
const gateVariables = (env: Environment) => ({
  sandboxPort: v.withDefault('SANDBOX_PORT', v.port, 3001),
  gateUrl: given(env, 'GATE_URL', cardUrl(env), undefined),
  projectId: given(env, 'GATE_PROJECT_ID', v.wholeNumber(1, 4_294_967_295), 57123),
  secret: given(env, 'GATE_SECRET', gateSecret(env), 'sandbox-secret'),
  threeDs: v.withDefault('GATE_3DS_FLOW', v.choice(['basic', 'extended']), 'basic'),
  /** Where the customer types the card: into our form, or on the gateway's Payment Page. */
  cardForm: v.withDefault('CARD_FORM', v.choice(['own', 'hosted']), 'own'),
  pageUrl:
    env.CARD_FORM?.trim() === 'hosted'
      ? given(env, 'PAYMENT_PAGE_URL', cardUrl(env), undefined)
      : v.optional('PAYMENT_PAGE_URL', cardUrl(env)),
})

/** The gateway's reporting interface, which has an account of its own (papers: operations with fees, balances, chargebacks). */
const dataVariables = (env: Environment) => ({
  dataUrl: v.optional('DATA_API_URL', cardUrl(env)),
  dataToken: v.optional('DATA_API_TOKEN', v.secret),
  dataSecret: v.optional(
    'DATA_API_SECRET',
    v.secret.check(
      mustInProduction(
        env,
        (secret) => !isWeakSecret(secret),
        'must be the key that the gateway gave you: this one is too short, or comes from an example',
      ),
    ),
  ),
})

/** Which tax a sale owes, and who is asked about it. */
const vatVariables = (env: Environment) => ({
  vatScheme: v.withDefault('VAT_SCHEME', v.choice(VAT_SCHEMES), 'uk'),
  /** The company's own number in the One Stop Shop. */
  ossNumber: v.optional('OSS_VAT_NUMBER', v.text.check(v.must(isOssNumber, 'must be EU and nine digits'))),
  /** Where VAT numbers are looked up. */
  viesUrl: v.optional(
    'VIES_URL',
    v
      .baseUrl(v.HTTP)
      .check(
        mustInProduction(
          env,
          (address) => !isPlainToOthers(address),
          'must begin with https:// in production',
        ),
      ),
  ),
  /** A header in which a trusted proxy tells the country of the customer's network. */
  countryHeader: v.optional(
    'COUNTRY_HEADER',
    v.text.check(
      v.must((name) => /^[\w-]{1,64}$/.test(name), 'must be the name of a header'),
      v.must(
        () => Boolean(env.TRUSTED_PROXIES?.trim()),
        'needs TRUSTED_PROXIES: anybody else could say where they are',
      ),
    ),
  ),
})

/** The account that partners are paid from. */
const payoutVariables = {
  payoutIban: v.optional('PAYOUT_IBAN', v.text.check(v.must(isValidIban, 'must be an IBAN'))),
  payoutBic: v.optional('PAYOUT_BIC', v.text.check(v.must((bic) => isValidBIC(bic), 'must be a BIC'))),
  payoutSortCode: v.optional(
    'PAYOUT_SORT_CODE',
    v.text.check(v.must((code) => /^\d\d-?\d\d-?\d\d$/.test(code), 'must be six digits')),
  ),
  payoutAccount: v.optional(
    'PAYOUT_ACCOUNT',
    v.text.check(v.must((account) => /^\d{8}$/.test(account), 'must be eight digits')),
  ),
}

/** The law wants the true details on every page, so that no shop may open with the shipped ones. */
const COMPANY_VARIABLES = [
  'BRAND_COMPANY',
  'BRAND_COMPANY_NUMBER',
  'BRAND_REGISTERED_OFFICE',
  'BRAND_VAT_NUMBER',
  'BRAND_EMAIL',
]

/** They are only checked here; the brand itself reads them. */
const brandVariables = (env: Environment): Record<never, never> => ({
  ...companyVariables(env),
  ...Object.fromEntries(
    Object.values(SOCIAL_VARIABLES).map((name) => [
      name,
      v.optional(name, v.text.check(v.must(isSocialUrl, 'must be an address that begins with https://'))),
    ]),
  ),
})

const companyVariables = (env: Environment): Record<never, never> => {
  if (!isProductionIn(env)) return {}
  const fault = 'is required in production: the shipped company details are placeholders'
  const isPlaceholder = (value: string) => Object.values<string>(DEFAULT_BRAND.company).includes(value)
  const detail = v.text.check(v.must((value) => !isPlaceholder(value), fault))
  return Object.fromEntries(COMPANY_VARIABLES.map((name) => [name, v.required(name, detail, fault)]))
}

/** A stop takes 15 seconds in all, and what is under way needs most of them. */
const MOST_STOP_NOTICE_SECONDS = 8

const bankCountry = v.text.check(
  v.must(
    (country) => Object.hasOwn(BANK_COUNTRIES, country),
    (country) => `: ${country} is not one of ${Object.keys(BANK_COUNTRIES).join(', ')}`,
  ),
)

const allVariables = (env: Environment, { name, company }: Brand) => ({
  ...partnerVariables(env),
  ...gateVariables(env),
  ...dataVariables(env),
  ...vatVariables(env),
  ...payoutVariables,
  ...databaseVariables(env),
  ...brandVariables(env),
  ...legalVariables(env, isProductionIn(env)),
  host: v.withDefault('HOST', listeningHost(env), '127.0.0.1'),
  /** Whether the proxy may reach the shop without TLS over a network. */
  mayHostBePlain: v.withDefault(HOST_PLAINTEXT, v.onOff, false),
  /** So many seconds may a statement of the shop take, waiting for others included. */
  statementTimeoutSeconds: v.withDefault('DATABASE_STATEMENT_TIMEOUT', v.wholeNumber(1, 3600), 30),
  ...mailVariables(env),
  mailFrom: given(env, 'MAIL_FROM', v.text, `${name} <${company.email}>`),
  operatorEmail: given(env, 'OPERATOR_EMAIL', v.text, `operator@${company.email.split('@').at(-1)}`),
  /** Countries whose banks can be paid from. Euro banks need an agreement with the gateway; the sandbox has one. */
  bankCountries: v.list(
    'OPEN_BANKING_COUNTRIES',
    bankCountry,
    isProductionIn(env) ? ['uk'] : ['uk', 'germany'],
  ),
  /** Origins that a form may be posted to from the result page: where issuers' and banks' pages live. */
  issuerOrigins: v.list(
    'ISSUER_ORIGINS',
    v
      .url(['https:', 'http:'])
      .check(
        mustInProduction(
          env,
          (address) => !isPlainToOthers(address),
          'must begin with https:// in production: customers identify themselves there',
        ),
      ),
  ),
  metricsPort: v.withDefault('METRICS_PORT', v.port, 9464),
  metricsHost: v.withDefault('METRICS_HOST', metricsHost(env), '127.0.0.1'),
  /** So many share the port, on this machine. */
  processes: v.withDefault('PROCESSES', processCount, 1),
  ...consoleAddress(env),
  consoleHost: v.withDefault('CONSOLE_HOST', consoleHost(env), '127.0.0.1'),
  /** Where scripts and styles of all versions' pages are kept; undefined: each version has its own alone. */
  assetsDir: v.optional('ASSETS_DIR', v.path),
  /** Days for which they are kept after the last process of their version. */
  assetsKeptDays: v.withDefault('ASSETS_KEPT_DAYS', v.wholeNumber(1, 365), 30),
  /** Seconds between the moment when /readyz says that this process will stop and the one when it stops listening. */
  stopNoticeSeconds: v.withDefault(
    'STOP_NOTICE_SECONDS',
    v.wholeNumber(0, MOST_STOP_NOTICE_SECONDS),
    isProductionIn(env) ? 3 : 0,
  ),
  /** Days for which an expired connection reaches the page that says so. */
  expiredGraceDays: v.withDefault('EXPIRED_GRACE_DAYS', v.wholeNumber(0, ENDED_KEPT_DAYS), 3),
  /** Multiplies every rate limit; 0 turns them off. */
  rateLimitScale: v.withDefault('RATE_LIMIT_SCALE', v.number(0, 1_000_000), 1),
  /** Addresses of reverse proxies whose X-Forwarded-For is believed. */
  trustedProxies: v.list('TRUSTED_PROXIES', v.network),
  logLevel: v.withDefault('LOG_LEVEL', v.logLevel, isProductionIn(env) ? 'info' : 'warn'),
  ...acceptedVariables(env),
  // The key's file is made only where nothing else is wrong: the last to be looked at.
  keyEncryptionKey: givenKey(env),
})

type Read<Variables extends (env: Environment, brand: Brand) => Record<string, v.Variable<unknown>>> = Values<
  ReturnType<Variables>
>

type Gate = Readonly<{
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

type DatabaseSettings = Readonly<Read<typeof databaseVariables>>

export type Settings = Readonly<
  Omit<
    Read<typeof allVariables>,
    | keyof Read<typeof gateVariables>
    | keyof Read<typeof dataVariables>
    | 'publicUrl'
    | 'consoleUrl'
    | 'keyEncryptionKey'
  > & {
    isProduction: boolean
    /** A refund above it takes a permission of its own; minor units of whatever currency. */
    largeRefundMinor: number
    /** What the calculator computes with. */
    prices: Prices
    /** The address customers see, without a slash at its end. */
    publicUrl: string
    /** The address operators see, without a slash at its end. */
    consoleUrl: string
    gate: Gate
    dataApi: DataApi
    cardForm: 'own' | 'hosted'
    /** What the operator allowed that weakens the shop, for the log of each start. */
    warnings: readonly string[]
    /** 32 bytes. */
    keyEncryptionKey: Buffer
    brand: Brand
  }
>

/** What a partner is told of. */
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

const toGate = (read: Read<typeof gateVariables>, isProduction: boolean): Gate => {
  const url = read.gateUrl ?? `http://localhost:${read.sandboxPort}`
  return {
    url,
    projectId: read.projectId,
    secret: read.secret,
    isExtended3ds: read.threeDs === 'extended',
    pageUrl: read.pageUrl ?? (isProduction ? '' : `${url}/payment`),
  }
}

type DataVariables = Read<typeof dataVariables>

/** In development the sandbox's. What is set in part is nothing that anybody could be asked with. */
const toDataApi = (read: DataVariables, gate: Gate, isProduction: boolean): DataApi => {
  const { dataUrl, dataToken, dataSecret } = read
  const isSet = [dataUrl, dataToken, dataSecret].filter((one) => one !== undefined).length
  if (dataUrl && dataToken && dataSecret) return { url: dataUrl, token: dataToken, secret: dataSecret }
  if (isSet > 0)
    throw new SettingsError(
      'DATA_API_URL, DATA_API_TOKEN and DATA_API_SECRET belong together: set all or none',
    )
  return isProduction ? null : { url: `${gate.url}/data/v1`, token: 'sandbox-token', secret: gate.secret }
}

/** In development the sandbox's; in production nobody is asked unless it is set. */
const toViesUrl = (viesUrl: string | undefined, gate: Gate, isProduction: boolean) =>
  viesUrl ?? (isProduction ? undefined : `${gate.url}/taxation_customs/vies`)

/** For a program that needs the database and nothing else. */
export const readDatabaseSettings = (env: Environment): DatabaseSettings =>
  readVariables(databaseVariables(env), env)

/** For a program that asks the gateway and sends nobody there. */
export const readGateSettings = (env: Environment): Gate =>
  toGate(readVariables(gateVariables(env), env), isProductionIn(env))

/** For a program that asks the gateway for its reports. */
export const readDataApi = (env: Environment): DataApi =>
  toDataApi(readVariables(dataVariables(env), env), readGateSettings(env), isProductionIn(env))

/** For a program that has partners paid. */
export const readPayoutSettings = (env: Environment) => readVariables(payoutVariables, env)
export type PayoutSettings = ReturnType<typeof readPayoutSettings>

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

type Allowed = Pick<Settings, 'host' | 'mayDatabaseBePlain' | 'mayMailBePlain' | 'rateLimitScale'>

/** More than that many times the limits are none. */
const SCALE_OF_NO_LIMITS = 10

const warningsOf = (
  { host, mayDatabaseBePlain, mayMailBePlain, rateLimitScale }: Allowed,
  isProduction: boolean,
) => [
  ...(mayDatabaseBePlain ? [`${DATABASE_PLAINTEXT} is on: the database may be reached without TLS`] : []),
  ...(mayMailBePlain
    ? [`${MAIL_PLAINTEXT} is on: mails, and the links in them, may be sent without TLS`]
    : []),
  ...(isProduction && (rateLimitScale === 0 || rateLimitScale > SCALE_OF_NO_LIMITS)
    ? [`RATE_LIMIT_SCALE is ${rateLimitScale}: requests are not limited`]
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
  const { dataUrl, dataToken, dataSecret, ...others } = rest
  const gate = toGate(read, isProduction)
  const issuerOrigins = [...read.issuerOrigins]
  // Real issuers live on hosts that nobody can list; the sandbox's on one that we know.
  if (issuerOrigins.length === 0) {
    if (isProduction) issuerOrigins.push('https:')
    // In production too, where a rehearsal has its sandbox on this machine.
    if (!isProduction || gate.url.startsWith('http:')) issuerOrigins.push(new URL(gate.url).origin)
  }
  // The page that sends customers there has to be allowed to.
  else if (gate.pageUrl) issuerOrigins.push(new URL(gate.pageUrl).origin)
  return {
    ...others,
    smtpUrl: encryptedMailUrl(read.smtpUrl, read.mayMailBePlain),
    warnings: warningsOf(read, isProduction),
    isProduction,
    largeRefundMinor: LARGE_REFUND_MINOR,
    prices: DEFAULT_PRICES,
    publicUrl: toPublicUrl(read),
    consoleUrl: toConsoleUrl(read),
    gate,
    dataApi: toDataApi(read, gate, isProduction),
    viesUrl: toViesUrl(read.viesUrl, gate, isProduction),
    issuerOrigins,
    keyEncryptionKey: toKey(read, mayMakeKey),
    brand,
  }
}
