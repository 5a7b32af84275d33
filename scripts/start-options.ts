import { parseArgs } from 'node:util'

/** What stands behind `npm start --`. */
export type StartOptions = {
  /** Undefined: the shop itself. */
  demo: { dataDir: string; size: string[] } | undefined
  /** For those who work on it: pages with hot reload, and an API that restarts on change. */
  isDev: boolean
  /** Nothing is started: only says what would be. */
  isVersionAsked: boolean
}

const DATA_DIR = './.data-demo'

/** Throws for an option that there is not. */
export const readOptions = (args: string[], env: NodeJS.ProcessEnv): StartOptions => {
  const { values } = parseArgs({
    args,
    options: {
      demo: { type: 'boolean', default: false },
      dev: { type: 'boolean', default: false },
      version: { type: 'boolean', default: false },
      seed: { type: 'string' },
      customers: { type: 'string' },
      days: { type: 'string' },
    },
  })
  const { demo, dev, version, ...size } = values
  if (dev && env.NODE_ENV === 'production') throw new Error('--dev is not for production: unset NODE_ENV.')
  const given = Object.entries(size).flatMap(([name, value]) => [`--${name}`, String(value)])
  if (!demo && given.length > 0) throw new Error(`${given[0]} goes with --demo.`)
  return {
    isDev: dev,
    isVersionAsked: version,
    demo: demo ? { dataDir: env.DATA_DIR || DATA_DIR, size: given } : undefined,
  }
}
