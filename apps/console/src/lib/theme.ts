const KEY = 'theme'

export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

const isTheme = (value: string | null): value is Theme => THEMES.some((theme) => theme === value)

export const readTheme = (): Theme => {
  const kept = localStorage.getItem(KEY)
  return isTheme(kept) ? kept : 'system'
}

/** What was chosen in this browser; otherwise the system's own. */
export const applyTheme = (theme: Theme = readTheme()): void => {
  if (theme === 'system') delete document.documentElement.dataset.scheme
  else document.documentElement.dataset.scheme = theme
}

export const keepTheme = (theme: Theme): void => {
  localStorage.setItem(KEY, theme)
  applyTheme(theme)
}
