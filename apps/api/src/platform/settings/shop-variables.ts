import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { type Brand, DEFAULT_BRAND, isSocialUrl, SOCIAL_VARIABLES } from '@hedgerow/brand/brand'
import { BANK_COUNTRIES } from '@hedgerow/domain/bank-countries'
import { REACH_CHECKS } from '@hedgerow/domain/node-reach'
import { ENDED_KEPT_DAYS } from '@hedgerow/domain/nodes'
import { OPERATOR_ROLES } from '@hedgerow/domain/operator-roles'
import { HOLD_DAYS, MINIMUM_SPEND_MINOR } from '@hedgerow/domain/partnership'
import { checkedCertificates } from '@hedgerow/settings/certificates'
import { isLoopback } from '@hedgerow/settings/hosts'
import type { Environment } from '@hedgerow/settings/read-variables'
import * as v from '@hedgerow/settings/variables'
import { backupVariables } from '#platform/settings/backup-variables.ts'
import { hasMailKeys, isDatabaseEncrypted, isMailEncrypted } from '#platform/settings/encryption.ts'
import {
  cardUrl,
  DATABASE_PLAINTEXT,
  given,
  HOST_PLAINTEXT,
  isOn,
  isPlainToOthers,
  isProductionIn,
  MAIL_PLAINTEXT,
  mustInProduction,
} from '#platform/settings/environment.ts'
import { legalVariables } from '#platform/settings/legal-texts.ts'
import {
  btcpayVariables,
  dataVariables,
  gateVariables,
  payoutVariables,
  statementVariables,
  stripeVariables,
  vatVariables,
} from '#platform/settings/money-variables.ts'
import { hasDefaultPassword, isWeakKey } from '#platform/settings/weak-secrets.ts'

export const CONSOLE_PORT = 3002

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

export const consoleAddress = (env: Environment) => ({
  /** Where operators' browsers are served; null: this process has no console. */
  consolePort: v.withDefault('CONSOLE_PORT', v.portOrOff, CONSOLE_PORT),
  /** The address that operators see, behind a proxy. */
  consoleUrl: v.optional('CONSOLE_URL', consoleUrl(env)),
})

export const addressVariables = (env: Environment) => ({
  port: v.withDefault('PORT', v.port, 3000),
  publicUrl: given(env, 'PUBLIC_URL', cardUrl(env), undefined),
})

/** As the shop's own: a proxy on this machine ends TLS. */
const consoleHost = (env: Environment) =>
  v.text.check(
    mustInProduction(
      env,
      (host) => isOn(env, HOST_PLAINTEXT) || isLoopback(host),
      `must be this machine in production: operators' sessions would travel unencrypted to it from the proxy (${HOST_PLAINTEXT}=on allows it)`,
    ),
  )

/** What the shop earns is for no one else to read. */
const metricsHost = (env: Environment) =>
  v.text.check(
    mustInProduction(
      env,
      (host) => isOn(env, HOST_PLAINTEXT) || isLoopback(host),
      `must be this machine in production: anyone who reaches it reads what the shop earns (${HOST_PLAINTEXT}=on allows it)`,
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

/** A colon or a bracket in a name without quotation marks makes it something else to mail servers: a group, a comment. */
const SENDER = /^(?:[^\s<>@]+@[^\s<>@]+|(?:"[^"\\<>]+"|[^:;,<>()[\]"@\\]+) <[^\s<>@]+@[^\s<>@]+>)$/
const sender = v.text.check(
  v.must(
    (value) => SENDER.test(value),
    'must be an address, or a name and <an address>; a name with signs such as : or ( stands in "quotation marks"',
  ),
)

const PLAIN_NAME = /^[^:;,<>()[\]"@\\]+$/

/** A name that mail servers would read as something else stands in quotation marks. */
const senderOf = (name: string, address: string): string =>
  `${PLAIN_NAME.test(name) ? name : `"${name.replace(/["\\]/g, '\\$&')}"`} <${address}>`

const databaseUrl = (env: Environment) =>
  v.url(['postgres:', 'postgresql:']).check(
    ownPassword(env),
    mustInProduction(
      env,
      (address) => isOn(env, DATABASE_PLAINTEXT) || isDatabaseEncrypted(address, env),
      `must end with ?sslmode=verify-full in production, unless the database is on this machine (${DATABASE_PLAINTEXT}=on allows it)`,
    ),
  )

