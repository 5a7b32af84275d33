import { expect, test } from 'vitest'
import { programIn } from '#network/port-user.ts'

const OURS = 'udp UNCONN 0 0 198.18.0.1:53 0.0.0.0:* users:(("pdns_recursor",pid=7,fd=3))'

test.each([
  ['udp UNCONN 0 0 0.0.0.0:53 0.0.0.0:* users:(("dnsmasq",pid=8,fd=4))', 'dnsmasq'],
  ['tcp LISTEN 0 511 *:80 *:* users:(("nginx",pid=9,fd=6),("nginx",pid=10,fd=6))', 'nginx'],
  ['tcp LISTEN 0 128 [::]:53 [::]:* users:(("named",pid=9,fd=6))', 'named'],
  ['tcp LISTEN 0 128 0.0.0.0:53 0.0.0.0:*', undefined],
  ['', undefined],
])('the program that has a port of all addresses is found in %j: %s', (line, name) => {
  expect(programIn(`${OURS}\n${line}`)).toBe(name)
})
