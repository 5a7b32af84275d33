import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '@hedgerow/embedded-postgres/ports'
import { findBrowser } from '../../scripts/browser.ts'
import { type Browser, overHttp, overMarionette, type Size } from './web-driver.ts'

/** How the person in front of it has set it up. */
export type Setup = {
  size: Size
  scheme: 'light' | 'dark'
  /** Colours of the person's own instead of the page's. */
  hasContrastTheme?: boolean
  /** Empty: for the profile, and for what is downloaded. */
  folder: string
}

const start = (command: string, args: string[], env: NodeJS.ProcessEnv = {}) =>
  spawn(command, args, { stdio: ['ignore', 'pipe', 'ignore'], env: { ...process.env, ...env } })

const stop = async (...programs: ChildProcess[]) => {
  for (const program of programs) {
    if (program.exitCode !== null || program.signalCode !== null) continue
    const exit = once(program, 'exit')
    program.kill()
    await exit
  }
}

/** The browser, closed with the programs that were started for it. */
const closing = <B extends Browser>(browser: B, ...programs: ChildProcess[]): B => ({
  ...browser,
  close: async () => {
    await browser.close().catch(() => {})
    await stop(...programs)
  },
})

const chromium = async ({ size, scheme, hasContrastTheme, folder }: Setup): Promise<Browser> => {
  const port = await freePort()
  const driver = start('chromedriver', [`--port=${port}`])
  const browser = await overHttp(port, {
    'goog:chromeOptions': {
      binary: findBrowser(),
      args: [
        '--headless',
        '--hide-scrollbars',
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        `--user-data-dir=${join(folder, 'profile')}`,
      ],
      prefs: { 'download.default_directory': folder },
    },
  })
  const tell = (cmd: string, params: object) => browser.send('/goog/cdp/execute', { cmd, params })
  await tell('Emulation.setDeviceMetricsOverride', { ...size, deviceScaleFactor: 1, mobile: false })
  await tell('Emulation.setEmulatedMedia', {
    features: [
      { name: 'prefers-color-scheme', value: scheme },
      { name: 'forced-colors', value: hasContrastTheme ? 'active' : 'none' },
    ],
  })
  await tell('Browser.setDownloadBehavior', { behavior: 'allow', downloadPath: folder })
  return closing(browser, driver)
}

const firefox = async ({ size, scheme, hasContrastTheme, folder }: Setup): Promise<Browser> => {
  const port = await freePort()
  const settings = {
    'marionette.port': port,
    'toolkit.legacyUserProfileCustomizations.stylesheets': true,
    'layout.css.prefers-color-scheme.content-override': scheme === 'dark' ? 0 : 1,
    'browser.display.document_color_use': hasContrastTheme ? 2 : 0,
    'intl.accept_languages': 'en-GB',
    'browser.download.folderList': 2,
    'browser.download.dir': folder,
    'browser.download.alwaysOpenPanel': false,
  }
  const lines = Object.entries(settings).map(
    (setting) => `user_pref(${JSON.stringify(setting).slice(1, -1)});`,
  )
  await writeFile(join(folder, 'user.js'), lines.join('\n'))
  // Its window is else never narrower than 500 px.
  await mkdir(join(folder, 'chrome'))
  await writeFile(join(folder, 'chrome/userChrome.css'), ':root { min-width: 0 !important }')
  const program = start('firefox-esr', ['--marionette', '--headless', '--no-remote', '--profile', folder])
  const browser = await overMarionette(port)
  await browser.resize(size)
  return closing(browser, program)
}

/** The tools of its window are else wider than a phone. */
const NARROW_TOOLS =
  'button, entry { min-width: 0; margin: 0; padding: 0 } image { -gtk-icon-transform: scale(0) }'

/** Needs a screen, and has no contrast themes. */
const webKit = async ({ size, scheme, folder }: Setup): Promise<Browser> => {
  const port = await freePort()
  await mkdir(join(folder, '.config/gtk-3.0'), { recursive: true })
  await writeFile(join(folder, '.config/gtk-3.0/gtk.css'), NARROW_TOOLS)
  const screen = start('Xvfb', ['-displayfd', '1', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp'])
  const [number] = await once(screen.stdout, 'data')
  const driver = start('WebKitWebDriver', [`--port=${port}`], {
    DISPLAY: `:${String(number).trim()}`,
    HOME: folder,
    GTK_THEME: scheme === 'dark' ? 'Adwaita:dark' : 'Adwaita',
  })
  const browser = await overHttp(port, {})
  await browser.resize(size)
  return closing(browser, driver, screen)
}

export const BROWSERS = {
  Chromium: { start: chromium, tools: ['chromedriver'], hasContrastThemes: true },
  'Firefox ESR': { start: firefox, tools: ['firefox-esr'], hasContrastThemes: true },
  WebKitGTK: { start: webKit, tools: ['WebKitWebDriver', 'Xvfb'], hasContrastThemes: false },
}
