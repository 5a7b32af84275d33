/** Tells password managers whose password a form is about; nothing of it is sent. */
export const UserName = ({ value = '' }: { value?: string | undefined }) => (
  <input type="text" autoComplete="username" value={value} readOnly hidden />
)
