import { bookFields } from '@hedgerow/contract/console/invoices'
import { VAT_TREATMENT_WORDS } from '@hedgerow/domain/vat'
import { Button } from '@hedgerow/ui/button.tsx'
import { buttonLook } from '@hedgerow/ui/button-look.ts'
import { BareSelect } from '@hedgerow/ui/form/select.tsx'
import { Notice } from '@hedgerow/ui/page/notice.tsx'
import { Table } from '@hedgerow/ui/table.tsx'
import { messageOf } from '@hedgerow/web/message-of.ts'
import { useState } from 'react'
import { api, type ReplyOf } from '#lib/api.ts'
import { countText, titleText, writtenSumText } from '#lib/format.ts'
import { useQueryString } from '#lib/use-query-string.ts'
import { Series } from '#pages/finance/series.tsx'
import { DayInput } from '#shared/day-input.tsx'
import { Loaded } from '#shared/loaded.tsx'
import { Page } from '#shared/page.tsx'
import { Section } from '#shared/section.tsx'
import { useMay } from '#shared/session.tsx'
import { useData } from '#shared/use-data.ts'

type Days = { from: string; to: string }

const BOX_PART_WORDS = { whole: 'all', shop: 'the shop’s part', accounts: 'from the accounts' }

const QUARTERS_OFFERED = 8
const isoDay = (date: Date) => date.toISOString().slice(0, 10)

/** The calendar quarter before the running one. */
const lastQuarter = (): Days => {
  const now = new Date()
  const first = Math.floor(now.getUTCMonth() / 3) * 3 - 3
  return {
    from: isoDay(new Date(Date.UTC(now.getUTCFullYear(), first, 1))),
    to: isoDay(new Date(Date.UTC(now.getUTCFullYear(), first + 3, 0))),
  }
}

const quarters = (): string[] => {
  const now = new Date()
  return Array.from({ length: QUARTERS_OFFERED }, (_, back) => {
    const at = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back * 3, 1))
    return `${at.getUTCFullYear()}-Q${Math.floor(at.getUTCMonth() / 3) + 1}`
  })
}

const euros = (sum: string) => writtenSumText(sum, 'EUR')

const VatReturn = ({ from, to }: Days) => {
  const [isOss, setOss] = useState(false)
  const asked = { from, to, ...(isOss ? { ossInBox6: 'true' as const } : {}) }
  const query = useData('getVatReturn', { querystring: asked })
  return (
    <Section
      title="VAT return"
      actions={
        <a
          href={`/api/v1/vat-return.csv?${new URLSearchParams(asked)}`}
          download
          className={buttonLook('quiet')}
        >
          CSV
        </a>
      }
    >
      <Loaded query={query} lines={24}>
        {({ rows, boxes, notes, totals }) => (
          <div className="space-y-4">
            <Table
              caption="Boxes of HMRC’s return"
              isShort
              keyOf={({ box }) => box}
              rows={boxes}
              columns={[
                { header: 'Box', cell: ({ box }) => box },
                { header: 'What', isName: true, cell: ({ what }) => titleText(what) },
                { header: '£', isNumber: true, cell: ({ says }) => says ?? '–' },
                { header: 'Covered', cell: ({ part }) => BOX_PART_WORDS[part] },
              ]}
            />
            {rows.length > 0 && (
              <Table
                caption="By tax, country and rate, in pounds"
                keyOf={({ treatment, country, rate }) => `${treatment} ${country} ${rate}`}
                rows={rows}
                columns={[
                  {
                    header: 'Tax',
                    isName: true,
                    cell: ({ treatment }) => titleText(VAT_TREATMENT_WORDS[treatment as 'uk']),
                  },
                  { header: 'Country', cell: ({ country }) => country ?? '–' },
                  { header: 'Rate', isNumber: true, cell: ({ rate }) => `${rate}%` },
                  { header: 'Invoices', isNumber: true, cell: ({ invoices }) => countText(invoices) },
                  {
                    header: 'Credit notes',
                    isNumber: true,
                    cell: ({ creditNotes }) => countText(creditNotes),
                  },
                  { header: 'Net', isNumber: true, cell: ({ net }) => writtenSumText(net, 'GBP') },
                  { header: 'VAT', isNumber: true, cell: ({ vat }) => writtenSumText(vat, 'GBP') },
                ]}
              />
            )}
            <p>
              In all {writtenSumText(totals.net, 'GBP')} net and {writtenSumText(totals.vat, 'GBP')} VAT, in{' '}
              {countText(totals.invoices)} invoices and {countText(totals.creditNotes)} credit notes.
            </p>
            <label className="flex min-h-11 items-center gap-2">
              <input
                type="checkbox"
                className="check"
                checked={isOss}
                onChange={({ target }) => setOss(target.checked)}
              />
              Count the net of the One Stop Shop in box 6
            </label>
            <Notes notes={notes} />
          </div>
        )}
      </Loaded>
    </Section>
  )
}

const Notes = ({ notes }: { notes: readonly string[] }) =>
  notes.length > 0 && (
    <ul className="space-y-1 text-quiet-ink">
      {notes.map((note) => (
        <li key={note}>{note}</li>
      ))}
    </ul>
  )

