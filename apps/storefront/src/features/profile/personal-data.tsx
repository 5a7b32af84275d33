import type { Profile } from '@hedgerow/contract/accounts'
import { Button } from '@hedgerow/ui/button.tsx'
import { Field } from '@hedgerow/ui/form/field.tsx'
import { Card } from '@hedgerow/ui/page/card.tsx'
import { Notice } from '@hedgerow/ui/page/notice.tsx'
import { type ComponentProps, useState } from 'react'
import { Link } from 'wouter'
import { FIELD_NAMES, type FieldName } from '#features/profile/profile-fields.ts'
import { SaveStatus } from '#features/profile/save-status.tsx'
import { useAutosave } from '#features/profile/use-autosave.ts'

type Row = Pick<ComponentProps<'input'>, 'type' | 'autoComplete'> & {
  name: FieldName
  label: string
}

/** How each field is called, and what browsers may fill in. */
const ROWS: readonly Row[] = [
  { name: 'name', label: 'Nickname', autoComplete: 'nickname' },
  { name: 'firstName', label: 'Name', autoComplete: 'given-name' },
  { name: 'lastName', label: 'Last name', autoComplete: 'family-name' },
  { name: 'phone', label: 'Phone', autoComplete: 'tel', type: 'tel' },
  { name: 'addressCountry', label: 'Country', autoComplete: 'country-name' },
  { name: 'addressCity', label: 'City', autoComplete: 'address-level2' },
  { name: 'addressZip', label: 'Postal code', autoComplete: 'postal-code' },
  { name: 'addressString', label: 'Address', autoComplete: 'address-line1' },
]

/** Saves itself; there is no button that could be forgotten. */
export const PersonalData = ({ profile }: { profile: Profile }) => {
  const { state, change, saveNow } = useAutosave(profile)
  const { values, errors, status, problem } = state
  /** The field that was changed last, where the eye is: that it is saved is said there. */
  const [changed, setChanged] = useState(
    () => FIELD_NAMES.find((name) => values[name] !== profile[name]) ?? 'name',
  )
  return (
    <Card>
      <form
        aria-labelledby="personal-data"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void saveNow()
        }}
      >
        <h2 id="personal-data" className="mb-5 text-xl">
          Personal data
        </h2>
        {status === 'failed' && (
          <Notice kind="problem" title="Your changes are not saved yet" className="mb-5">
            <p>{problem}</p>
            <Button variant="outline" className="mt-3" onClick={() => void saveNow()}>
              Try again
            </Button>
          </Notice>
        )}
        <div className="grid gap-5 md:grid-cols-2">
          <Field
            label="Email"
            hint={
              <>
                You log in with it. Change it under{' '}
                <Link to="/profile/security" className="link">
                  Security
                </Link>
                .
              </>
            }
            name="email"
            type="email"
            autoComplete="email"
            value={profile.email}
            disabled
            className="md:col-span-2"
          />
          {ROWS.map(({ name, ...row }) => (
            <Field
              key={name}
              {...row}
              name={name}
              value={values[name]}
              error={errors[name]}
              aside={<SaveStatus status={name === changed ? status : 'idle'} errors={errors} />}
              onChange={(event) => {
                setChanged(name)
                change(name, event.target.value)
              }}
            />
          ))}
        </div>
      </form>
    </Card>
  )
}
