/** A form that is posted to (or fetched from) the issuer or a bank, with its fields in order. */
export type HiddenForm = { action: string; method: 'GET' | 'POST'; fields: [name: string, value: string][] }

const submit = ({ action, method, fields }: HiddenForm, target = '') => {
  const form = document.createElement('form')
  form.hidden = true
  form.method = method
  form.action = action
  form.target = target
  for (const [name, value] of fields) {
    const input = document.createElement('input')
    input.type = 'hidden'
    input.name = name
    input.value = value
    form.append(input)
  }
  document.body.append(form)
  // By the prototype: a field called 'submit' would stand in the way of the method.
  HTMLFormElement.prototype.submit.call(form)
  return form
}

/** Sends the browser on. The page's own document is left by it. */
export const submitForm = (form: HiddenForm) => {
  submit(form)
}

let frames = 0

/** Submits into a hidden frame; the page stays. Returns what removes both again. */
export const submitIntoFrame = (form: HiddenForm) => {
  const frame = document.createElement('iframe')
  frame.hidden = true
  frame.title = 'Check by your bank'
  frame.name = `issuer-${frames++}`
  document.body.append(frame)
  const submitted = submit(form, frame.name)
  return () => {
    submitted.remove()
    frame.remove()
  }
}
