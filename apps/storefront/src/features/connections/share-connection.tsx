import type { Connection } from '@hedgerow/contract/connections'
import { isActive, SHARE_LINK_DAYS } from '@hedgerow/domain/connections'
import { formatLocalTime } from '@hedgerow/domain/dates'
import { SecretLink } from '#features/connections/secret-link.tsx'
import { sharedUntilLine } from '#features/connections/shared-until.ts'
import { useNow } from '#features/connections/use-now.ts'
import { useShownConnection } from '#features/connections/use-shown-connection.ts'
import { api } from '#lib/api.ts'

type ShareConnectionProps = { connection: Connection; isExpired: boolean }

/** A link that has ended while the page was open is none. */
const linkOf = ({ sharedAt, sharedUntil }: Connection, now: Date) => {
  if (!sharedAt || !sharedUntil || !isActive(new Date(sharedUntil), now)) return undefined
  return {
    made: formatLocalTime(new Date(sharedAt)),
    ends: sharedUntilLine(new Date(sharedUntil), now),
  }
}

const ShareLink = ({ connection, isExpired }: ShareConnectionProps) => {
  const { _id } = connection
  const params = { connectionId: _id }
  const shown = linkOf(connection, useNow())
  const changeShown = useShownConnection()
  return (
    <SecretLink
      title="Share this connection"
      says={
        shown
          ? `Anyone with the link you created on ${shown.made} can see this connection’s code and file. It ends ${shown.ends}. A new link or new keys end it sooner.`
          : `Anyone with the link can see this connection’s code and file without logging in. It ends after ${SHARE_LINK_DAYS} days, or when you withdraw it. We email you when it is created.`
      }
      word="link"
      isThere={shown !== undefined}
      isExpired={isExpired}
      make={() => api.call('shareConnection', { params })}
      withdraw={() => api.call('revokeShareLink', { params })}
      onMade={({ sharedAt, sharedUntil }) => changeShown(_id, { sharedAt, sharedUntil })}
      onWithdrawn={() => changeShown(_id, { sharedAt: null, sharedUntil: null })}
    />
  )
}

const at = (instant: string) => formatLocalTime(new Date(instant))

const usageOf = ({ createdAt, reads, readAt }: NonNullable<Connection['fileAddress']>): string => {
  const created = `Created on ${at(createdAt)}.`
  if (!readAt) return `${created} Not used yet.`
  return `${created} Used ${reads === 1 ? 'once' : `${reads} times`}, last on ${at(readAt)}.`
}

/** From which a router fetches the file by itself. */
const FileAddress = ({ connection, isExpired }: ShareConnectionProps) => {
  const { _id, fileAddress } = connection
  const params = { connectionId: _id }
  const changeShown = useShownConnection()
  const what = fileAddress
    ? usageOf(fileAddress)
    : 'For a router, a script or an app that fetches its file by itself: always the newest, as you chose it under File options.'
  return (
    <SecretLink
      title="An address for a router or an app"
      says={`${what} Anyone with the address can use this connection. It ends when you withdraw it or make new keys.`}
      word="address"
      isThere={fileAddress !== undefined}
      isExpired={isExpired}
      make={() => api.call('makeFileAddress', { params })}
      withdraw={() => api.call('endFileAddress', { params })}
      onMade={({ createdAt }) => changeShown(_id, { fileAddress: { createdAt, reads: 0, readAt: null } })}
      onWithdrawn={() => changeShown(_id, { fileAddress: undefined })}
    />
  )
}

export const ShareConnection = (props: ShareConnectionProps) => (
  <>
    <ShareLink {...props} />
    <FileAddress {...props} />
  </>
)
