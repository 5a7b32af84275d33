import type { ReactNode } from 'react'

export const Specimen = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="space-y-5">
    <h2 className="border-b border-line pb-1 text-xl">{title}</h2>
    {children}
  </section>
)
