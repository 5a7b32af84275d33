import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readPageSettings } from './page-settings.ts'

const COMPANY = `BRAND_NAME="Quick & Set"
BRAND_COMPANY='Quickset Limited'
BRAND_COMPANY_NUMBER=12345678
BRAND_REGISTERED_OFFICE="7 Lane End, York, England"
BRAND_VAT_NUMBER=GB123456789
BRAND_EMAIL=hello@shop.example
`

const aFile = (text: string) => {
  const folder = mkdtempSync(join(tmpdir(), 'hedgerow-pages-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'hedgerow.env'), text)
  return join(folder, 'hedgerow.env')
}

describe('the settings of a release’s pages', () => {
  test('are the shop’s address and brand; its secrets are left where they are', async () => {
    const file = aFile(`${COMPANY}PUBLIC_URL=https://shop.example/\nGATE_SECRET=hunter2\n#BRAND_PHONE=1\n`)
    const { values, described } = await readPageSettings(file)
    expect(Object.keys(values)).not.toContain('GATE_SECRET')
    expect(values.BRAND_REGISTERED_OFFICE).toBe('7 Lane End, York, England')
    expect(described).toMatchObject({ publicUrl: 'https://shop.example', brand: 'Quick & Set' })
    const again = await readPageSettings(aFile(`PUBLIC_URL=https://shop.example/\n${COMPANY}`))
    expect(again.described.settings).toBe(described.settings)
  })

  test('want what production wants, line by line', async () => {
    const file = aFile('PUBLIC_URL=http://shop.example\nBRAND_EMAIL=hello@shop.example\n')
    await expect(readPageSettings(file)).rejects.toThrow(/PUBLIC_URL must begin with https/)
    const rest = aFile('PUBLIC_URL=https://shop.example\n')
    await expect(readPageSettings(rest)).rejects.toThrow(/\nBRAND_COMPANY is required/)
  })

  test('are the example company’s where none are named', async () => {
    const { values, described } = await readPageSettings()
    expect(values).toEqual({})
    expect(described).toMatchObject({ publicUrl: 'http://localhost:3000', brand: 'Hedgerow' })
    await expect(readPageSettings('/nowhere')).rejects.toThrow(/cannot be read/)
  })
})
