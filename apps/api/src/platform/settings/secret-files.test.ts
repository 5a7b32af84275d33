import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { withSecretFiles } from '#platform/settings/secret-files.ts'

const aFile = (text: string) => {
  const folder = mkdtempSync(join(tmpdir(), 'hedgerow-secrets-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'secret')
  writeFileSync(file, text)
  return file
}

describe('a secret in a file', () => {
  test.each([
    ['as it is', 'a b'],
    ['with a line’s end', 'a b\n'],
    ['with the line’s end of Windows', 'a b\r\n'],
  ])('is read %s', (_, text) => {
    expect(withSecretFiles({ PORT: '1', GATE_SECRET_FILE: aFile(text) })).toMatchObject({
      PORT: '1',
      GATE_SECRET: 'a b',
    })
  })

  test('is not looked for where no file is named, nor for what is no secret', () => {
    const env = { GATE_SECRET: 'x', SMTP_URL_FILE: ' ', LEGAL_TERMS_FILE: '/nowhere', PORT_FILE: '/nowhere' }
    expect(withSecretFiles(env)).toEqual(env)
  })

  test('that cannot be used is named, each in a line, and not quoted', () => {
    const files = {
      GATE_SECRET_FILE: '/nowhere/secret',
      SMTP_URL_FILE: aFile(' \n'),
      STRIPE_KEY_FILE: aFile('x'.repeat(20_000)),
      BTCPAY_KEY_FILE: tmpdir(),
      DATA_API_TOKEN_FILE: aFile('one\ntwo\n'),
    }
    const read = () => withSecretFiles({ ...files, DATABASE_URL: 'x', DATABASE_URL_FILE: '/nowhere' })
    expect(read).toThrow(
      [
        'DATABASE_URL and DATABASE_URL_FILE are both set: take one out',
        `SMTP_URL_FILE: ${files.SMTP_URL_FILE} is empty`,
        'GATE_SECRET_FILE: /nowhere/secret is not there',
        `DATA_API_TOKEN_FILE: ${files.DATA_API_TOKEN_FILE} has more than one line`,
        `STRIPE_KEY_FILE: ${files.STRIPE_KEY_FILE} is larger than 16 kB`,
        `BTCPAY_KEY_FILE: ${tmpdir()} is no file`,
      ].join('\n'),
    )
  })
})
