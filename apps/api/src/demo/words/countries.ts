import type { CurrencyCode } from '@hedgerow/domain/money'

/** Where customers of the demonstration come from. Family names are such as do not change with who bears them. */
export type Country = {
  code: string
  /** How often someone is from there. */
  often: number
  currency: CurrencyCode
  /** Which of the shop's places is the nearest. */
  near: 'London' | 'Frankfurt' | 'Warsaw'
  dial: string
  first: string
  last: string
  streets: string
  /** Postcode and town, with a colon between. */
  towns: string
  /** All end in .example (RFC 2606): no mail could ever arrive. */
  mail: string
}

export const COUNTRIES: readonly Country[] = [
  {
    code: 'GB',
    often: 34,
    currency: 'GBP',
    near: 'London',
    dial: '+447',
    first:
      'Oliver Amelia George Isla Harry Ava Jack Emily Arthur Sophie Thomas Grace James Charlotte William Freya Henry Poppy Samuel Lucy Daniel Hannah Joseph Alice Adam Ruby Callum Megan Priya Imran Chloe Rhys Niamh Yusuf Eleanor Kwame',
    last: 'Smith Jones Taylor Brown Williams Wilson Johnson Davies Patel Wright Walker Evans Thomas Roberts Green Hughes Khan Edwards Clarke Hall Begum Turner Hill Cooper Morris Ward Moore Bennett Gray Fletcher Ashworth Okafor Lloyd Marsh',
    streets: 'High Street|Station Road|Church Lane|Victoria Road|Mill Lane|Queens Road|Park Avenue|The Green',
    towns:
      'LS6 2AB:Leeds|M20 3GH:Manchester|BS7 8NR:Bristol|EH9 1QX:Edinburgh|CF24 4HQ:Cardiff|NE2 3NY:Newcastle|E8 3PN:London|SE15 4TW:London|B13 8DD:Birmingham|NG7 1DE:Nottingham|BN2 9QA:Brighton|G12 8QQ:Glasgow',
    mail: 'mail.example post.example inbox.example fastpost.example',
  },
  {
    code: 'PL',
    often: 16,
    currency: 'EUR',
    near: 'Warsaw',
    dial: '+48',
    first:
      'Jan Anna Piotr Katarzyna Tomasz Agnieszka Michał Magdalena Paweł Joanna Krzysztof Aleksandra Jakub Zuzanna Marcin Monika Łukasz Natalia Mateusz Karolina Grzegorz Ewa Bartosz Maja',
    last: 'Nowak Wójcik Kowalczyk Woźniak Mazur Krawczyk Zając Król Wróbel Wieczorek Dudek Pawlak Walczak Baran Szewczyk Pietrzak Marciniak Bąk Duda Włodarczyk Kubiak Wilk Lis Mróz',
    streets: 'ul. Długa|ul. Polna|ul. Lipowa|ul. Szkolna|ul. Mickiewicza|al. Niepodległości|ul. Kościuszki',
    towns:
      '00-375:Warszawa|31-042:Kraków|50-101:Wrocław|61-772:Poznań|80-831:Gdańsk|90-361:Łódź|40-014:Katowice|20-950:Lublin',
    mail: 'poczta.example skrzynka.example mail.example',
  },
  {
    code: 'DE',
    often: 14,
    currency: 'EUR',
    near: 'Frankfurt',
    dial: '+4915',
    first:
      'Lukas Anna Felix Lena Jonas Marie Maximilian Laura Paul Sophie Leon Johanna Stefan Katharina Andreas Julia Matthias Sabine Florian Nina Tobias Clara Moritz Miriam',
    last: 'Müller Schmidt Schneider Fischer Weber Meyer Wagner Becker Schulz Hoffmann Koch Bauer Richter Klein Wolf Schröder Neumann Braun Zimmermann Krüger Hartmann Lange Werner Krause',
    streets: 'Hauptstraße|Gartenstraße|Bahnhofstraße|Lindenweg|Schillerstraße|Am Markt|Bergstraße',
    towns:
      '10437:Berlin|20357:Hamburg|80799:München|50674:Köln|60316:Frankfurt am Main|70176:Stuttgart|04109:Leipzig|79098:Freiburg',
    mail: 'postfach.example mail.example briefkasten.example',
  },
  {
    code: 'NL',
    often: 7,
    currency: 'EUR',
    near: 'Frankfurt',
    dial: '+316',
    first:
      'Daan Emma Sem Julia Lucas Sanne Thijs Lotte Bram Fleur Joris Anouk Ruben Eva Maarten Iris Pieter Femke',
    last: 'de Jong|Jansen|de Vries|van den Berg|Bakker|van Dijk|Visser|Smit|Meijer|de Boer|Mulder|de Groot|Bos|Vos|Peters|Hendriks|van Leeuwen|Dekker',
    streets: 'Kerkstraat|Dorpsstraat|Molenweg|Julianastraat|Beukenlaan',
    towns: '1013 LK:Amsterdam|3511 AX:Utrecht|3012 KL:Rotterdam|9711 HB:Groningen|6511 PP:Nijmegen',
    mail: 'brievenbus.example mail.example',
  },
  {
    code: 'FR',
    often: 7,
    currency: 'EUR',
    near: 'Frankfurt',
    dial: '+336',
    first:
      'Louis Camille Hugo Léa Jules Manon Antoine Chloé Mathieu Élodie Julien Aurélie Nicolas Inès Thomas Margaux Baptiste Juliette',
    last: 'Martin Bernard Dubois Durand Moreau Laurent Simon Michel Lefèvre Leroy Roux Fournier Girard Bonnet Mercier Blanc Guérin Faure',
    streets: 'rue de la République|rue Victor Hugo|avenue Jean Jaurès|rue des Lilas|place du Marché',
    towns: '75011:Paris|69007:Lyon|31000:Toulouse|44000:Nantes|67000:Strasbourg|33000:Bordeaux',
    mail: 'courrier.example mail.example',
  },
  {
    code: 'IE',
    often: 6,
    currency: 'EUR',
    near: 'London',
    dial: '+3538',
    first: 'Conor Aoife Seán Ciara Cian Saoirse Oisín Niamh Patrick Róisín Darragh Orla Eoin Sinéad',
    last: 'Murphy|Kelly|Byrne|Ryan|Walsh|Doyle|McCarthy|Gallagher|Doherty|Kennedy|Lynch|Quinn|O’Brien|O’Sullivan|Nolan|Brennan',
    streets: 'Main Street|Chapel Street|Strand Road|Abbey Street|Grattan Road',
    towns: 'D07 XK53:Dublin|T12 W8KP:Cork|H91 E2K8:Galway|V94 T9PX:Limerick',
    mail: 'post.example mail.example',
  },
  {
    code: 'ES',
    often: 5,
    currency: 'EUR',
    near: 'Frankfurt',
    dial: '+346',
    first:
      'Hugo Lucía Martín Sofía Pablo María Alejandro Paula Javier Carmen Sergio Laura Diego Elena Álvaro Marta',
    last: 'García Fernández González Rodríguez López Martínez Sánchez Pérez Gómez Ruiz Díaz Moreno Muñoz Álvarez Romero Navarro',
    streets: 'Calle Mayor|Calle del Sol|Avenida de la Constitución|Calle Real|Carrer de Balmes',
    towns: '28012:Madrid|08007:Barcelona|46002:Valencia|41003:Sevilla|48009:Bilbao',
    mail: 'correo.example mail.example',
  },
  {
    code: 'IT',
    often: 4,
    currency: 'EUR',
    near: 'Frankfurt',
    dial: '+393',
    first: 'Leonardo Giulia Francesco Sofia Alessandro Chiara Lorenzo Martina Matteo Elisa Andrea Francesca',
    last: 'Rossi Russo Ferrari Esposito Bianchi Romano Colombo Ricci Marino Greco Bruno Gallo Conti Costa',
    streets: 'Via Roma|Via Garibaldi|Via Dante|Corso Italia|Via Verdi',
    towns: '20122:Milano|00184:Roma|10123:Torino|40126:Bologna|50122:Firenze',
    mail: 'posta.example mail.example',
  },
  {
    code: 'SE',
    often: 3,
    currency: 'EUR',
    near: 'Warsaw',
    dial: '+467',
    first: 'Erik Elsa Lars Astrid Oskar Maja Nils Ebba Johan Linnea Gustav Sara',
    last: 'Andersson Johansson Karlsson Nilsson Eriksson Larsson Olsson Persson Svensson Lindberg Lindqvist Berg',
    streets: 'Storgatan|Kungsgatan|Skolgatan|Ringvägen',
    towns: '118 60:Stockholm|411 04:Göteborg|211 22:Malmö|753 10:Uppsala',
    mail: 'brevlada.example mail.example',
  },
  {
    code: 'UA',
    often: 2,
    currency: 'EUR',
    near: 'Warsaw',
    dial: '+380',
    first: 'Oleksandr Olena Andrii Iryna Dmytro Kateryna Maksym Yuliia Bohdan Sofiia',
    last: 'Shevchenko Kovalenko Bondarenko Tkachenko Kravchenko Oliinyk Lysenko Marchenko Savchenko Rudenko',
    streets: 'vul. Shevchenka|vul. Sadova|prospekt Peremohy',
    towns: '01030:Kyiv|79008:Lviv|65026:Odesa',
    mail: 'poshta.example mail.example',
  },
  {
    code: 'PT',
    often: 2,
    currency: 'EUR',
    near: 'London',
    dial: '+3519',
    first: 'João Maria Francisco Beatriz Afonso Mariana Tiago Inês Duarte Leonor',
    last: 'Silva Santos Ferreira Pereira Oliveira Costa Rodrigues Martins Sousa Fernandes Carvalho Almeida',
    streets: 'Rua Direita|Rua da Igreja|Avenida da Liberdade|Rua das Flores',
    towns: '1200-195:Lisboa|4050-253:Porto|3000-142:Coimbra',
    mail: 'correio.example mail.example',
  },
]

/** Of a line of words: apart by bars where some are of several, else by blanks. */
export const wordsOf = (line: string): string[] => line.split(line.includes('|') ? '|' : ' ')
