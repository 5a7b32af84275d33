import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
/** The same browser without windows and tabs around its pages, which cost a third of what a test costs. */
export const WITHOUT_WINDOWS = '/usr/bin/chromium-headless-shell'

const find = (places: string[]): string | undefined =>
  [process.env.CHROMIUM_PATH ?? '', ...places].find((path) => path !== '' && existsSync(path))

/** A browser with everything: the one that CHROMIUM_PATH names, or one of the system's. */
export const findBrowser = (): string | undefined => find(PLACES)

/** The browser that tests drive: the one that CHROMIUM_PATH names, or the leanest of the system's. */
export const findTestBrowser = (): string | undefined => find([WITHOUT_WINDOWS, ...PLACES])

/** Not everyone's PATH has the folders of the administrator's tools. */
export const PATH = `${process.env.PATH}:/usr/local/sbin:/usr/sbin:/sbin`

export const isThere = (tool: string): boolean =>
  spawnSync('which', [tool], { env: { ...process.env, PATH } }).status === 0
