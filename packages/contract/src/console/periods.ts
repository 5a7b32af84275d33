import * as z from 'zod/mini'
import { day, optional, text } from './fields.ts'

/** A day of London, YYYY-MM-DD. */
export const Day = z.string().check(z.regex(/^20\d\d-\d\d-\d\d$/, 'Please enter a day.'))

export const Month = z
  .string()
  .check(z.trim(), z.regex(/^20\d\d-(?:0[1-9]|1[0-2])$/, 'A month is written like 2026-11.'))

export const Quarter = z
  .string()
  .check(z.toUpperCase(), z.regex(/^20\d\d-Q[1-4]$/, 'A quarter is written like 2026-Q4.'))

/** Days of London, in one of three ways. */
export const periodFields = {
  from: optional(day('From', { hint: 'The first day; days are London’s' })),
  to: optional(day('To', { hint: 'The last day, which is included' })),
  month: optional(text('Month', Month, { hint: 'Instead of days, like 2026-11' })),
  quarter: optional(text('Quarter', Quarter, { hint: 'Instead of days: one of the calendar, like 2026-Q4' })),
}
