import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { addressFault, postOutside } from '#care/webhooks/post-outside.ts'

const STRICT = { isAnywhere: false }

test.each([
  'http://example.com/',
  'https://127.0.0.1/',
  'https://2130706433/',
  'https://0x7f.1/',
  'https://0/',
  'https://10.0.0.1/',
  'https://169.254.169.254/latest/meta-data',
  'https://100.64.0.1/',
  'https://[::1]/',
  'https://[::]/',
  'https://[::ffff:10.0.0.1]/',
  'https://[::ffff:7f00:1]/',
  'https://[::7f00:1]/',
  'https://[64:ff9b::7f00:1]/',
  'https://[64:ff9b:1::1]/',
  'https://[2002:7f00:1::]/',
  'https://[fd00::1]/',
  'https://[fe80::1]/',
  'https://user@example.com/',
])('%s is no address to post to', async (address) => {
  expect(addressFault(address, STRICT)).toBeDefined()
  expect(await postOutside(address, {}, '{}', STRICT)).toEqual({ error: 'its address is not allowed' })
})

test.each(['https://example.com/hook?x=1', 'https://203.0.114.7/', 'https://[2606:4700::1]:8443/'])(
  '%s is one',
  (address) => {
    expect(addressFault(address, STRICT)).toBeUndefined()
  },
)

test('a name that leads to this machine is looked up and not connected to', async () => {
  let connections = 0
  const server = createServer().on('connection', () => connections++)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  expect(await postOutside(`https://localhost:${port}/`, {}, '{}', STRICT)).toEqual({
    error: 'its host leads into a network that is not public',
  })
  expect(connections).toBe(0)
  server.close()
})
