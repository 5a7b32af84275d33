/** What customers and the shop write to each other: a line each, by turns, the customer first. {first} and {who} are filled in. */
export type Talk = readonly string[]

export const TALKS: readonly Talk[] = [
  [
    'Hi, I bought 30 days yesterday and it works fine on my laptop, but on my phone the WireGuard app says “handshake did not complete”. I scanned the same QR code on both. Is that the problem?',
    'Hi {first}, yes, that is it. Each connection is for one device at a time: when two use the same one, they keep cutting each other off. You have three, so open the second one in your profile and scan its code on the phone.\n\n{who}',
    'Ah, of course. Working on both now, thank you!',
  ],
  [
    'Can I get an invoice with my company’s name and address on it? I only noticed afterwards that it has just my own name.',
    'Hello {first}, an invoice that has been issued stays as it is, but if you fill in the address in your profile, every one from then on carries it. If your accountant needs this one changed, tell me the company’s name and I will see what we can do.\n\n{who}',
    'No need, it was a small sum. I have filled in the profile for next time.',
  ],
  [
    'My connection ends on Sunday while I’m travelling. If I extend it now, do I lose the days that are left?',
    'Hi {first}, no: days are added to the end, whenever you pay. Nothing changes on your devices either.\n\n{who}',
  ],
  [
    'I was charged twice for the same order this morning. My bank shows two amounts of the same sum.',
    'Hi {first}, I have looked at your payments: the first attempt was declined by your bank and only the second one was booked. What you see is a pending amount that your bank releases by itself, usually within three working days. If it is still there on Friday, write again and I will take it up with the gateway.\n\n{who}',
    'It disappeared this afternoon. Sorry for the fuss and thanks for the quick reply.',
  ],
  [
    'Is there any way to use it on a router? I have a GL.iNet one and would like the whole flat to go through it.',
    'Hi {first}, yes, that works well. Download the configuration file of one connection, then in the router’s admin page choose VPN, WireGuard client, and upload the file. Everything behind the router then counts as one device.\n\n{who}',
    'Took me two minutes. Brilliant.',
  ],
  [
    'Hello, do you keep logs of what I visit? A friend asked before he signs up and I could not say.',
    'Hello {first}, no. We keep when a connection was last used, by the day, and how much data it has moved in total, so that we can tell a fault from an unused connection. Nothing about what was visited or looked up. The privacy policy lists every single thing we hold.\n\n{who}',
  ],
  [
    'I forgot to switch on the ad filter when I ordered. Can I add it to the connections I already have?',
    'Hi {first}, you can add options when you extend: choose your connections, tick the filter, and it is on at once for the whole time. On its own it can’t be added yet.\n\n{who}',
    'OK, will do that next month then.',
  ],
  [
    'My daughter’s tablet still shows adult sites although I paid for the family filter. What am I doing wrong?',
    'Hi {first}, my guess is that the tablet has “private DNS” switched on, which goes around the filter. Under Settings, Network, Private DNS, choose Off. Then try a site again in a new window.\n\n{who}',
    'It was set to dns.google. Off now and the filter does what it should. Cheers.',
  ],
  [
    'I can’t log in any more. It says the password is wrong but my password manager has it saved.',
    'Hi {first}, I can’t see passwords, but I can see that yours was changed on Tuesday from a phone. Could that have been you? If so, the manager may have kept the old one. If not, please use “Forgotten password” right now and write to me again.\n\n{who}',
    'That was me on the train, I remember now. Sorry!',
  ],
  [
    'Does this work in Turkey? I’m going for three weeks in spring and last time another VPN was blocked at the hotel.',
    'Hi {first}, honestly: sometimes. WireGuard can be recognised, and some networks there block it. Mobile data usually works better than hotel Wi-Fi. I would take a week first and see.\n\n{who}',
    'I like that you just say so. I’ll take a week.',
  ],
  [
    'Good morning, I would like to have all my data deleted, please, including the account.',
    'Good morning {first}, you can do that yourself under Profile, Delete account: it happens at once. Your invoices have to stay for six years, as the law wants it, but without being of any use to anybody. Connections that are still running end with it, so you may want to wait until yours has.\n\n{who}',
  ],
  [
    'Is it possible to pay with PayPal?',
    'Hi {first}, not at the moment, sorry. Cards, your bank directly, and in Poland Blik.\n\n{who}',
  ],
  [
    'Your email says my connection ends in seven days but I bought the endless plan?',
    'Hello {first}, you have both: the endless plan from last month, and the month you bought before it. Only the older three end, and you can let them.\n\n{who}',
    'I see. Maybe say in the email which ones.',
    'Fair point. I have passed it on.\n\n{who}',
  ],
  [
    'The Linux instructions in the manual assume systemd-resolved. On Void there is none and wg-quick fails with “resolvconf: command not found”.',
    'Hi {first}, install openresolv and it works as it stands. You are right that the manual should say so; it does from today.\n\n{who}',
  ],
  [
    'My boss wants to know whether we can have one account for our office of eight. Would that be the Rook plan?',
    'Hello {first}, yes, Rook has twelve connections, so eight people and a few phones fit. One person has the account and hands the others their codes by share link. If you would rather have an account each, write again and we will find a way.\n\n{who}',
    'Share links are fine. I will order on Monday.',
  ],
  [
    'Since the update to iOS 19.1 the tunnel drops whenever the phone locks. Anyone else?',
    'Hi {first}, you are the fourth today. It is the app’s “On demand” setting that was reset by the update. Open the connection, Edit, and switch On-Demand on again for Wi-Fi and mobile.\n\n{who}',
    'Confirmed, stays up now.',
  ],
  [
    'I used a promocode and the total on the last page was different from what my friend told me. She said 30 percent.',
    'Hi {first}, the percentage depends on how many people a partner has brought. Hers was at 25 % when you paid, so you got 25 % off. It goes up to 30 at most.\n\n{who}',
  ],
  [
    'What is the difference between priority bandwidth and normal? Is it worth it for video calls?',
    'Hello {first}, when a server’s line is full, traffic with priority goes first. That is seldom, mostly on Sunday evenings. For calls on weekdays you would hardly notice it, so save the money.\n\n{who}',
    'Refreshing answer :) Thanks.',
  ],
  [
    'Please can you resend the confirmation email? My sister signed up with my address and I accidentally deleted it.',
    'Hi {first}, sent. It works for 24 hours.\n\n{who}',
  ],
  [
    'I get a captcha on every second page when I’m connected to Warsaw. Frankfurt is fine.',
    'Hi {first}, somebody on that address has been a bad guest, it seems. We have asked the two big networks to look at it again. It normally takes a day or two; until then please stay on Frankfurt.\n\n{who}',
    'Better since this morning.',
  ],
  [
    'Do you have servers in Spain planned? Everything goes via Frankfurt and my ping in games is 48 ms.',
    'Hello {first}, Madrid is on the list for next year, but I can’t promise a date. I will add your vote.\n\n{who}',
  ],
  [
    'The manual for Windows has a screenshot of an old version. Took me a while to find “Import tunnel from file”.',
    'Hi {first}, thank you, we will take new ones. If anything else looks out of date, please tell us.\n\n{who}',
  ],
  [
    'I paid from my bank and the page said “processing” for ten minutes, then I closed it. Was that wrong?',
    'Hi {first}, not at all. Your bank had taken its time, the payment has come through by now and your connections are in your profile. Closing the page never loses anything.\n\n{who}',
    'Great, got them.',
  ],
]

