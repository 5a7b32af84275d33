/** What walks of a release on a machine of its own have in common. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('..', import.meta.url))
export const SHOP = 'shop.test.example'
export const CONSOLE = `console.${SHOP}`

/** The company and the address that are built into the pages. */
export const PAGES = `PUBLIC_URL=https://${SHOP}
BRAND_NAME=Quickset
BRAND_COMPANY="Quickset Limited"
BRAND_COMPANY_NUMBER=12345678
BRAND_REGISTERED_OFFICE="7 Lane End, York, England"
BRAND_VAT_NUMBER=GB123456789
BRAND_EMAIL=hello@${SHOP}
`

/** Runs lines of sh, and throws what they said where they fail. */
export const sh = (lines: string, cwd: string, env: NodeJS.ProcessEnv = {}): string => {
  const { status, stdout, stderr } = spawnSync('sh', ['-euc', lines], {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, ...env },
  })
  if (status !== 0) throw new Error(`${lines}\n${stdout}${stderr}`)
  return stdout
}

/** A release is made of a commit. */
export const isCommitted = (): boolean =>
  spawnSync('git', ['status', '--porcelain'], { cwd: ROOT, encoding: 'utf8' }).stdout === ''
