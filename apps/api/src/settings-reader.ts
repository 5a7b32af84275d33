export type Environment = Readonly<Record<string, string | undefined>>

/** Everything that is wrong with the environment, one line each. */
export class SettingsError extends Error {
  override name = 'SettingsError'
  constructor(faults: readonly string[]) {
    super(faults.join('\n'))
  }
}

/** Reads variables one by one, and gathers what is wrong with them until all are read. */
export const createReader = (env: Environment) => {
  const faults: string[] = []
  const isProduction = env.NODE_ENV === 'production'

  const text = (name: string, whenUnset: string | undefined): string => {
    const value = env[name] || (isProduction ? undefined : whenUnset)
    if (value === undefined) faults.push(`${name} is required in production; .env.example shows one`)
    return value ?? ''
  }
  const number = (name: string, whenUnset: number, min: number, max: number, isWhole = true): number => {
    const value = env[name] ? Number(env[name]) : whenUnset
    if ((isWhole && !Number.isInteger(value)) || !(value >= min && value <= max)) {
      faults.push(
        `${name} must be a ${isWhole ? 'whole number' : 'number'} from ${min} to ${max}, not "${env[name]}"`,
      )
      return whenUnset
    }
    return value
  }
  const url = (name: string, value: string, protocols: readonly string[]): string => {
    const isUrl = URL.canParse(value) && protocols.includes(new URL(value).protocol)
    if (value && !isUrl)
      faults.push(`${name} must be an address that begins with ${protocols.join(' or ')}//`)
    return value.replace(/\/+$/, '')
  }
  const list = (name: string): string[] =>
    (env[name] ?? '')
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean)
  const throwFaults = () => {
    if (faults.length > 0) throw new SettingsError([...new Set(faults)])
  }
  return { env, faults, isProduction, text, number, url, list, throwFaults }
}

export type SettingsReader = ReturnType<typeof createReader>
