import type { ShopStatus } from '@hedgerow/contract/status'
import { Notice } from '@hedgerow/ui/page/notice.tsx'

const inWords = new Intl.ListFormat('en-GB')

/** How it all stands, in a sentence. */
export const StatusSummary = ({ status: { places } }: { status: ShopStatus }) => {
  const real = places.filter(({ state }) => state !== 'demonstration')
  const named = (wanted: string) => real.filter(({ state }) => state === wanted).map(({ name }) => name)
  const down = named('down')
  const maintained = named('maintenance')
  const unknown = named('unknown')
  if (real.length === 0) return <Notice kind="info">None of our servers is running yet.</Notice>
  if (down.length > 0)
    return (
      <Notice kind="warning" title={`Down: ${inWords.format(down)}`}>
        {down.length === real.length
          ? 'Connections do not work at the moment.'
          : `${real.length - down.length} of ${real.length} locations are not affected. You can move a connection to another location in your profile.`}
      </Notice>
    )
  if (maintained.length > 0)
    return <Notice kind="warning" title={`Under maintenance: ${inWords.format(maintained)}`} />
  if (unknown.length > 0)
    return (
      <Notice kind="info" title="We have only just started checking">
        In a minute or two this page will show every location.
      </Notice>
    )
  return (
    <Notice
      kind="done"
      title={real.length === 1 ? `${real[0]?.name} is up` : `All ${real.length} locations are up`}
    />
  )
}
