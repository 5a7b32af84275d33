import * as evidence from '@hedgerow/contract/console/vat-evidence'
import type { Command } from 'commander'
import { addCalls } from '#desk/tool/call-commands.ts'
import { vatEvidenceRoutes } from '#desk/vat-evidence/vat-evidence.routes.ts'

export const addVatEvidence = (program: Command): Command =>
  addCalls(program, {
    name: 'vat-evidence',
    summary: 'where customers were, for their tax',
    description: 'What the country of each sale was determined by (VAT_SCHEME=oss).',
    contract: [evidence],
    answer: vatEvidenceRoutes,
  })
