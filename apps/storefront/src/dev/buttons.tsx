import { Button, ButtonLink } from '@hedgerow/ui/button.tsx'
import type { ButtonVariant } from '@hedgerow/ui/button-look.ts'
import { Specimen } from '#dev/specimen.tsx'

const VARIANTS: ButtonVariant[] = ['solid', 'outline', 'danger', 'quiet']

export const Buttons = () => (
  <Specimen title="Buttons">
    {VARIANTS.map((variant) => (
      <div key={variant} className="flex flex-wrap gap-3">
        <Button variant={variant}>Buy</Button>
        <Button variant={variant} busy>
          Buy
        </Button>
        <Button variant={variant} disabled>
          Buy
        </Button>
        <ButtonLink variant={variant} to="/dev/components">
          A link
        </ButtonLink>
      </div>
    ))}
  </Specimen>
)
