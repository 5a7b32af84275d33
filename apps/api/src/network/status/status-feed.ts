import type { Incident, ShopStatus } from '@hedgerow/contract/status'
import { formatUkTime } from '@hedgerow/domain/dates'
import { escapeHtml } from '@hedgerow/io/escape-html'
import type { Settings } from '#platform/settings.ts'

const at = (instant: string) => formatUkTime(new Date(instant))

/** What was said last; maintenance that has ended by itself has ended later. */
const updatedAt = ({ startsAt, updates }: Incident) => updates[0]?.at ?? startsAt

const textOf = ({ isPlanned, places, startsAt, endsAt, updates }: Incident): string => {
  const where = places.length > 0 ? places.join(', ') : 'all locations'
  const when = endsAt ? `${at(startsAt)} to ${at(endsAt)}` : `since ${at(startsAt)}`
  return [
    `${isPlanned ? 'Maintenance' : 'Incident'}, ${where}, ${when}`,
    ...updates.map(({ at: written, text }) => `${at(written)}\n${text}`),
  ].join('\n\n')
}

/** Atom (RFC 4287) of the incidents, in the order of the page. */
export const statusFeed = (
  { incidents, firstDay }: ShopStatus,
  { brand, publicUrl }: Pick<Settings, 'brand' | 'publicUrl'>,
): string => {
  const page = escapeHtml(`${publicUrl}/status`)
  const latest = incidents.map(updatedAt).sort().at(-1) ?? `${firstDay}T00:00:00Z`
  return `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>${page}</id>
<title>${escapeHtml(brand.name)} status</title>
<link href="${page}"/>
<link rel="self" href="${escapeHtml(publicUrl)}/status.atom"/>
<updated>${latest}</updated>
<author><name>${escapeHtml(brand.company.legalName)}</name></author>
${incidents
  .map(
    (incident) => `<entry>
<id>urn:uuid:${incident._id}</id>
<title>${escapeHtml(incident.title)}</title>
<link href="${page}"/>
<updated>${updatedAt(incident)}</updated>
<content type="text">${escapeHtml(textOf(incident))}</content>
</entry>
`,
  )
  .join('')}</feed>
`
}
