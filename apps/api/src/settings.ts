import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import { type Brand, brandFrom, DEFAULT_BRAND } from '@hedgerow/brand/brand'
import { BANK_COUNTRIES } from '@hedgerow/domain/bank-countries'
import { ENDED_KEPT_DAYS } from '@hedgerow/domain/nodes'
import { HOLD_DAYS } from '@hedgerow/domain/partnership'
import { createReader, type Environment, SettingsError, type SettingsReader } from '#settings-reader.ts'

export type Settings = Readonly<{
  isProduction: boolean
  host: string
  port: number
  /** The address customers see, without a slash at its end. */
  publicUrl: string
  dataDir: string
  /** Undefined: PostgreSQL is embedded, under dataDir. */
  databaseUrl: string | undefined
  smtpUrl: string
  mailFrom: string
  operatorEmail: string
  gate: Readonly<{
    url: string
    projectId: number
    secret: string
    /** 3-D Secure by pages of ours instead of a page of the gateway's (gate.md §4.3). */
    isExtended3ds: boolean
    /** Its Payment Page, where the card is typed when it is not typed here. */
    pageUrl: string
  }>
  /** Where the customer types the card: into our form, or on the gateway's Payment Page. */
  cardForm: 'own' | 'hosted'
  /** Countries whose banks can be paid from. */
  bankCountries: readonly string[]
  /** Origins that a form may be posted to from the result page: where issuers' and banks' pages live. */
  issuerOrigins: readonly string[]
  /** 32 bytes. */
  keyEncryptionKey: Buffer
  metricsPort: number
  /** Days for which an expired connection reaches the page that says so. */
  expiredGraceDays: number
  /** Days for which a partner's earning is held. */
  partnerHoldDays: number
  /** Multiplies every rate limit; 0 turns them off. */
  rateLimitScale: number
  /** Addresses of reverse proxies whose X-Forwarded-For is believed. */
  trustedProxies: readonly string[]
  logLevel: string
  brand: Brand
}>

/** What the sandbox uses by itself, when nothing else is said. */
const SANDBOX_GATE = { projectId: 57123, secret: 'sandbox-secret' } as const
const SANDBOX_PORTS = { http: 3001, smtp: 2525 } as const

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

const readKey = (text: string): Buffer | undefined => {
  const key = Buffer.from(text, 'base64')
  return key.length === 32 && key.toString('base64') === text.trim() ? key : undefined
}

/** The key that development makes once and keeps beside its data. Only the shop makes it: another would not fit. */
const keptKey = (dataDir: string, mayMake: boolean): Buffer => {
  const file = join(dataDir, 'key-encryption-key')
  if (!existsSync(file)) {
    if (!mayMake)
      throw new SettingsError([`Set KEY_ENCRYPTION_KEY as the shop has it, or DATA_DIR: there is no ${file}`])
    mkdirSync(dataDir, { recursive: true })
    writeFileSync(file, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600 })
  }
  const key = readKey(readFileSync(file, 'utf8').trim())
  if (!key)
    throw new SettingsError([`${file} does not hold a 32-byte key in Base64; restore it from your backup`])
  return key
}

/** The law wants the true details on every page, so that no shop may open with the shipped ones. */
const COMPANY_VARIABLES = {
  legalName: 'BRAND_COMPANY',
  number: 'BRAND_COMPANY_NUMBER',
  registeredOffice: 'BRAND_REGISTERED_OFFICE',
  vatNumber: 'BRAND_VAT_NUMBER',
  email: 'BRAND_EMAIL',
} as const

const placeholdersIn = ({ company }: Brand): string[] =>
  Object.entries(COMPANY_VARIABLES)
    .filter(
      ([key]) =>
        company[key as keyof typeof COMPANY_VARIABLES] ===
        DEFAULT_BRAND.company[key as keyof typeof COMPANY_VARIABLES],
    )
    .map(([, name]) => `${name} is required in production: the shipped company details are placeholders`)

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/

/** Whether what is sent there can be read on the way. */
const isPlainToOthers = (address: string): boolean => {
  const { protocol, hostname } = URL.parse(address) ?? {}
  return protocol === 'http:' && !LOOPBACK.test(hostname ?? '')
}

