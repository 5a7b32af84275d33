import { expect, test } from 'vitest'
import { checkPeerCount } from '#device/wireguard-go.ts'

test('says that wireguard-go holds no more peers; a kernel does', () => {
  expect(() => checkPeerCount('wireguard-go', 65_535)).not.toThrow()
  expect(() => checkPeerCount('wireguard-go', 65_536)).toThrow(
    'wireguard-go holds at most 65535 peers, and the shop wants 65536',
  )
  expect(() => checkPeerCount('kernel', 65_536)).not.toThrow()
})
