import { expect, test } from 'vitest'
import { isLoopback, isPrivate } from './hosts.ts'

test.each(['localhost', '127.0.0.1', '127.255.0.9', '[::1]'])('%s is this machine', (host) => {
  expect([isLoopback(host), isPrivate(host)]).toEqual([true, true])
})

test.each(['10.1.2.3', '172.16.0.1', '172.31.255.255', '192.168.0.1', '[fd00::1]', '[fc00::1]'])(
  '%s is on a private network',
  (host) => expect([isLoopback(host), isPrivate(host)]).toEqual([false, true]),
)

test.each(['shop.example', '127.example', '172.32.0.1', '192.0.2.1', '[2001:db8::1]', '[fe80::1]', ''])(
  '%s is neither',
  (host) => expect([isLoopback(host), isPrivate(host)]).toEqual([false, false]),
)
