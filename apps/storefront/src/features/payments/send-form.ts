import type { FormToSend } from '#features/payments/next-step.ts'

/** Sends the browser on by a hidden form. The page's own document is left by it. */
export const sendForm = ({ action, method, fields }: FormToSend) => {
  const form = document.createElement('form')
  form.hidden = true
  form.method = method
  form.action = action
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
}
