import { connect } from 'node:tls'
import { checkAddress } from '@hedgerow/contract/status'
import { DAY_MS } from '@hedgerow/domain/dates'
import { isLoopback } from '@hedgerow/settings/hosts'
import type { Check } from '#care/doctor/check.ts'
import { type Finding, ok, problem, skewOf, warning } from '#platform/doctor/finding.ts'

/** An address that is kept for documents: no caller has it. */
const NOBODYS = '203.0.113.77'
const SKEW_MS = 5_000
/** Of one that is good for three months or longer. Of shorter ones a part of their time: they are renewed later. */
const WARN = { days: 21, part: 1 / 4 }
const URGENT = { days: 7, part: 1 / 12 }

type Validity = { from: Date; to: Date }

/** How long the certificate that a host shows is good; rejected where it is not trusted. */
const certificateOf = (url: URL, signal: AbortSignal): Promise<Validity> =>
  new Promise((resolve, reject) => {
    const host = url.hostname.replace(/^\[|\]$/g, '')
    const socket = connect({ host, port: Number(url.port || 443), servername: host }, () => {
      const { valid_from, valid_to } = socket.getPeerCertificate()
      resolve({ from: new Date(valid_from), to: new Date(valid_to) })
      socket.destroy()
    })
    signal.addEventListener('abort', () => socket.destroy())
    socket.on('error', reject)
  })

const TRUST = 'Have the proxy show the certificate of this name, with those between it and its issuer.'

/** What became of showing it: its end, or what the system or TLS says was in the way. */
export const whatOfCertificate = (host: string, shown: Validity | string): Finding => {
  if (shown === 'CERT_HAS_EXPIRED') return problem(`${host}: its certificate has expired`, 'Renew it.')
  if (typeof shown === 'string')
    return problem(`${host}: its certificate could not be looked at, or is not trusted (${shown})`, TRUST)
  const days = (shown.to.getTime() - Date.now()) / DAY_MS
  const lifetime = (shown.to.getTime() - shown.from.getTime()) / DAY_MS
  const isWithin = ({ days: most, part }: typeof WARN) => days < Math.min(most, lifetime * part)
  const says = `${host}: its certificate is good for ${Math.floor(days)} more days`
  const act = 'See why it is not renewed by itself.'
  if (isWithin(URGENT)) return problem(says, act)
  return isWithin(WARN) ? warning(says, act) : ok(says)
}

const certificate = async (url: URL, name: string, signal: AbortSignal): Promise<Finding> => {
  if (url.protocol !== 'https:')
    return isLoopback(url.hostname)
      ? ok(`${url.host} is on this machine alone, without TLS`)
      : problem(`${name} has no TLS`, `Have a proxy end TLS, and set ${name} to https://.`)
  const shown = await certificateOf(url, signal).catch(
    ({ code, name: type }: NodeJS.ErrnoException) => code ?? type,
  )
  return whatOfCertificate(url.host, shown)
}

/** Whether the shop learns the caller's address, and does not believe a forged one. */
const callersAddress = (seen: unknown, { isBehindProxy }: { isBehindProxy: boolean }): Finding => {
  if (typeof seen !== 'string')
    return problem('what answers at PUBLIC_URL is not this shop', 'See where the proxy leads.')
  if (seen === NOBODYS)
    return problem(
      'the shop believes any address that a caller states: limits can be walked past',
      'Have the proxy replace X-Forwarded-For with the caller’s address, as deploy/nginx.conf does.',
    )
  if (isBehindProxy && isLoopback(seen))
    return warning(
      `to the shop this call came from ${seen}`,
      'If you call over the network: name the proxy in TRUSTED_PROXIES, and have it send X-Forwarded-For.',
    )
  return ok(`the shop sees callers by their own address: this one as ${seen}`)
}

export const proxyChecks: readonly Check[] = [
  {
    name: 'proxy',
    isWatched: true,
    look: async ({ settings: { publicUrl, isProduction } }, signal) => {
      const url = new URL(publicUrl)
      const before = Date.now()
      const response = await fetch(`${publicUrl}${checkAddress.url}`, {
        headers: { 'x-forwarded-for': NOBODYS, 'x-real-ip': NOBODYS },
        redirect: 'manual',
        signal,
      }).catch(() => undefined)
      if (!response)
        return problem(
          `${publicUrl} does not answer from this machine`,
          'See the proxy, its certificate and the name’s address. A firewall may keep only this machine away.',
        )
      const skew = skewOf(response, before, Date.now())
      const body = (await response.json().catch(() => ({}))) as { address?: unknown }
      const hasHsts = response.headers.has('strict-transport-security')
      return [
        callersAddress(body.address, { isBehindProxy: isProduction && url.protocol === 'https:' }),
        ...(url.protocol === 'https:' && !hasHsts
          ? [
              warning(
                'its answers have no Strict-Transport-Security',
                'Have the proxy pass the shop’s headers on.',
              ),
            ]
          : []),
        ...(skew !== undefined && skew > SKEW_MS
          ? [
              warning(
                `its clock is ${Math.round(skew / 1000)} seconds away from this machine’s`,
                'Have both keep time by NTP.',
              ),
            ]
          : []),
      ]
    },
  },
  {
    name: 'certificate',
    isWatched: true,
    look: ({ settings: { publicUrl, consoleUrl, consolePort } }, signal) =>
      Promise.all([
        certificate(new URL(publicUrl), 'PUBLIC_URL', signal),
        ...(consolePort === null ? [] : [certificate(new URL(consoleUrl), 'CONSOLE_URL', signal)]),
      ]),
  },
]
