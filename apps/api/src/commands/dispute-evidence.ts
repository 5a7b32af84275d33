import { writeFile } from 'node:fs/promises'
import { isUuid } from '@hedgerow/domain/ids'
import type { Command } from 'commander'
import { opens } from '#cli/classes.ts'
import { JSON_OPTION } from '#cli/options.ts'
import { placeOf } from '#cli/place-of.ts'
import { say, sayJson } from '#cli/print.ts'
import { Refusal } from '#cli/refusal.ts'
import { withDatabase } from '#cli/with-database.ts'
import { gatherEvidence } from '#disputes/gather-evidence.ts'
import { readBrand } from '#settings.ts'

/** A file that is there is somebody's. */
const write = async (file: string, pdf: Buffer): Promise<void> => {
  try {
    await writeFile(placeOf(file), pdf, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    const { code } = error as { code?: string }
    const why = code === 'EEXIST' ? 'the file already exists' : `it cannot be written (${code})`
    throw new Refusal(`Nothing was written to ${file}: ${why}.`)
  }
}

const evidence = (id: string, { out, json }: { out: string; json?: true }) => {
  const brand = readBrand(process.env)
  return withDatabase(async (db) => {
    const data = isUuid(id) ? await gatherEvidence({ db, settings: { brand } }, id, new Date()) : undefined
    if (!data) throw new Refusal(`There is no dispute ${id}.`)
    // Fonts and all: only this command waits for them.
    const { evidencePdf } = await import('@hedgerow/documents/evidence-pdf')
    const pdf = await evidencePdf(data)
    await write(out, pdf)
    if (json) return sayJson({ file: placeOf(out), bytes: pdf.length })
    say(
      `The evidence is in ${placeOf(out)}. It is about a person: send it to the gateway only, then delete it.`,
    )
  })
}

export const addDisputeEvidence = (dispute: Command): void => {
  opens(dispute.command('evidence'))
    .description(
      'All that the shop holds of a disputed purchase, as one PDF for the gateway: order, terms, authorisation, delivery and first use, refunds, messages, invoice. No traffic, which nobody keeps.',
    )
    .argument('<dispute>', 'its id')
    .requiredOption('--out <file>', 'write to this file, readable only by you')
    .addOption(JSON_OPTION)
    .action(evidence)
}
