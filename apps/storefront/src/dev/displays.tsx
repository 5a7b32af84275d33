import { Button } from '@hedgerow/ui/button.tsx'
import { CopyButton } from '@hedgerow/ui/copy-button.tsx'
import { Card } from '@hedgerow/ui/page/card.tsx'
import { Hedge } from '@hedgerow/ui/page/hedge.tsx'
import { PageHeader } from '@hedgerow/ui/page/page-header.tsx'
import { ProgressBar } from '@hedgerow/ui/progress-bar.tsx'
import { QrCode } from '@hedgerow/ui/qr-code.tsx'
import { Receipt } from '@hedgerow/ui/receipt.tsx'
import { Ring } from '@hedgerow/ui/ring.tsx'
import { Table } from '@hedgerow/ui/table.tsx'
import { Tabs } from '@hedgerow/ui/tabs.tsx'
import { Ticket } from '@hedgerow/ui/ticket.tsx'
import { useState } from 'react'
import { Specimen } from '#dev/specimen.tsx'

const STUB = <div className="size-32 bg-line" />

const LEVELS = [
  { level: 1, share: '10%' },
  { level: 2, share: '15%' },
]

const LINES = [
  { label: '30 days', detail: '× €1.00', amount: '€30.00' },
  { label: 'Advertisement filter', amount: '€0.03' },
]

export const Displays = () => {
  const [tab, setTab] = useState('card')
  return (
    <Specimen title="Tickets, receipts, tabs">
      <Ticket stub={STUB}>
        <div className="flex items-center gap-3">
          <Ring fraction={0.7} label="21 of 30 days left" />
          <h3 className="text-xl">hedgerow-1</h3>
        </div>
        <p className="mt-3 text-quiet-ink">Expires: 21/11/2026 14:05</p>
      </Ticket>
      <Ticket stub={STUB} expired stamp="Expired">
        <h3 className="text-xl">hedgerow-2</h3>
        <p className="mt-3">Expired: 21/11/2025 14:05</p>
        <Button className="mt-4">Buy more</Button>
      </Ticket>
      <Card>
        <Receipt lines={LINES} totalLabel="Total" total="€30.03" note="Prices include VAT" />
      </Card>
      <Table
        isShort
        caption="Levels"
        columns={[
          { header: 'Level', cell: ({ level }) => level, isName: true },
          { header: 'Share', cell: ({ share }) => share, isNumber: true },
        ]}
        rows={LEVELS}
        keyOf={({ level }) => level}
      />
      <div className="flex flex-wrap items-center gap-4">
        <QrCode value="https://hedgerow.example" label="QR code of an address" size={120} level="M" />
        <CopyButton text="https://hedgerow.example" of="the address" />
        <ProgressBar value={3} max={5} aria-label="3 of 5" />
      </div>
      <Tabs
        label="How to pay"
        value={tab}
        onChange={setTab}
        tabs={[
          { value: 'card', label: 'Card', content: <p>By card</p> },
          { value: 'bank', label: 'Open Banking', content: <p>By bank</p> },
          { value: 'blik', label: 'Blik', content: <p>By Blik</p> },
        ]}
      />
      <PageHeader eyebrow="Order" title="A page header" lead="With a lead under it." />
      <Hedge />
    </Specimen>
  )
}
