import { londonDayBegins } from './dates.ts'

/** So many days apart a customer may have the keys of a connection renewed. */
export const KEYS_EVERY_DAYS = [7, 30, 90] as const
export type KeysEveryDays = (typeof KEYS_EVERY_DAYS)[number]

/** So many days before, the customer is emailed. */
export const NOTICE_DAYS: Readonly<Record<KeysEveryDays, number>> = { 7: 1, 30: 3, 90: 3 }

/** Old keys work until the new ones are used; a customer whose device still has them is reminded once, after so many days. */
export const UNUSED_KEYS_REMINDER_DAYS = 7

/** A day of renewals begins at this hour in London, so that its emails come in the morning. */
export const RENEWALS_BEGIN_HOUR = 6

/** When renewals of a day, '2026-12-05', begin; an hour off on a day when clocks change. */
export const renewalsBegin = (day: string): Date =>
  new Date(londonDayBegins(day).getTime() + RENEWALS_BEGIN_HOUR * 3_600_000)

export const keysEveryWords = (days: KeysEveryDays): string => `every ${days} days`
