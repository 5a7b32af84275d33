import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { aCustomer, PASSWORD } from '#testing/customers.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const overTls = shopOfFile({ env: { PUBLIC_URL: 'https://shop.example' } })

test('over TLS a log-in and a new password set cookies of this very host, which never go without TLS', async () => {
  const { email, token } = await aCustomer(overTls)
  const login = { body: { username: email, password: PASSWORD } }
  const change = { token, body: { password: PASSWORD, newPassword: 'another wren in a hedge 43' } }
  const replies = [
    await overTls.call('POST', '/api/v1/user/login', login),
    await overTls.call('POST', '/api/v1/user/password', change),
  ]
  for (const { status, headers } of replies) {
    expect(status).toBe(200)
    const cookies = headers.getSetCookie()
    expect(cookies).toHaveLength(1)
    for (const cookie of cookies) {
      expect(cookie).toMatch(/^__Host-[A-Z-]+=/)
      const attributes = cookie.split('; ').slice(1)
      expect(attributes).toEqual(expect.arrayContaining(['Path=/', 'Secure', 'HttpOnly', 'SameSite=Strict']))
      expect(cookie).not.toMatch(/; domain=/i)
    }
  }
})

test('nothing else in the server sets a cookie', () => {
  const src = new URL('..', import.meta.url)
  const setters = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .filter((file) => /\.setCookie\(|['"]set-cookie['"]/i.test(readFileSync(new URL(file, src), 'utf8')))
  expect(setters).toEqual(['http/own-cookies.ts'])
})
