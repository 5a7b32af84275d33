import { freePort } from '@hedgerow/testing/free-port'
import { logLines } from '@hedgerow/testing/log-lines'
import { expect, onTestFinished, test } from 'vitest'
import { failToStartApi, startApiProcess } from '#testing/api-process.ts'
import { environmentOf, openGround } from '#testing/test-shop.ts'

test('each start warns in the log of what the operator has allowed', async () => {
  const allowed = { SMTP_ALLOW_PLAINTEXT: 'on', DATABASE_ALLOW_PLAINTEXT: 'on', LOG_LEVEL: 'warn' }
  const ground = await openGround({ env: allowed })
  onTestFinished(ground.close)
  const api = await startApiProcess(environmentOf(ground, await freePort()))
  onTestFinished(() => api.kill())
  const warned = logLines(api.output()).flatMap(({ level, msg }) => (level === 40 ? [msg] : []))
  expect(warned).toEqual([
    expect.stringMatching(/^DATABASE_ALLOW_PLAINTEXT is on/),
    expect.stringMatching(/^SMTP_ALLOW_PLAINTEXT is on/),
  ])
})

test('a production that would send secrets in the clear does not start, and says each fault in a line', async () => {
  const { code, output } = await failToStartApi({
    NODE_ENV: 'production',
    DATABASE_URL: 'postgres://hedgerow:hidden@db.example/shop',
    SMTP_URL: 'smtp://mail.example?ignoreTLS=true',
    GATE_SECRET: 'sandbox-secret',
    NODE_TLS_REJECT_UNAUTHORIZED: '0',
    MAIL_FROM: 'Shop: the VPN <hello@shop.example>',
  })
  expect(code).toBe(1)
  for (const name of ['DATABASE_URL', 'SMTP_URL', 'GATE_SECRET', 'NODE_TLS_REJECT_UNAUTHORIZED', 'MAIL_FROM'])
    expect(output.split('\n').filter((line) => line.startsWith(`${name} m`))).toHaveLength(1)
  expect(output).not.toMatch(/hidden|sandbox-secret/)
})
