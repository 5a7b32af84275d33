const SHORT = new Intl.DateTimeFormat('en-GB', {
  day: '2-digit',
  month: '2-digit',
  year: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'Europe/London',
})

export const shortDate = (date: number | string): string => SHORT.format(new Date(date)).replace(',', '')

export const money = (minor: number, currency: string): string => {
  const format = new Intl.NumberFormat('en-GB', { style: 'currency', currency })
  return format.format(minor / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2))
}
