import type { ShopStatus } from '@hedgerow/contract/status'
import { Notice } from '#ui/page/notice.tsx'

const inWords = new Intl.ListFormat('en-GB')

/** How it all stands, in a sentence. */
export const StatusSummary = ({ status: { places } }: { status: ShopStatus }) => {
  const real = places.filter(({ state }) => state !== 'demonstration')
  const named = (wanted: string) => real.filter(({ state }) => state === wanted).map(({ name }) => name)
  const down = named('down')
  const maintained = named('maintenance')
  const unknown = named('unknown')
  if (real.length === 0) return <Notice kind="info">No server of ours is at work yet.</Notice>
  if (down.length > 0)
    return (
      <Notice kind="warning" title={`Not up: ${inWords.format(down)}`}>
        {down.length === real.length
          ? 'Connections carry nothing at the moment.'
          : `${real.length - down.length} of ${real.length} places are not affected. A connection can be moved to another place in your profile.`}
      </Notice>
    )
  if (maintained.length > 0)
    return <Notice kind="warning" title={`Under maintenance: ${inWords.format(maintained)}`} />
  if (unknown.length > 0)
    return (
      <Notice kind="info" title="We have only just begun to look">
        In a minute or two this page knows how every place is.
      </Notice>
    )
  return (
    <Notice
      kind="done"
      title={real.length === 1 ? `${real[0]?.name} is up` : `All ${real.length} places are up`}
    />
  )
}