/** With the country of the customer who begins: the text mentions it. */
export type LocalTalk = readonly [country: string, ...Talk]

export const LOCAL_TALKS: readonly LocalTalk[] = [
  [
    'GB',
    'The speed was great for a week and since last night it is under 5 Mbit/s. Nothing has changed on my side. I’m in Leeds on Virgin, connected to London.',
    'Hi {first}, thank you for saying where you are. London had a busy evening yesterday, but nothing that would explain 5 Mbit/s. Could you try a lower MTU? In the app, edit the connection and set MTU to 1280. Some Virgin hubs drop larger packets after an update.\n\n{who}',
    'You’re right, it was the MTU. Back to 180. Would never have found that myself.',
    'Good to hear. I have added it to our manual, so you may have saved somebody an evening.\n\n{who}',
  ],
  [
    'GB',
    'Streaming from the BBC does not work through London, it says I’m not in the UK. I am in the UK, sitting in Cardiff.',
    'Hi {first}, that is a bit absurd, I know. Streaming services block addresses that many people share. The simplest way is to leave the iPlayer app out of the tunnel: on Android, “Excluded applications” in the connection’s settings.\n\n{who}',
    'That did it, diolch!',
  ],
  [
    'PT',
    'Can I give one of my three connections to my parents? They live in Porto, I’m in Lisbon.',
    'Hi {first}, of course. Open the connection and make a share link; they open it on the device, scan or tap, and that’s it. The link stops working after a week.\n\n{who}',
  ],
  [
    'PL',
    'Could you tell me why my card was declined? There is certainly enough money on it. I tried it three times.',
    'Hello {first}, all we hear from your bank is “declined by the issuer”. With a new shop that is often their fraud check. A call to the number on the back of the card normally clears it, or you could pay by Blik instead.\n\n{who}',
    'It was the bank indeed. They sent me an SMS and I had to confirm. Paid now.',
  ],
  [
    'PL',
    'How do I move my connections from Frankfurt to Warsaw? I moved house.',
    'Hello {first}, in your profile open a connection and choose “Location”. It gets a new address there, so you need to scan its code once more. The old one stays alive until you have used the new one.\n\n{who}',
  ],
]