export const databaseVariables = (env: Environment) => ({
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
    v.baseUrl(['smtp:', 'smtps:', 'postmark:', 'ses:']).check(
      v.must(
        hasMailKeys,
        'must have its keys, as postmark://TOKEN@… or ses://KEY:SECRET@…, with signs escaped (%2F for /)',
      ),
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

export const encryptionKey = v.key(32)

/** The key that production is given. One that development has made is never weak. */
const givenKey = (env: Environment) =>
  given(
    env,
    'KEY_ENCRYPTION_KEY',
    v.key(32, (key) => !isProductionIn(env) || !isWeakKey(key)),
    undefined,
  )

/** A key is found by its id; more of them would make no rotation easier. */
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

export const keyVariables = (env: Environment) => ({
  ...databaseVariables(env),
  ...acceptedVariables(env),
  keyEncryptionKey: givenKey(env),
})

export const partnerVariables = (env: Environment) => ({
  ...addressVariables(env),
  /** Days for which a partner's earning is held. */
  partnerHoldDays: v.withDefault('PARTNER_HOLD_DAYS', v.wholeNumber(0, 365), HOLD_DAYS),
  /** What an order costs at least that counts as a partner's transaction, in minor units. */
  partnerMinimumSpend: v.withDefault('PARTNER_MINIMUM_SPEND', v.amount, MINIMUM_SPEND_MINOR),
})

/** The law wants the true details on every page, so that no shop may open with the shipped ones. */
const COMPANY_VARIABLES = [
  'BRAND_COMPANY',
  'BRAND_COMPANY_NUMBER',
  'BRAND_REGISTERED_OFFICE',
  'BRAND_VAT_NUMBER',
  'BRAND_EMAIL',
]

/** They are only checked here; the brand itself reads them. */
export const brandVariables = (env: Environment): Record<never, never> => ({
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

const GROUP = /^(?<group>[^=,]{1,100})=(?<role>[a-z]+)$/

/** A group of the provider’s and what its members are here. */
const groupAndRole = v.text.check(
  v.must(
    (value) => OPERATOR_ROLES.some((role) => role === GROUP.exec(value)?.groups?.role),
    (value) => `must hold groups and roles like shop-support=support, not ${value}`,
  ),
)

/** Single sign-on of operators. */
export const ssoVariables = (env: Environment) => ({
  ssoIssuer: v.optional('SSO_ISSUER', v.url(isProductionIn(env) ? ['https:'] : v.HTTP)),
  ssoClientId: v.optional('SSO_CLIENT_ID', v.text),
  ssoClientSecret: v.optional('SSO_CLIENT_SECRET', v.secret),
  /** The first that somebody is in counts. */
  ssoGroups: v.list('SSO_GROUPS', groupAndRole),
  ssoGroupsClaim: v.withDefault('SSO_GROUPS_CLAIM', v.text, 'groups'),
  ssoScopes: v.withDefault('SSO_SCOPES', v.text, 'openid profile'),
})

export const allVariables = (env: Environment, { name, company }: Brand) => ({
  ...partnerVariables(env),
  ...ssoVariables(env),
  ...gateVariables(env),
  ...statementVariables(env, name),
  ...dataVariables(env),
  ...stripeVariables(env),
  ...btcpayVariables(env),
  ...vatVariables(env),
  ...payoutVariables,
  ...backupVariables(env),
  ...databaseVariables(env),
  ...brandVariables(env),
  ...legalVariables(env, isProductionIn(env)),
  host: v.withDefault('HOST', listeningHost(env), '127.0.0.1'),
  /** Whether the proxy may reach the shop without TLS over a network. */
  mayHostBePlain: v.withDefault(HOST_PLAINTEXT, v.onOff, false),
  /** So many seconds may a statement of the shop take, waiting for others included. */
  statementTimeoutSeconds: v.withDefault('DATABASE_STATEMENT_TIMEOUT', v.wholeNumber(1, 3600), 30),
  ...mailVariables(env),
  mailFrom: given(env, 'MAIL_FROM', sender, senderOf(name, company.email)),
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
  /** Where each start writes the pages by its settings; undefined: they are where they were built or installed. */
  pagesDir: v.optional('PAGES_DIR', v.path),
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
  /** Whether the shop tries each node from outside, as a customer's device comes to it, and over what. */
  nodeReachCheck: v.withDefault('NODE_REACH_CHECK', v.choice(REACH_CHECKS), 'on'),
  /** Multiplies every rate limit; 0 turns them off. */
  rateLimitScale: v.withDefault('RATE_LIMIT_SCALE', v.number(0, 1_000_000), 1),
  /** Addresses of reverse proxies whose X-Forwarded-For is believed. */
  trustedProxies: v.list('TRUSTED_PROXIES', v.network),
  logLevel: v.withDefault('LOG_LEVEL', v.logLevel, isProductionIn(env) ? 'info' : 'warn'),
  ...acceptedVariables(env),
  // The key's file is made only where nothing else is wrong: the last to be looked at.
  keyEncryptionKey: givenKey(env),
})
