import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answerWithPage } from '#network/page.ts'

const shop = { name: 'Ann & <b>Sons</b>', renewUrl: 'https://shop.example/products?a=1&b="2"' }

describe('The page for the expired', () => {
  let server: Server
  let address: string

  beforeAll(async () => {
    server = createServer((request, response) => answerWithPage(address, shop)(request, response))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    address = `127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => void server.close())

  const get = (path: string, init?: RequestInit) =>
    fetch(`http://${address}${path}`, { redirect: 'manual', ...init })

  test('says what happened, what to do first, and where to renew', async () => {
    const answer = await get('/')
    expect(answer.status).toBe(200)
    const text = await answer.text()
    expect(text).toContain('This connection has expired')
    expect(text).toContain('Turn the tunnel off')
    expect(text).toContain('href="https://shop.example/products?a=1&amp;b=&quot;2&quot;"')
    expect(text).toContain('Ann &amp; &lt;b&gt;Sons&lt;/b&gt;')
  })

  test('is reached from any path, is never kept, and loads nothing from elsewhere', async () => {
    const answer = await get('/hotspot-detect.html', { method: 'POST', body: 'x' })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; /,
    )
    expect(await answer.text()).not.toMatch(/ src=|<link|<script|style="/)
  })

  test('is where any other site’s address leads, which is how phones notice it', async () => {
    const answer = await fetch(`http://localhost:${address.split(':')[1]}/generate_204`, {
      redirect: 'manual',
    }).catch(() => undefined)
    expect(answer?.status).toBe(302)
    expect(answer?.headers.get('location')).toBe(`http://${address}/`)
  })

  test('answers a question for its head without a body', async () => {
    const answer = await get('/', { method: 'HEAD' })
    expect(answer.status).toBe(200)
    expect(await answer.text()).toBe('')
  })
})
