import { Mark } from '@hedgerow/ui/mark.tsx'
import { Card } from '@hedgerow/ui/page/card.tsx'
import { type ReactNode, useEffect } from 'react'
import { brandName } from '#lib/brand-name.ts'

/** The frame of what comes before one is in. */
export const Entrance = ({ title, children }: { title: string; children: ReactNode }) => {
  useEffect(() => {
    document.title = `${title} – ${brandName} console`
  }, [title])
  return (
    <main className="mx-auto grid min-h-dvh max-w-form content-center px-4 py-10">
      <p className="mb-6 flex items-center justify-center gap-2 font-serif text-xl font-semibold">
        <Mark className="size-7 text-hedge" />
        {brandName} console
      </p>
      <Card>
        <h1 className="mb-5 text-xl">{title}</h1>
        {children}
      </Card>
    </main>
  )
}
