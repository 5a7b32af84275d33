import { isLoopback } from '@hedgerow/settings/hosts'
import type { Environment } from '@hedgerow/settings/read-variables'
import * as v from '@hedgerow/settings/variables'

export const isProductionIn = (env: Environment): boolean => env.NODE_ENV === 'production'

/** What development has by itself, and production has to be given. */
export const given = <Value, Default>(
  env: Environment,
  name: string,
  form: v.Form<Value>,
  inDevelopment: Default,
) =>
  isProductionIn(env)
    ? v.required(name, form, 'is required in production; .env.example shows one')
    : v.withDefault(name, form, inDevelopment)

/** A rule that only production keeps. */
export const mustInProduction = (env: Environment, isRight: (value: string) => boolean, fault: string) =>
  v.must((value) => !isProductionIn(env) || isRight(value), fault)

/** Whether what is sent there can be read on the way. */
export const isPlainToOthers = (address: string): boolean => {
  const { protocol, hostname } = new URL(address)
  return protocol === 'http:' && !isLoopback(hostname)
}

/** The address of something that card numbers pass. */
export const cardUrl = (env: Environment) =>
  v
    .baseUrl(v.HTTP)
    .check(
      mustInProduction(
        env,
        (address) => !isPlainToOthers(address),
        'must begin with https:// in production: card numbers are sent there',
      ),
    )

export const DATABASE_PLAINTEXT = 'DATABASE_ALLOW_PLAINTEXT'
export const MAIL_PLAINTEXT = 'SMTP_ALLOW_PLAINTEXT'
export const HOST_PLAINTEXT = 'HOST_ALLOW_PLAINTEXT'
export const isOn = (env: Environment, name: string): boolean => env[name]?.trim() === 'on'
