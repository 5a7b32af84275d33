import { PageHeader } from '@hedgerow/ui/page/page-header.tsx'
import { Buttons } from '#dev/buttons.tsx'
import { Displays } from '#dev/displays.tsx'
import { Fields } from '#dev/fields.tsx'
import { Messages } from '#dev/messages.tsx'

const Sheet = ({ scheme }: { scheme: 'light' | 'dark' }) => (
  <div data-scheme={scheme} className="space-y-10 rounded-card bg-paper p-4 text-ink sm:p-8">
    <Buttons />
    <Fields />
    <Messages />
    <Displays />
  </div>
)

/** Every part of the kit in every state, in light and dark. Not in a production build. */
const DevComponentsPage = () => (
  <>
    <PageHeader
      eyebrow="Development only"
      title="Components"
      lead="Every state of each, in light and dark."
    />
    <div className="grid gap-8 lg:grid-cols-2">
      <Sheet scheme="light" />
      <Sheet scheme="dark" />
    </div>
  </>
)

export default DevComponentsPage