/** Of a partner whose withdrawal was refused. */
export const REFUSED_WITHDRAWAL: Talk = [
  'My withdrawal was refused because the account is closed, but I gave you the new IBAN last week in my profile.',
  'Hello {first}, bank details go with each request and aren’t taken from the profile, which is why the old ones were used. The sum is available again: please ask for it once more with the new IBAN, and finance will pay it tomorrow.\n\n{who}',
  'Done. Thanks for sorting this out so quickly.',
]

/** Of someone who is given their money back, sooner or later on the same day. */
export const REFUNDS: readonly Talk[] = [
  [
    'I ordered this by mistake, I thought it was for my old provider’s app. Can this be undone? I have not used it.',
    'Hi {first}, no problem at all. I have given the money back; it should be with you in a few days.\n\n{who}',
    'Thank you so much, that was easy.',
  ],
  [
    'Sadly my employer blocks VPNs on the laptop, so I can’t use what I bought yesterday. Would a refund be possible?',
    'Hello {first}, of course. It is on its way. Should your phone want one some day, you know where we are.\n\n{who}',
  ],
  [
    'It does not connect from my student hall at all, I have tried everything in the manual and the MTU thing as well. I’d like my money back please.',
    'Hi {first}, thank you for trying so hard. Some halls let nothing through but web pages, and we can’t change that. I have refunded all of it.\n\n{who}',
    'Fair enough, thanks for being quick about it.',
  ],
  [
    'My husband has bought the same thing an hour before me :) Could you refund one of the two?',
    'Hi {first}, that happens more often than you would think. Yours is refunded, his stays, and one of his connections is waiting for you.\n\n{who}',
  ],
]

/** What support writes down of someone for the next colleague. */
export const NOTES = [
  'Very patient, knows networks. Ask him before we change the MTU page.',
  'Prefers short answers by email. No calls, please.',
  'Sets it up for the whole family; her mother uses the second one.',
  'Promised to hear from us when Madrid opens.',
  'Had two failed payments because of the bank’s SMS. Not our fault, but be kind.',
  'Router behind CGNAT, 1280 works.',
] as const

/** Of the last hours: nobody has answered them yet. */
export const WAITING: readonly Talk[] = [
  [
    'Hello, I extended my connections and paid, but the app on my phone looks just as before and says nothing of a new end. Do I have to scan the code again? The bank has taken the money.',
  ],
  [
    'Is there a way to see how much data each of my connections has used? My flatmate and I would like to split the cost fairly.',
  ],
]

/** Of visitors without an account: name, and what they ask. */
export const QUESTIONS: readonly (readonly [name: string, ...Talk])[] = [
  [
    'Ingrid Halvorsen',
    'Do you accept cards from Norway? Your checkout only shows euros and pounds.',
    'Hello Ingrid, yes. Your bank converts; pick euros.\n\n{who}',
  ],
  [
    'Marek Horváth',
    'Can I try it for a day before I buy a month?',
    'Hello Marek, the smallest order is one day for 1.00, with three connections. That is our trial.\n\n{who}',
  ],
  [
    'Gwen Parry',
    'I’d like to buy this for my mum as a present. She’s 74 and has an iPad. How hard is it to set up?',
    'Hello Gwen, buy it on your own account and send her a share link: she taps it, installs the WireGuard app when asked, and taps “Allow”. If she gets stuck she may ring us, we’re patient.\n\n{who}',
    'Lovely, I’ll do that. Thank you!',
  ],
  [
    'Théo Renard',
    'Do you have a student discount?',
    'Hello Théo, not as such, but a friend’s promocode takes off 10 to 30 %.\n\n{who}',
  ],
]

export const CANNED: readonly (readonly [title: string, text: string])[] = [
  [
    'One device per connection',
    'Hi {name},\n\nEach connection is for one device at a time: when two use the same one, they keep cutting each other off. Open another one in your profile and scan its code on the second device.\n\n{operator}',
  ],
  [
    'Declined by the bank',
    'Hi {name},\n\nAll we hear from your bank is that it declined the payment; nothing was charged. A call to the number on the back of the card normally clears it, or choose another way of paying.\n\n{operator}',
  ],
  [
    'Refund is on its way',
    'Hi {name},\n\nI have given the money back. With most banks it takes two to five working days until you see it.\n\n{operator}',
  ],
  [
    'MTU',
    'Hi {name},\n\nPlease edit the connection in the WireGuard app and set MTU to 1280, then connect again. Some routers drop larger packets.\n\n{operator}',
  ],
]