const OssReturn = ({ quarter }: { quarter: string }) => {
  const query = useData('getOssReturn', { querystring: { quarter } })
  return (
    <Loaded query={query}>
      {({ rows, corrections, totals, notes }) => (
        <div className="space-y-4">
          {rows.length === 0 ? (
            <p>Nothing was sold that is declared there: a nil return is due all the same.</p>
          ) : (
            <Table
              caption={`One Stop Shop, ${quarter}, in euro`}
              keyOf={({ country, rate }) => `${country} ${rate}`}
              rows={rows}
              columns={[
                { header: 'Country', isName: true, cell: ({ country }) => country },
                { header: 'Rate', isNumber: true, cell: ({ rate }) => `${rate}%` },
                { header: 'Invoices', isNumber: true, cell: ({ invoices }) => countText(invoices) },
                { header: 'Credit notes', isNumber: true, cell: ({ creditNotes }) => countText(creditNotes) },
                { header: 'Net', isNumber: true, cell: ({ net }) => writtenSumText(net, 'EUR') },
                { header: 'VAT', isNumber: true, cell: ({ vat }) => writtenSumText(vat, 'EUR') },
              ]}
            />
          )}
          {corrections.length > 0 && (
            <Table
              caption="Corrections of earlier quarters"
              isShort
              keyOf={({ country, period }) => `${country} ${period}`}
              rows={corrections}
              columns={[
                { header: 'Country', isName: true, cell: ({ country }) => country },
                { header: 'Period', cell: ({ period }) => period },
                { header: 'VAT', isNumber: true, cell: ({ vat }) => writtenSumText(vat, 'EUR') },
              ]}
            />
          )}
          <p>
            Net {euros(totals.net)}, VAT {euros(totals.vat)}, corrections {euros(totals.corrections)}:{' '}
            <strong>{euros(totals.due)} to pay</strong>.
          </p>
          <Notes notes={notes} />
        </div>
      )}
    </Loaded>
  )
}

type Files = ReplyOf<'listBookFiles'>

const BookFiles = ({ from, to }: Days) => {
  const [format, setFormat] = useState<string>('csv')
  const [files, setFiles] = useState<Files>()
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const may = useMay()
  const make = async () => {
    setBusy(true)
    setProblem(undefined)
    setFiles(undefined)
    try {
      setFiles(await api.call('listBookFiles', { querystring: { format: format as 'csv', from, to } }))
    } catch (error) {
      setProblem(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Section title="Files for the accountant">
      <div className="flex flex-wrap items-end gap-3">
        <BareSelect aria-label="For" value={format} onChange={({ target }) => setFormat(target.value)}>
          {bookFields.format.options.map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </BareSelect>
        {may('books.open') && (
          <Button variant="outline" busy={isBusy} onClick={() => void make()}>
            Create the files
          </Button>
        )}
        {may('books.open') && (
          <a
            href={`/api/v1/vat-evidence.csv?${new URLSearchParams({ from, to })}`}
            download
            className={buttonLook('quiet')}
          >
            VAT location evidence (CSV)
          </a>
        )}
      </div>
      {problem && (
        <Notice kind="problem" className="mt-4">
          {problem}
        </Notice>
      )}
      {files && files.length === 0 && (
        <p className="mt-4">There is no invoice and no credit note in these days.</p>
      )}
      {files && files.length > 0 && (
        <ul className="mt-4 space-y-1">
          {files.map(({ name, part }) => (
            <li key={name}>
              <a
                href={`/api/v1/books/file?${new URLSearchParams({ format, from, to, part: String(part) })}`}
                download
                className="link inline-flex min-h-6 items-center"
              >
                {name}
              </a>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

/** What is to be filed, and what the accountant gets. */
const ReturnsPage = () => {
  const { values, set } = useQueryString()
  const usual = lastQuarter()
  const days = { from: values.from ?? usual.from, to: values.to ?? usual.to }
  const offered = quarters()
  const quarter = values.quarter ?? offered[1] ?? ''
  return (
    <Page
      title="Returns and files"
      lead="Nothing is submitted from here: type the figures into the portals, or give them to the accountant."
      actions={
        <span className="flex flex-wrap items-end gap-2">
          <div>
            <span aria-hidden="true" className="mb-1 block text-sm text-quiet-ink">
              From
            </span>
            <DayInput aria-label="From" value={days.from} onChange={(from) => from && set({ from })} />
          </div>
          <div>
            <span aria-hidden="true" className="mb-1 block text-sm text-quiet-ink">
              To
            </span>
            <DayInput aria-label="To" value={days.to} onChange={(to) => to && set({ to })} />
          </div>
        </span>
      }
    >
      <div className="space-y-8">
        <VatReturn {...days} />
        <Section
          title="One Stop Shop"
          actions={
            <span className="flex items-center gap-2">
              <BareSelect
                aria-label="Quarter"
                value={quarter}
                onChange={({ target }) => set({ quarter: target.value })}
              >
                {offered.map((one) => (
                  <option key={one} value={one}>
                    {one}
                  </option>
                ))}
              </BareSelect>
              <a href={`/api/v1/oss-return.csv?quarter=${quarter}`} download className={buttonLook('quiet')}>
                CSV
              </a>
            </span>
          }
        >
          <OssReturn quarter={quarter} />
        </Section>
        <BookFiles {...days} />
        <Series />
      </div>
    </Page>
  )
}

export default ReturnsPage
