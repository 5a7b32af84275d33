const parseUrl = (text: string): URL | undefined => {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}

/** The browser is sent to web addresses only: `javascript:` and the like would run here. */
export const webAddress = (value: unknown): URL | undefined => {
  const url = typeof value === 'string' ? parseUrl(value) : undefined
  return url && ['http:', 'https:'].includes(url.protocol) ? url : undefined
}
