import { ENQUIRY_TEXT } from '@hedgerow/domain/enquiries'
import { OUR_MESSAGES } from '@hedgerow/domain/messages'
import * as z from 'zod/mini'
import { endpoint, Problem } from './endpoint.ts'
import { anyName, longText, Uuid } from './fields.ts'
import { routes } from './routes.ts'

const name = anyName(OUR_MESSAGES.enquiryNameRequired)
const text = longText(ENQUIRY_TEXT, {
  required: OUR_MESSAGES.enquiryTextRequired,
  short: OUR_MESSAGES.enquiryTextShort,
  long: OUR_MESSAGES.enquiryTextLong,
})

/** The fields of the white label application (spec §2, submit). */
export const ApplicationForm = z.object({ name, commentary: text })
/** The fields of the feedback form (spec §2, support). */
export const SupportForm = z.object({ name, problem: text })

/** Made by the sender: the same id twice is the same enquiry, sent again. */
const id = { id: Uuid }

const response = {
  201: z.object({ _id: z.string() }),
  401: Problem,
  409: Problem,
  422: Problem,
  429: Problem,
}

export const applyForWhiteLabel = endpoint({
  ...routes.applyForWhiteLabel,
  access: 'signed-in',
  summary: 'Apply for the white label programme',
  schema: { body: z.extend(ApplicationForm, id), response },
})

export const askSupport = endpoint({
  ...routes.askSupport,
  access: 'signed-in',
  summary: 'Describe a problem, or say what you think',
  schema: { body: z.extend(SupportForm, id), response },
})
