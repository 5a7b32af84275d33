import * as z from 'zod/mini'
import { SettingsError } from './settings-error.ts'
import type { Variable } from './variables.ts'

export type Environment = Readonly<Record<string, string | undefined>>

type Variables = Readonly<Record<string, Variable<unknown>>>

/** The settings that variables give. */
export type Values<Of extends Variables> = {
  [Setting in keyof Of]: Of[Setting] extends Variable<infer Value> ? Value : never
}

/** Shells and systemd take them off; a container's file keeps them, and they would be part of the value. */
const IN_QUOTES = /^(["']).*\1$/s
const quoted = (texts: readonly (readonly [string, string | undefined])[]): string[] =>
  texts
    .filter(([, text = '']) => text.trim().length > 1 && IN_QUOTES.test(text.trim()))
    .map(([name]) => `${name} stands in quotation marks, which count as part of it here: leave them out`)

/** A message is what follows the variable's name. */
const toLine = ({ path: [name], message }: z.core.$ZodIssue): string =>
  `${String(name)}${message.startsWith(':') ? '' : ' '}${message}`

/**
 * Reads the variables that a program names, by the settings that they give. One that is empty counts as unset.
 * Throws one SettingsError that names all that is wrong.
 */
export const readVariables = <Of extends Variables>(variables: Of, env: Environment): Values<Of> => {
  const all = Object.entries(variables)
  const isSet = (name: string) => Object.hasOwn(env, name) && Boolean(env[name]?.trim())
  const texts = all.flatMap(([, { name }]) => (isSet(name) ? [[name, env[name]] as const] : []))
  const schema = z.object(Object.fromEntries(all.map(([, { name, form }]) => [name, form])))
  const { success, data, error } = schema.safeParse(Object.fromEntries(texts))
  const faults = [...quoted(texts), ...(error?.issues ?? []).map(toLine)]
  if (!success || faults.length > 0) throw new SettingsError(...new Set(faults))
  return Object.fromEntries(all.map(([setting, { name }]) => [setting, data[name]])) as Values<Of>
}
