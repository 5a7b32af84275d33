import type { Talk } from '#demo/words/support.ts'

/** Who wants to sell under a name of their own, what was written, and how it stands. */
export const APPLICATIONS: readonly (readonly [
  state: 'new' | 'talking' | 'accepted' | 'refused',
  ...Talk,
])[] = [
  [
    'accepted',
    'We run IT support for about forty dental and GP practices in Yorkshire. They ask us for a simple way to protect staff phones, and we would like to offer yours under our own name, with our logo and invoices from us. About 300 connections to begin with.',
    'Thank you, that sounds like a good fit. Could you tell us which domain you would use, and who would answer your customers’ first questions? Then we can send you terms.',
    'vpn.calderdale-it.example, and our own helpdesk, weekdays 8 to 18.',
    'Perfect. The agreement is in your inbox. Welcome aboard.',
  ],
  [
    'refused',
    'i want resell your vpn, 10000 accounts, need price list and no kyc, pay crypto',
    'Thank you for your interest. We can’t take payment in that way and know who our partners are, so this will not work out.',
  ],
  [
    'talking',
    'Our association represents 1,200 freelance journalists in Germany and Austria. Many work from cafés and abroad. We would like to include a connection in the membership, under our name, if the data protection agreement stands up to our lawyers.',
    'Thank you for writing. Our data protection agreement is attached to the terms, and we are happy to go through it with your lawyers. How would members sign up: themselves, or by a list from you?',
    'Themselves, with a code that we hand out once a year. Our lawyer, Frau Dr. Lenz, has two questions on sub-processors which I will send on Thursday.',
  ],
  [
    'accepted',
    'I own three coworking spaces in Wrocław. Every member gets Wi-Fi from us, and more and more ask about safety. I would like a page in Polish with our colours and one price per month.',
    'That is possible: colours, name and texts are yours, the checkout stays as it is. The Polish texts would be yours to write. Shall we talk on Wednesday?',
    'Wednesday at 11 is good.',
  ],
  [
    'new',
    'We publish a travel magazine (print run 28,000) and would like to offer readers a year of protected Wi-Fi under the magazine’s name. Who can I talk to about a white label and margins?',
  ],
]