const refusePlain = (faults: string[], isProduction: boolean, addresses: Record<string, string>): void => {
  for (const [name, address] of Object.entries(addresses)) {
    if (isProduction && isPlainToOthers(address))
      faults.push(`${name} must begin with https:// in production: card numbers pass there`)
  }
}

const readBrandOf = ({ env, faults, isProduction }: SettingsReader): Brand => {
  const brand = brandFrom(env)
  if (isProduction) faults.push(...placeholdersIn(brand))
  return brand
}

type DatabaseSettings = Pick<Settings, 'dataDir' | 'databaseUrl'>

const readDatabase = ({ env, text, url }: SettingsReader): DatabaseSettings => {
  const databaseUrl = env.DATABASE_URL || undefined
  if (databaseUrl) url('DATABASE_URL', databaseUrl, ['postgres:', 'postgresql:'])
  else text('DATABASE_URL', '')
  return { dataDir: resolve(env.DATA_DIR || './data'), databaseUrl }
}

type GateSettings = Pick<Settings, 'gate' | 'cardForm'>

const readGate = ({ env, faults, isProduction, text, number, url }: SettingsReader): GateSettings => {
  const sandboxPort = number('SANDBOX_PORT', SANDBOX_PORTS.http, 0, 65_535)
  const http = ['http:', 'https:']
  const threeDs = env.GATE_3DS_FLOW || 'basic'
  if (threeDs !== 'basic' && threeDs !== 'extended') faults.push('GATE_3DS_FLOW must be basic or extended')
  const cardForm = env.CARD_FORM || 'own'
  if (cardForm !== 'own' && cardForm !== 'hosted') faults.push('CARD_FORM must be own or hosted')
  const isHosted = cardForm === 'hosted'
  const gateUrl = url('GATE_URL', text('GATE_URL', `http://localhost:${sandboxPort}`), http)
  const page = isHosted ? text('PAYMENT_PAGE_URL', `${gateUrl}/payment`) : (env.PAYMENT_PAGE_URL ?? '')
  const pageUrl = url('PAYMENT_PAGE_URL', page, http)
  refusePlain(faults, isProduction, { GATE_URL: gateUrl, PAYMENT_PAGE_URL: pageUrl })
  return {
    gate: {
      url: gateUrl,
      projectId:
        isProduction && !env.GATE_PROJECT_ID
          ? Number(text('GATE_PROJECT_ID', undefined))
          : number('GATE_PROJECT_ID', SANDBOX_GATE.projectId, 1, 4_294_967_295),
      secret: text('GATE_SECRET', SANDBOX_GATE.secret),
      isExtended3ds: threeDs === 'extended',
      pageUrl,
    },
    cardForm: isHosted ? 'hosted' : 'own',
  }
}

const readAddress = ({
  faults,
  isProduction,
  text,
  number,
  url,
}: SettingsReader): Pick<Settings, 'port' | 'publicUrl'> => {
  const port = number('PORT', 3000, 0, 65_535)
  const http = ['http:', 'https:']
  const publicUrl = url('PUBLIC_URL', text('PUBLIC_URL', `http://localhost:${port}`), http)
  refusePlain(faults, isProduction, { PUBLIC_URL: publicUrl })
  return { port, publicUrl }
}

const readKeyEncryptionKey = (
  { env, faults, isProduction, text }: SettingsReader,
  dataDir: string,
  mayMake: boolean,
): Buffer => {
  if (env.KEY_ENCRYPTION_KEY) {
    const key = readKey(env.KEY_ENCRYPTION_KEY)
    if (key) return key
    faults.push('KEY_ENCRYPTION_KEY must be 32 bytes in Base64 (openssl rand -base64 32)')
  } else if (isProduction) {
    text('KEY_ENCRYPTION_KEY', undefined)
  } else {
    return keptKey(dataDir, mayMake)
  }
  return Buffer.alloc(32)
}

const readHoldDays = ({ number }: SettingsReader): number => number('PARTNER_HOLD_DAYS', HOLD_DAYS, 0, 365)

/** For a program that needs the database and nothing else. */
export const readDatabaseSettings = (env: Environment): DatabaseSettings => {
  const reader = createReader(env)
  const settings = readDatabase(reader)
  reader.throwFaults()
  return settings
}

/** For a program that asks the gateway and sends nobody there. */
export const readGateSettings = (env: Environment): Settings['gate'] => {
  const reader = createReader(env)
  const { gate } = readGate(reader)
  reader.throwFaults()
  return gate
}

