import type { With } from '#platform/dependencies.ts'

type Asked = { id: string; email: string }

/**
 * What the mailed link carries. It comes of the question, so that every mail about it has the same, and stands nowhere
 * else. Of the address too: an id that was used up for one address makes another link for another.
 */
export const questionToken = ({ keyedHash }: With<'keyedHash'>, { id, email }: Asked): string =>
  keyedHash('question link', `${id} ${email}`).toString('base64url')
