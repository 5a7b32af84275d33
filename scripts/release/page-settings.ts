import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { parseEnv } from 'node:util'
import { readBrand, readPublicUrl } from '@hedgerow/api/settings'
import { SettingsError } from '@hedgerow/settings/settings-error'
import { isBuiltIn } from '../build-pages.ts'
import { ReleaseFault } from './source.ts'

export type PageSettings = {
  /** What the pages are built with. */
  values: Record<string, string>
  /** What the archive says of them. */
  described: { publicUrl: string; brand: string; settings: string }
}

const readValues = async (file: string): Promise<Record<string, string>> => {
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new ReleaseFault(`The settings cannot be read: ${error.message}`)
  })
  const all = Object.entries(parseEnv(text))
  // The shop's own file has its secrets as well: they are left where they are.
  return Object.fromEntries(
    all
      .flatMap(([name, value]): [string, string][] => (isBuiltIn(name) && value ? [[name, value]] : []))
      .sort(),
  )
}

/** The shop's address and brand, as production wants them; without a file the example's, until they are installed. */
export const readPageSettings = async (file?: string): Promise<PageSettings> => {
  const values = file ? await readValues(file) : {}
  const env = file ? { ...values, NODE_ENV: 'production' } : values
  try {
    const described = {
      publicUrl: readPublicUrl(env),
      brand: readBrand(env).name,
      settings: createHash('sha256').update(JSON.stringify(values)).digest('hex'),
    }
    return { values, described }
  } catch (error) {
    throw error instanceof SettingsError ? new ReleaseFault(`${file}:\n${error.message}`) : error
  }
}

/** What the pages were built with, for install-shop.sh, which takes it over into the shop's settings. */
export const toEnvFile = (values: Readonly<Record<string, string>>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}="${value.replace(/[\\"$`]/g, '\\$&')}"\n`)
    .join('')
