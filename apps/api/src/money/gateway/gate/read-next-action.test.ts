import { expect, test } from 'vitest'
import { readNextAction } from '#money/gateway/gate/read-next-action.ts'

const asking = (required: string[]) => ({
  clarification_fields: {
    customer: {
      properties: {
        psu_consent: { type: 'boolean', title: 'I agree' },
        psu_consent_text: { type: 'string', title: 'Consent', default: 'I agree that …' },
      },
      required,
    },
  },
})

test.each([
  [['psu_consent'], true],
  [['psu_consent_text'], true],
  [[], false],
])('a consent of which %j is required is required: %s', (required, isRequired) => {
  expect(readNextAction(asking(required), 'awaiting clarification')).toMatchObject({
    kind: 'clarification',
    fields: [{ name: 'customer.psu_consent_text', type: 'consent', text: 'I agree that …', isRequired }],
  })
})
