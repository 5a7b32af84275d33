import { Specimen } from '#dev/specimen.tsx'
import { Button, ButtonLink } from '#ui/button.tsx'
import type { ButtonVariant } from '#ui/button-look.ts'

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
