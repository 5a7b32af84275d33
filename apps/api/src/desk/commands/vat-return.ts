import * as returns from '@hedgerow/contract/console/returns'
import type { Command } from 'commander'
import { returnsRoutes } from '#desk/returns/returns.routes.ts'
import { addCalls } from '#desk/tool/call-commands.ts'

const addReturn = (name: string, summary: string) => (program: Command) =>
  addCalls(program, { name, summary, description: '', contract: [returns], answer: returnsRoutes })

export const addVatReturn = addReturn('vat-return', 'what a period owes in VAT')
export const addOssReturn = addReturn('oss-return', 'what a quarter owes in the One Stop Shop')
