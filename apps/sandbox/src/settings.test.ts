import { expect, test } from 'vitest'
import { startSandbox } from '#app.ts'
import { DEFAULT_SETTINGS, readSettings } from '#settings.ts'
import { startTestSandbox } from '#testing/merchant.ts'

test('starts with nothing set', () => {
  expect(readSettings({})).toMatchObject(DEFAULT_SETTINGS)
})

test.each([
  [{ SANDBOX_PORT: 'three' }, 'SANDBOX_PORT must be a whole number'],
  [{ SANDBOX_SMTP_PORT: '70000' }, 'SANDBOX_SMTP_PORT must be a whole number'],
  [{ SANDBOX_RETRY_SCALE: '-1' }, 'SANDBOX_RETRY_SCALE must be a number'],
  [{ SANDBOX_PUBLIC_URL: 'shop.example' }, 'SANDBOX_PUBLIC_URL must be an http or https address'],
])('says in one line what is wrong with %j', (env, line) => {
  expect(() => readSettings(env)).toThrow(line)
})

test('says which setting to change when a port is taken', async () => {
  const { url, smtpPort } = await startTestSandbox()
  const port = Number(new URL(url).port)
  await expect(startSandbox({ port, smtpPort: 0 })).rejects.toThrow('set SANDBOX_PORT to another')
  await expect(startSandbox({ port: 0, smtpPort })).rejects.toThrow('set SANDBOX_SMTP_PORT to another')
})

test.each(['/', '/mail', '/gate'])('the page %s is there', async (path) => {
  const { url } = await startTestSandbox()
  const reply = await fetch(url + path)
  expect(reply.status).toBe(200)
  expect(await reply.text()).toMatch(/^<!doctype html>\s<html lang="en-GB">/)
})
