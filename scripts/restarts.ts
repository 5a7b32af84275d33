import { sep } from 'node:path'

const SERVER_SOURCES = /^(?:apps\/api\/(?:src|migrations)|packages\/(?!ui\/|web\/)[^/]+\/src)\/.*\.ts$/
const FOR_TESTS = /\.test\.ts$|\/testing\//

/** Whether the API is made of this file. What else changes reaches the browser by itself. */
export const isPartOfApi = (file: string): boolean => {
  const path = file.replaceAll(sep, '/')
  return SERVER_SOURCES.test(path) && !FOR_TESTS.test(path)
}

type Program<Ready> = {
  /** Resolves once it is ready; to undefined if it ended before. */
  start: () => Promise<Ready | undefined>
  /** Resolves once it has ended, or if it had. */
  stop: () => Promise<void>
}

/** Starts a program, and again at every call of `restart`. Files saved together cause one restart. */
export const withRestarts = <Ready>({ start, stop }: Program<Ready>) => {
  let current = start()
  let isStopping = false
  return {
    /** How the latest start ends. */
    ready: () => current,
    restart: (): Promise<Ready | undefined> => {
      if (isStopping) return current
      isStopping = true
      current = stop().then(() => {
        isStopping = false
        return start()
      })
      return current
    },
  }
}
