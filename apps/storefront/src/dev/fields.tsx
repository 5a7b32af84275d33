import { clampDays, DAYS } from '@hedgerow/domain/pricing'
import { Checkbox } from '@hedgerow/ui/form/checkbox.tsx'
import { Field } from '@hedgerow/ui/form/field.tsx'
import { PasswordField } from '@hedgerow/ui/form/password-field.tsx'
import { Select } from '@hedgerow/ui/form/select.tsx'
import { TextArea } from '@hedgerow/ui/form/text-area.tsx'
import { NumberField } from '@hedgerow/ui/number-field.tsx'
import { Segmented } from '@hedgerow/ui/segmented.tsx'
import { Switch } from '@hedgerow/ui/switch.tsx'
import { useState } from 'react'
import { Specimen } from '#dev/specimen.tsx'

export const Fields = () => {
  const [days, setDays] = useState(30)
  const [on, setOn] = useState(true)
  const [side, setSide] = useState<'left' | 'right'>('left')
  return (
    <Specimen title="Fields">
      <Field label="Name" hint="As it stands on the card" placeholder="Ada Lovelace" />
      <Field label="Email" defaultValue="ada@" error="Enter correct email address" />
      <Field label="Email" defaultValue="ada@example.org" disabled />
      <TextArea label="Describe your problem" hint="In a few lines" most={5000} />
      <TextArea
        label="Commentary"
        defaultValue="Short"
        error="Write 10 characters or more"
        most={5000}
        rows={3}
      />
      <PasswordField label="Password" defaultValue="correct horse" />
      <Select label="Month" hint="Two digits">
        <option>01</option>
        <option>02</option>
      </Select>
      <Select label="Year" error="Choose a year">
        <option>26</option>
      </Select>
      <NumberField
        label="Days"
        value={days}
        onChange={setDays}
        clamp={clampDays}
        rule="Whole days from 1 to 365"
        {...DAYS}
        unit="days"
      />
      <Switch label="Advertisement filter" note="€0.03" checked={on} onChange={setOn} />
      <Switch label="Switched off" checked={!on} onChange={(value) => setOn(!value)} />
      <Switch label="Disabled" checked={false} onChange={() => {}} disabled />
      <Segmented
        label="Side"
        value={side}
        onChange={setSide}
        options={[
          { value: 'left', label: 'Left' },
          { value: 'right', label: 'Right' },
        ]}
      />
      <Checkbox label="I accept the terms" defaultChecked />
      <Checkbox label="I accept the terms" error="You have to accept terms and policy" />
      <Checkbox label="Disabled" disabled />
    </Specimen>
  )
}
