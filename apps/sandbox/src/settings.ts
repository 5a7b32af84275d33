export type SandboxSettings = {
  host: string
  /** 0 takes any free port. */
  port: number
  smtpPort: number
  projectId: number
  secret: string
  /** Where browsers reach these pages; unset means http://localhost and the port in use. */
  publicUrl?: string | undefined
  /** Where books and mails are kept over restarts; unset means in memory only. */
  dataDir?: string | undefined
  /** The name that the issuer's page shows. */
  merchantName: string
  callbackDelayMs: number
  /** Multiplies the pauses between callback tries: 1 is the gateway's real schedule. */
  retryScale: number
  accessTimeoutMinutes: number
}

export const DEFAULT_SETTINGS: SandboxSettings = {
  host: '127.0.0.1',
  port: 3001,
  smtpPort: 2525,
  projectId: 57123,
  secret: 'sandbox-secret',
  merchantName: 'Example Merchant',
  callbackDelayMs: 150,
  retryScale: 0.1,
  accessTimeoutMinutes: 30,
}

/** A fault of whoever starts the sandbox: shown as one line, without a stack. */
export class SettingsError extends Error {}

type Environment = Record<string, string | undefined>

const numberFrom = (env: Environment, name: string, unset: number, max: number, whole = true): number => {
  const text = env[name]?.trim()
  if (!text) return unset
  const value = Number(text)
  const isFit = value >= 0 && value <= max && (!whole || Number.isInteger(value))
  if (isFit) return value
  throw new SettingsError(`${name} must be a ${whole ? 'whole ' : ''}number from 0 to ${max}, not "${text}"`)
}

const addressFrom = (env: Environment, name: string): string | undefined => {
  const text = env[name]?.trim()
  if (!text) return undefined
  if (!/^https?:$/.test(URL.parse(text)?.protocol ?? '')) {
    throw new SettingsError(`${name} must be an http or https address, not "${text}"`)
  }
  return text.replace(/\/+$/, '')
}

const HIGHEST_PORT = 65_535
const HIGHEST_PROJECT_ID = 4_294_967_295
const HOUR_MS = 3_600_000
const DAY_MINUTES = 1_440

export const readSettings = (env: Environment): SandboxSettings => {
  const unset = DEFAULT_SETTINGS
  return {
    host: env.SANDBOX_HOST?.trim() || unset.host,
    port: numberFrom(env, 'SANDBOX_PORT', unset.port, HIGHEST_PORT),
    smtpPort: numberFrom(env, 'SANDBOX_SMTP_PORT', unset.smtpPort, HIGHEST_PORT),
    projectId: numberFrom(env, 'GATE_PROJECT_ID', unset.projectId, HIGHEST_PROJECT_ID),
    secret: env.GATE_SECRET || unset.secret,
    publicUrl: addressFrom(env, 'SANDBOX_PUBLIC_URL'),
    dataDir: env.SANDBOX_DATA_DIR?.trim() || undefined,
    merchantName: env.SANDBOX_MERCHANT_NAME?.trim() || unset.merchantName,
    callbackDelayMs: numberFrom(env, 'SANDBOX_CALLBACK_DELAY_MS', unset.callbackDelayMs, HOUR_MS),
    retryScale: numberFrom(env, 'SANDBOX_RETRY_SCALE', unset.retryScale, 1, false),
    accessTimeoutMinutes: numberFrom(
      env,
      'SANDBOX_ACCESS_TIMEOUT_MINUTES',
      unset.accessTimeoutMinutes,
      DAY_MINUTES,
      false,
    ),
  }
}
