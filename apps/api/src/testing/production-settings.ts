import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SHIPPED_LEGAL_DATE } from '@hedgerow/domain/legal-texts'
import { SettingsError } from '@hedgerow/settings/settings-error'
import { onTestFinished } from 'vitest'
import { readSettings } from '#platform/settings.ts'

export const KEY = randomBytes(32).toString('base64')

/** The settings of a shop that may start in production. */
export const PRODUCTION = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://shop.example',
  DATABASE_URL: 'postgres://hedgerow:x9Kd72mQp@db.example/hedgerow?sslmode=verify-full',
  SMTP_URL: 'smtps://mail.example',
  MAIL_FROM: 'Hedgerow <hello@shop.example>',
  OPERATOR_EMAIL: 'operator@shop.example',
  GATE_URL: 'https://gate.example',
  GATE_PROJECT_ID: '42',
  GATE_SECRET: randomBytes(24).toString('hex'),
  KEY_ENCRYPTION_KEY: KEY,
  BRAND_COMPANY: 'Quickset Limited',
  BRAND_COMPANY_NUMBER: '12345678',
  BRAND_REGISTERED_OFFICE: '7 Lane End, York, England',
  BRAND_VAT_NUMBER: 'GB123456789',
  BRAND_EMAIL: 'hello@shop.example',
  LEGAL_REVIEWED: SHIPPED_LEGAL_DATE,
}

/** What is wrong with an environment, line by line. */
export const faultsOf = (env: Record<string, string | undefined>): string[] => {
  try {
    readSettings(env)
    return []
  } catch (error) {
    if (error instanceof SettingsError) return error.message.split('\n')
    throw error
  }
}

export const aFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'hedgerow-settings-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}
