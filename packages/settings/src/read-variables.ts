import * as z from 'zod/mini'
import { SettingsError } from './settings-error.ts'
import type { Variable } from './variables.ts'

export type Environment = Readonly<Record<string, string | undefined>>

type Variables = Readonly<Record<string, Variable<unknown>>>

/** The settings that variables give. */
export type Values<Of extends Variables> = {
  [Setting in keyof Of]: Of[Setting] extends Variable<infer Value> ? Value : never
}

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
  const texts = all.flatMap(([, { name }]) => (isSet(name) ? [[name, env[name]]] : []))
  const schema = z.object(Object.fromEntries(all.map(([, { name, form }]) => [name, form])))
  const { success, data, error } = schema.safeParse(Object.fromEntries(texts))
  if (!success) throw new SettingsError(...new Set(error.issues.map(toLine)))
  return Object.fromEntries(all.map(([setting, { name }]) => [setting, data[name]])) as Values<Of>
}
