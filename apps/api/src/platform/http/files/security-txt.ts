import { DAY_MS } from '@hedgerow/domain/dates'
import type { FastifyInstance } from 'fastify'
import type { Settings } from '#platform/settings.ts'

/** RFC 9116 wants less than a year. The file is made anew at every call, so that it never ends while the shop runs. */
const VALID_DAYS = 180

/** Where a hole is to be reported. The company's address is public already; the operator's need not be. */
const securityTxt = ({ brand, publicUrl }: Pick<Settings, 'brand' | 'publicUrl'>, now: Date): string => {
  const midnight = Math.floor(now.getTime() / DAY_MS) * DAY_MS
  const ends = new Date(midnight + VALID_DAYS * DAY_MS).toISOString().replace('.000', '')
  const canonical = new URL(`${publicUrl}/.well-known/security.txt`)
  const lines = [
    `Contact: mailto:${encodeURI(brand.company.email)}`,
    `Expires: ${ends}`,
    'Preferred-Languages: en',
    // An address on the web has to be https there.
    ...(canonical.protocol === 'https:' ? [`Canonical: ${canonical.href}`] : []),
  ]
  return `${lines.join('\n')}\n`
}

/** /.well-known/security.txt */
export const addSecurityTxt = (app: FastifyInstance, settings: Settings): void => {
  app.get(
    '/.well-known/security.txt',
    { schema: { hide: true }, config: { access: 'anyone' } },
    (_request, reply) => reply.type('text/plain; charset=utf-8').send(securityTxt(settings, new Date())),
  )
}
