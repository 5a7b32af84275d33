/** Secrets that a file holds instead of the environment, which every program that is started can read: NAME_FILE for NAME. */
import { readFileSync, statSync } from 'node:fs'
import type { Environment } from '@hedgerow/settings/read-variables'
import { SettingsError } from '@hedgerow/settings/settings-error'

/** The variables that may come from a file. deploy/install-shop.sh has the same. */
export const SECRET_VARIABLES = [
  'DATABASE_URL',
  'KEY_ENCRYPTION_KEY',
  'KEY_ENCRYPTION_KEYS_ACCEPTED',
  'SMTP_URL',
  'GATE_SECRET',
  'DATA_API_TOKEN',
  'DATA_API_SECRET',
  'STRIPE_KEY',
  'STRIPE_WEBHOOK_SECRETS',
  'BTCPAY_KEY',
  'BTCPAY_WEBHOOK_SECRETS',
  'SSO_CLIENT_SECRET',
  'BACKUP_S3_KEY',
  'BACKUP_S3_SECRET',
] as const

const LARGEST = 16_384

const WHY: Readonly<Record<string, string>> = {
  ENOENT: 'is not there',
  EACCES: 'may not be read by this user',
  ENOTDIR: 'is not there',
}

/** The one line of a file, without the end of the line that editors and echo put there. Throws what is wrong with it. */
const readLine = (file: string): string => {
  const found = statSync(file)
  if (!found.isFile()) throw new Error('is no file')
  if (found.size > LARGEST) throw new Error(`is larger than ${LARGEST / 1024} kB`)
  const line = readFileSync(file, 'utf8').replace(/\r?\n$/, '')
  if (!line.trim()) throw new Error('is empty')
  if (/[\r\n\0]/.test(line)) throw new Error('has more than one line')
  return line
}

const faultOf = (error: unknown): string => {
  const { code, message } = error as NodeJS.ErrnoException
  return code ? (WHY[code] ?? `cannot be read (${code})`) : message
}

/** The environment with what these files hold. Throws one SettingsError that names all that is wrong, and quotes no secret. */
export const withSecretFiles = <Env extends Environment>(env: Env): Env => {
  const [read, faults]: [[string, string][], string[]] = [[], []]
  for (const name of SECRET_VARIABLES) {
    const file = env[`${name}_FILE`]?.trim()
    if (!file) continue
    if (env[name]?.trim()) faults.push(`${name} and ${name}_FILE are both set: take one out`)
    else
      try {
        read.push([name, readLine(file)])
      } catch (error) {
        faults.push(`${name}_FILE: ${file} ${faultOf(error)}`)
      }
  }
  if (faults.length > 0) throw new SettingsError(...faults)
  return { ...env, ...Object.fromEntries(read) }
}
