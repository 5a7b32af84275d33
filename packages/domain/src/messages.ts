/** Every validation message that the specification words (spec §5, §8), spelled as it spells them. */
export const MESSAGES = {
  loginRequired: 'Login is necessary to enter the site',
  loginPasswordRequired: 'Password is required to enter the site',
  loginPasswordShort: 'The password cannot be shorter than 8 characters',
  nameRequired: 'Name is mandatory for registration',
  nameShort: 'The name should not be shorter than 2 letters',
  emailRequired: 'Email is required for registration',
  emailInvalid: 'Enter correct email address',
  passwordRequired: 'Password is required for registration',
  passwordShort: 'The password should not be shorter than 8 characters',
  termsRequired: 'You have to accept terms and policy',
  forgotRequired: 'Email is required to reset your password',
  forgotInvalid: 'Valid email is required',
  newPasswordShort: 'The password cannot be shorter than 8 characters',
  passwordsDiffer: 'Passwords do not mach',
  connectionError: 'Connection error',
  serverError: 'Server error',
  /** Signup failures other than 406: the specification asks for Russian and gives no text. */
  signupFailed: 'Ошибка сервера. Повторите попытку позже.',
} as const

/** Ours, where the specification has a rule without words. */
export const OUR_MESSAGES = {
  passwordLong: 'The password cannot be longer than 128 characters',
  passwordCommon: 'This password is too common. Choose one that is harder to guess',
  nameLong: 'The name cannot be longer than 100 characters',
  nameCharacters: 'The name contains characters that cannot be used',
  emailLong: 'The email cannot be longer than 254 characters',
  panRequired: 'Enter the card number',
  panLength: 'The card number has 16 to 32 digits',
  cardHolderRequired: 'Enter the name on the card',
  cardHolderCharacters: 'Use letters, digits, spaces, hyphens, full stops and apostrophes only',
  monthRequired: 'Choose the month',
  yearRequired: 'Choose the year',
  expired: 'This card has expired',
  cvvRequired: 'Enter the security code',
  cvvLength: 'The security code has 3 or 4 digits',
  days: 'Choose 1 to 365 days',
  connections: 'Choose 3 to 13 connections',
  currency: 'Choose EUR or GBP',
  total: 'The total is an amount with two decimals',
} as const
