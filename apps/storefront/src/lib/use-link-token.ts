import { useParams } from 'wouter'

/** What cannot be in a token is not part of it: a full stop, a bracket or a comma that was copied with the link. */
export const tokenOf = (text: string): string => text.replaceAll(/[^\w-]/g, '')

/** The token in the address of the page. */
export const useLinkToken = (): string => tokenOf(useParams().token ?? '')
