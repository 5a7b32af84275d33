/** How much the forms that reach a person take. */
export const ENQUIRY_TEXT = { min: 10, max: 5000 } as const

export const ENQUIRY_KINDS = ['application', 'support'] as const
export type EnquiryKind = (typeof ENQUIRY_KINDS)[number]
