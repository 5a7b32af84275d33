import { ForgotRequest } from '@hedgerow/contract/accounts'

/** The email that an address bar carries. Anyone may write one there: what is no email is not shown. */
export const emailFromSearch = (search: URLSearchParams): string | undefined =>
  ForgotRequest.safeParse({ username: search.get('email') ?? '' }).data?.username