/** For a program that writes invoices. */
export const readBrand = (env: Environment): Brand => {
  const reader = createReader(env)
  const brand = readBrandOf(reader)
  reader.throwFaults()
  return brand
}

/** For a program that tells others where the shop is. */
export const readPublicUrl = (env: Environment): string => {
  const reader = createReader(env)
  const { publicUrl } = readAddress(reader)
  reader.throwFaults()
  return publicUrl
}

/** For a program that tells what a partner sees. */
export const readPartnerSettings = (env: Environment): Pick<Settings, 'publicUrl' | 'partnerHoldDays'> => {
  const reader = createReader(env)
  const settings = { publicUrl: readAddress(reader).publicUrl, partnerHoldDays: readHoldDays(reader) }
  reader.throwFaults()
  return settings
}

/** For a program that makes keys beside the shop. */
export const readSharedKey = (env: Environment): Buffer => {
  const reader = createReader(env)
  const key = readKeyEncryptionKey(reader, readDatabase(reader).dataDir, false)
  reader.throwFaults()
  return key
}

/** Reads and checks every variable; throws one SettingsError that names all that is wrong. */
export const readSettings = (env: Environment): Settings => {
  const reader = createReader(env)
  const { faults, isProduction, text, number, url, list } = reader

  const { port, publicUrl } = readAddress(reader)
  const { gate, cardForm } = readGate(reader)
  const { dataDir, databaseUrl } = readDatabase(reader)
  const smtpUrl = url('SMTP_URL', text('SMTP_URL', `smtp://localhost:${SANDBOX_PORTS.smtp}`), [
    'smtp:',
    'smtps:',
  ])

  const trustedProxies = list('TRUSTED_PROXIES')
  for (const proxy of trustedProxies) {
    if (!isIP(proxy.split('/')[0] ?? ''))
      faults.push(`TRUSTED_PROXIES: "${proxy}" is not an address or a network`)
  }
  const issuerOrigins = list('ISSUER_ORIGINS')
  for (const origin of issuerOrigins) url('ISSUER_ORIGINS', origin, ['https:', 'http:'])
  const bankCountries = list('OPEN_BANKING_COUNTRIES')
  for (const country of bankCountries) {
    if (!Object.hasOwn(BANK_COUNTRIES, country))
      faults.push(`OPEN_BANKING_COUNTRIES: "${country}" is none of ${Object.keys(BANK_COUNTRIES).join(', ')}`)
  }
  // The page that sends customers there has to be allowed to.
  if (cardForm === 'hosted' && issuerOrigins.length > 0 && URL.canParse(gate.pageUrl))
    issuerOrigins.push(new URL(gate.pageUrl).origin)
  const logLevel = env.LOG_LEVEL || (isProduction ? 'info' : 'warn')
  if (!LOG_LEVELS.includes(logLevel)) faults.push(`LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}`)

  const brand = readBrandOf(reader)

  const settings = {
    isProduction,
    host: env.HOST || '127.0.0.1',
    port,
    publicUrl,
    dataDir,
    databaseUrl,
    smtpUrl,
    mailFrom: text('MAIL_FROM', `${brand.name} <${brand.company.email}>`),
    operatorEmail: text('OPERATOR_EMAIL', `operator@${brand.company.email.split('@').at(-1)}`),
    gate,
    cardForm,
    // Euro banks need an agreement with the gateway; the sandbox has one.
    bankCountries: bankCountries.length > 0 ? bankCountries : isProduction ? ['uk'] : ['uk', 'germany'],
    // Real issuers live on hosts that nobody can list; the sandbox's on one that we know.
    issuerOrigins: issuerOrigins.length > 0 ? issuerOrigins : isProduction ? ['https:'] : [gate.url],
    keyEncryptionKey: readKeyEncryptionKey(reader, dataDir, true),
    metricsPort: number('METRICS_PORT', 9464, 0, 65_535),
    expiredGraceDays: number('EXPIRED_GRACE_DAYS', 3, 0, ENDED_KEPT_DAYS),
    partnerHoldDays: readHoldDays(reader),
    rateLimitScale: number('RATE_LIMIT_SCALE', 1, 0, 1_000_000, false),
    trustedProxies,
    logLevel,
    brand,
  }
  reader.throwFaults()
  return settings
}
