import { composed } from '@hedgerow/domain/composed'
import { FILTERS, type WireFilter } from '@hedgerow/domain/filters'
import { EMAIL, plainEmail } from '@hedgerow/domain/mailboxes'
import { MESSAGES, OUR_MESSAGES } from '@hedgerow/domain/messages'
import { CURRENCIES, CURRENCY_CODES, type CurrencyCode, toMinor } from '@hedgerow/domain/money'
import { plainCode, plainName } from '@hedgerow/domain/pasted'
import {
  CONNECTIONS,
  FEATURES,
  fromWireFeatures,
  NO_FEATURES,
  toWireFeatures,
  type WireFeatures,
} from '@hedgerow/domain/pricing'
import { isPrintable } from '@hedgerow/domain/printable'
import { MAX_REDIRECT, safeRedirect } from '@hedgerow/domain/redirect'
import * as z from 'zod/mini'

/** No control, line-breaking, direction-changing or unpaired characters: they are invisible, and change what others see. */
const VISIBLE = /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]*$/u
/** The same characters in a text of several lines, which may hold line breaks and tabs. */
const INVISIBLE_IN_TEXT = /(?![\n\t])[\p{Cc}\p{Cs}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu

/** Something that can be seen: a text of joiners and fillers alone is as good as empty. */
const SEEN = /[^\p{Default_Ignorable_Code_Point}\p{Z}\p{Cc}]/u

/** A text that is too long is not looked at further. */
export const atMost = (length: number, message: string) =>
  z.maxLength(length, { error: message, abort: true })

/** An address that mail can be sent to. */
export const email = (required: string, invalid: string) =>
  z
    .string(required)
    .check(
      z.overwrite(plainEmail),
      z.minLength(1, required),
      atMost(254, OUR_MESSAGES.emailLong),
      z.regex(EMAIL, invalid),
    )

/** What a mail program makes a link of. Browsers read the other full stops as one; an initial may stand before a surname. */
const ADDRESS =
  /[@＠]|:\/\/|www[.．。｡]|[\p{L}\p{N}-]{2}[.．。｡]\p{L}{2}|[.．。｡](?:com|net|org|io|co|me|ly|gg|cc)(?!\p{L})|[.．。｡]\p{L}{1,24}[/:?]/iu

/** A name of a person, of one character or more. */
export const anyName = (required: string) =>
  z.string(required).check(
    z.trim(),
    z.overwrite((text: string) => composed(text)),
    z.minLength(1, required),
    atMost(100, OUR_MESSAGES.nameLong),
    z.regex(SEEN, required),
    z.regex(VISIBLE, OUR_MESSAGES.nameCharacters),
  )

/** A name that goes to a payment system or a bank. */
export const nameForPayment = (required: string) =>
  z.pipe(z.string(required).check(z.overwrite(plainName)), anyName(required))

/** A line of text that may be left empty. */
export const optionalLine = (most: number) =>
  z.string(OUR_MESSAGES.textCharacters).check(
    z.trim(),
    z.overwrite((text: string) => composed(text)),
    atMost(most, OUR_MESSAGES.textLong(most)),
    z.regex(VISIBLE, OUR_MESSAGES.textCharacters),
  )

/** Goes on an invoice: what no font there has is refused before anything is paid. */
const printable = z.refine<string>(isPrintable, OUR_MESSAGES.notPrintable)

export const printedLine = (most: number) => optionalLine(most).check(printable)

/** A name that mails greet by, also those to strangers whose address someone typed. */
export const greetedName = (required: string) =>
  anyName(required).check(z.refine((name) => !ADDRESS.test(name), OUR_MESSAGES.nameAddress))

/** A name of a person. */
export const personName = (required: string, short: string) =>
  greetedName(required).check(z.minLength(2, short), printable)

/** Invisible characters come along with pasted words: they are left out. */
const visibleText = z.overwrite<string>((text) => text.replace(/\r\n?/g, '\n').replace(INVISIBLE_IN_TEXT, ''))

/** A text of several lines that may be left empty. */
export const optionalText = (most: number, long: string) =>
  z.string(long).check(
    visibleText,
    z.trim(),
    z.overwrite((text: string) => composed(text)),
    atMost(most, long),
  )

/** What someone writes in several lines. */
export const longText = (
  { min, max }: { min: number; max: number },
  messages: { required: string; short: string; long: string },
) =>
  z.string(messages.required).check(
    visibleText,
    z.trim(),
    z.overwrite((text: string) => composed(text)),
    z.minLength(1, messages.required),
    atMost(max, messages.long),
    z.regex(SEEN, messages.required),
    z.minLength(min, messages.short),
  )

/** A partner's code as promocodes are made; small letters do, too. */
export const Promocode = z
  .string()
  .check(z.overwrite(plainCode), z.toUpperCase(), z.regex(/^[A-Z0-9]{1,32}$/))

/** The same, as it is typed at a checkout. */
export const PromocodeField = z
  .string(OUR_MESSAGES.promocodeRequired)
  .check(
    z.overwrite(plainCode),
    z.toUpperCase(),
    z.minLength(1, OUR_MESSAGES.promocodeRequired),
    z.regex(/^[A-Z0-9]{1,32}$/, OUR_MESSAGES.promocodeUnknown),
  )

/** A page of the shop to go on to; what is none counts as nothing. */
export const RedirectPath = z.catch(
  z.optional(
    z.pipe(
      z.string().check(z.maxLength(MAX_REDIRECT)),
      z.transform((wanted: string) => safeRedirect(wanted)),
    ),
  ),
  undefined,
)

/** A text on one line, as it can be printed. */
export const oneLine = (required: string, longest: number) =>
  z.string(required).check(
    z.trim(),
    z.overwrite((text: string) => composed(text)),
    z.minLength(1, required),
    atMost(longest, OUR_MESSAGES.textLong(longest)),
    z.regex(SEEN, required),
    z.regex(VISIBLE, OUR_MESSAGES.textCharacters),
  )

/** An address that may be left out, or be empty as a form sends it; what is there has to be one. */
export const optionalEmail = (invalid: string) =>
  z.optional(
    z.string(invalid).check(
      z.overwrite(plainEmail),
      atMost(254, OUR_MESSAGES.emailLong),
      z.refine((value) => value === '' || EMAIL.test(value), invalid),
    ),
  )

/** A password that is being chosen. Whether it is too common is for the server to say. */
export const newPassword = (required: string, short: string) =>
  z
    .string(required)
    .check(z.minLength(1, required), z.minLength(8, short), z.maxLength(128, OUR_MESSAGES.passwordLong))

export const acceptTerms = z.literal(true, MESSAGES.termsRequired)

/** Currency as the calculator sends it (an object) or by its code alone; read as the code. */
export const CurrencyInput = z.pipe(
  z.union(
    [
      z.enum(CURRENCY_CODES),
      ...CURRENCY_CODES.map((code) =>
        z.object({ code: z.literal(code), symbol: z.optional(z.literal(CURRENCIES[code].symbol)) }),
      ),
    ],
    OUR_MESSAGES.currency,
  ),
  z.transform((value): CurrencyCode => (typeof value === 'string' ? value : value.code)),
)

export const CurrencyReply = z.object({ code: z.enum(CURRENCY_CODES), symbol: z.string() })

/** The largest amount that the database's integers hold: what is above it can be compared with nothing. */
const LARGEST_MINOR = 2 ** 31 - 1

/** An amount with at most two decimals, as the wire carries it. */
export const anAmount = (message: string) =>
  z.number(message).check(z.refine((value) => (toMinor(value) ?? Infinity) <= LARGEST_MINOR, message))

export const Total = anAmount(OUR_MESSAGES.total)

/** A field for each of these features, by its name on the wire. */
export const fieldOfEach = <W extends string, F>(features: readonly { wire: W }[], field: F) =>
  Object.fromEntries(features.map(({ wire }) => [wire, field])) as Record<W, F>

/** feature1 and so on; one that is left out is not chosen. */
export const FeaturesInput = z.pipe(
  z._default(z.object(fieldOfEach(FEATURES, z._default(z.boolean(), false))), toWireFeatures(NO_FEATURES)),
  z.transform((wire: WireFeatures) => fromWireFeatures(wire)),
)

export const FeaturesReply = z.object(fieldOfEach(FEATURES, z.boolean()))
export const FiltersReply = z.object(fieldOfEach(FILTERS, z.boolean()))

/** A number, or the digits of one as a select control gives them. */
export const wholeNumber = (required: string, min: number, max: number) =>
  z.pipe(
    z.pipe(
      z.union([z.number(), z.string().check(z.regex(/^\d{1,4}$/, required))], required),
      z.transform((value) => Number(value)),
    ),
    z.int(required).check(z.gte(min, required), z.lte(max, required)),
  )

/** Written one way, as the database writes it: what is sealed for a record, or named twice, is known by it. */
export const Uuid = z.uuid().check(z.toLowerCase())
/** An instant in UTC, ISO 8601. */
export const Instant = z.string()

/**
 * What a list of the account's is asked: `after` is the cursor of the page before, whose answer leads to the next by a header
 * Link with rel="next" (RFC 8288). There is none after the last page.
 */
export const PageQuery = z.object({ after: z.optional(z.string().check(z.maxLength(1_000))) })

/** Connections of the customer's that are extended, each once. */
export const RenewField = z.array(Uuid, OUR_MESSAGES.renew).check(
  z.maxLength(CONNECTIONS.max, OUR_MESSAGES.renewMany),
  z.refine((ids) => new Set(ids).size === ids.length, OUR_MESSAGES.renewTwice),
)
/** Where new connections are to be. `near`: the location that is nearest, for a buyer who chose none; it need not stay open. */
export const locationChoice = {
  location: z.optional(z.uuid(OUR_MESSAGES.location).check(z.toLowerCase())),
  near: z.optional(z.uuid(OUR_MESSAGES.location).check(z.toLowerCase())),
}

/** Filters that a location cannot do. */
export const FiltersWithout = z.optional(
  z.array(z.enum(FILTERS.map(({ wire }) => wire) as [WireFilter, ...WireFilter[]])),
)
