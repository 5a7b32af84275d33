/** Acts that change who gets into the console, by their names in the record: what a mail says of each. */
export const ACCESS_CHANGES: ReadonlyMap<string, string> = new Map([
  ['operator invite', 'An operator was invited'],
  ['operator link', 'An operator got a new link to set up their log-in'],
  ['operator role', 'An operator got another role'],
  ['operator end', 'An operator was ended'],
  ['operator passkey add', 'An operator added a passkey'],
  ['operator passkey remove', 'An operator removed a passkey'],
  ['operator password', 'An operator chose another password and app'],
  ['operator password drop', 'An operator gave up the password'],
  ['audit accept', 'Changes of the record of what operators did were accepted'],
  ['operator sso link', 'An operator linked single sign-on'],
  ['operator sso unlink', 'An operator unlinked single sign-on'],
  ['operator token add', 'An operator made a token for a program'],
])
