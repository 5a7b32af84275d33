import { useLayoutEffect } from 'react'
import { useParams } from 'wouter'

/** What cannot be in a token is not part of it: a full stop, a bracket or a comma that was copied with the link. */
export const tokenOf = (text: string): string => text.replaceAll(/[^\w-]/g, '')

/** The token in the address of the page, which is then not sent to any page that is opened from here. */
export const useLinkToken = (): string => {
  useLayoutEffect(() => {
    const meta = Object.assign(document.createElement('meta'), { name: 'referrer', content: 'no-referrer' })
    document.head.append(meta)
    return () => meta.remove()
  }, [])
  return tokenOf(useParams().token ?? '')
}
