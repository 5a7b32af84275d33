import type { FilterList } from '@hedgerow/domain/filters'

export type Source = Readonly<{
  name: string
  list: FilterList
  url: string
  /** As the maintainers name it. The operator looks whether that is still so. */
  licence: string
  what: string
}>

/**
 * Lists that their maintainers let a business use, by what they say of their licence. Names of projects and addresses change: whoever
 * uses one looks first.
 */
export const SOURCES: readonly Source[] = [
  {
    name: 'StevenBlack/hosts',
    list: 'ads',
    url: 'https://raw.githubusercontent.com/StevenBlack/hosts/master/hosts',
    licence: 'MIT (the lists that it unites have licences of their own)',
    what: 'advertising, trackers and some malicious names; a hosts file',
  },
  {
    name: 'The Block List Project, ads',
    list: 'ads',
    url: 'https://raw.githubusercontent.com/blocklistproject/Lists/master/ads.txt',
    licence: 'Unlicense',
    what: 'advertising; a hosts file',
  },
  {
    name: 'The Block List Project, malware',
    list: 'malicious',
    url: 'https://raw.githubusercontent.com/blocklistproject/Lists/master/malware.txt',
    licence: 'Unlicense',
    what: 'malicious software; a hosts file',
  },
  {
    name: 'URLhaus, hostfile',
    list: 'malicious',
    url: 'https://urlhaus.abuse.ch/downloads/hostfile/',
    licence: 'CC0 (abuse.ch has terms for commercial use: read them)',
    what: 'sites that spread malicious software now; a hosts file, short',
  },
  {
    name: 'The Block List Project, porn',
    list: 'family',
    url: 'https://raw.githubusercontent.com/blocklistproject/Lists/master/porn.txt',
    licence: 'Unlicense',
    what: 'adult sites; a hosts file',
  },
  {
    name: 'HaGeZi, Pro',
    list: 'ads',
    url: 'https://raw.githubusercontent.com/hagezi/dns-blocklists/main/domains/pro.txt',
    licence: 'GPL-3.0',
    what: 'advertising and trackers, thorough; a list of domains',
  },
]
