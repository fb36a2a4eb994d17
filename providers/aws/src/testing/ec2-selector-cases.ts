import { long, many, type Table } from '@kerf/apis/conformance'

/** Cases about the selection of subnets, security groups, reservations and images by an EC2NodeClass. */

/** Adds the cases that all lists of selector terms share. `id` is a valid id. */
const termCases = (table: Table, list: string, id: string): void => {
  const at = `spec/${list}`
  const field = `spec.${list}`
  const accepts = (name: string, terms: unknown): void => table.accepts(`${list}: ${name}`, { [at]: terms })
  const refuses = (name: string, terms: unknown, ...fields: readonly string[]): void =>
    table.refuses(`${list}: ${name}`, { [at]: terms }, ...fields)
  accepts('two tags', [{ tags: { a: 'b', c: '*' } }])
  accepts(
    '30 terms',
    many(30, (index) => ({ tags: { a: `${index}` } })),
  )
  refuses(
    '31 terms',
    many(31, (index) => ({ tags: { a: `${index}` } })),
    field,
  )
  refuses('an empty term', [{}], field)
  refuses('an empty term behind a good one', [{ tags: { a: 'b' } }, {}], field)
  refuses('empty tags', [{ tags: {} }], `${field}[0].tags`)
  refuses('an empty tag key', [{ tags: { '': 'b' } }], `${field}[0].tags`)
  refuses('an empty tag value', [{ tags: { a: '' } }], `${field}[0].tags`)
  refuses('an empty tag value in the last term', [{ tags: { a: 'b' } }, { tags: { a: '' } }], `${field}[1].tags`)
  refuses('21 tags', [{ tags: Object.fromEntries(many(21, (index) => [`t${index}`, 'x'])) }], `${field}[0].tags`)
  refuses('a malformed id', [{ id: 'i-0123' }], `${field}[0].id`)
  refuses('an id that is a number', [{ id: 1 }], `${field}[0].id`)
  refuses('id and tags', [{ id, tags: { a: 'b' } }], field)
  refuses('terms that are a text', id, field)
}

export const subnetAndGroupCases = (table: Table): void => {
  for (const [list, id] of [
    ['subnetSelectorTerms', 'subnet-0a1b'],
    ['securityGroupSelectorTerms', 'sg-0a1b'],
  ] as const) {
    termCases(table, list, id)
    table.refuses(`no ${list}`, { [`spec/${list}`]: undefined }, `spec.${list}`)
    table.refuses(`empty ${list}`, { [`spec/${list}`]: [] }, `spec.${list}`)
    table.accepts(`${list}: id`, { [`spec/${list}`]: [{ id }] })
    table.accepts(`${list}: an id within other text`, { [`spec/${list}`]: [{ id: `x-${id}-y` }] })
    table.accepts(`${list}: id and tags beside a good term`, {
      [`spec/${list}`]: [{ id, tags: { a: 'b' } }, { id }],
    })
  }
  const groups = (...terms: readonly object[]): object => ({ 'spec/securityGroupSelectorTerms': terms })
  table.accepts('security groups: name', { ...groups({ name: 'nodes' }) })
  table.refuses(
    'security groups: name and tags',
    { ...groups({ name: 'a', tags: { a: 'b' } }) },
    'spec.securityGroupSelectorTerms',
  )
  table.refuses(
    'security groups: name and id',
    { ...groups({ name: 'a', id: 'sg-1' }) },
    'spec.securityGroupSelectorTerms',
  )
  table.accepts('security groups: name and id beside a good term', {
    ...groups({ name: 'a', id: 'sg-1' }, { name: 'b' }),
  })
}

export const reservationCases = (table: Table): void => {
  const list = 'capacityReservationSelectorTerms'
  const field = `spec.${list}`
  const terms = (...all: readonly object[]): Record<string, unknown> => ({ [`spec/${list}`]: all })
  termCases(table, list, 'cr-0a1b')
  table.accepts('reservations: none', {})
  table.refuses('reservations: an empty list', terms(), field)
  table.accepts('reservations: id', terms({ id: 'cr-0a1b' }))
  table.accepts('reservations: owner and tags', terms({ ownerID: '012345678901', tags: { a: 'b' } }))
  for (const instanceMatchCriteria of ['open', 'targeted']) {
    table.accepts(`reservations: ${instanceMatchCriteria}`, terms({ instanceMatchCriteria }))
    table.accepts(
      `reservations: ${instanceMatchCriteria} with tags and owner`,
      terms({ instanceMatchCriteria, tags: { a: 'b' }, ownerID: '012345678901' }),
    )
  }
  table.refuses('reservations: owner alone', terms({ ownerID: '012345678901' }), field)
  table.refuses('reservations: id and owner', terms({ id: 'cr-1', ownerID: '012345678901' }), field)
  table.refuses('reservations: id and criteria', terms({ id: 'cr-1', instanceMatchCriteria: 'open' }), field)
  table.refuses('reservations: an id within other text', terms({ id: 'x-cr-1' }), `${field}[0].id`)
  for (const ownerID of ['01234567890', '0123456789012', 'abcdefghijkl', ''])
    table.refuses(
      `reservations: owner ${ownerID || 'empty'}`,
      terms({ ownerID, tags: { a: 'b' } }),
      `${field}[0].ownerID`,
    )
  table.refuses(
    'reservations: other criteria',
    terms({ instanceMatchCriteria: 'any' }),
    `${field}[0].instanceMatchCriteria`,
  )
}

/** Adds cases. The function is long because it is a table. */
export const imageCases = (table: Table): void => {
  const field = 'spec.amiSelectorTerms'
  const custom = (...all: readonly object[]): Record<string, unknown> => ({
    'spec/amiSelectorTerms': all,
    'spec/amiFamily': 'AL2023',
  })
  const alias = (value: unknown): Record<string, unknown> => ({ 'spec/amiSelectorTerms': [{ alias: value }] })

  table.refuses('no images', { 'spec/amiSelectorTerms': undefined }, field)
  table.refuses('an empty list of images', custom(), field)
  const good: Readonly<Record<string, object>> = {
    tags: { tags: { a: 'b', c: '*' } },
    id: { id: 'ami-0a1b' },
    'an id within other text': { id: 'x-ami-0a1b' },
    name: { name: 'my-*' },
    'name and owner': { name: 'my-*', owner: '123456789012' },
    'owner and tags': { owner: 'self', tags: { a: 'b' } },
    'an SSM parameter': { ssmParameter: '/my/image' },
    'an SSM parameter and an id': { ssmParameter: '/my/image', id: 'ami-1' },
    'an SSM parameter and a name': { ssmParameter: '/my/image', name: 'a' },
  }
  for (const [name, term] of Object.entries(good)) table.accepts(`images: ${name}`, custom(term))
  table.accepts('images: three terms', custom({ id: 'ami-1' }, { name: 'a' }, { ssmParameter: 'b' }))
  const bad: Readonly<Record<string, object>> = {
    'an empty term': {},
    'owner alone': { owner: 'self' },
    'id and tags': { id: 'ami-1', tags: { a: 'b' } },
    'id and name': { id: 'ami-1', name: 'a' },
    'id and owner': { id: 'ami-1', owner: 'self' },
    'id and alias': { id: 'ami-1', alias: 'al2023@latest' },
    'alias and tags': { alias: 'al2023@latest', tags: { a: 'b' } },
    'alias and name': { alias: 'al2023@latest', name: 'a' },
    'alias and owner': { alias: 'al2023@latest', owner: 'self' },
  }
  for (const [name, term] of Object.entries(bad)) table.refuses(`images: ${name}`, custom(term), field)
  table.refuses('images: a bad last term', custom({ id: 'ami-1' }, { id: 'ami-2', name: 'a' }), field)
  table.refuses('images: alias beside another term', custom({ alias: 'al2023@latest' }, { id: 'ami-1' }), field)
  table.refuses('images: two aliases', custom({ alias: 'al2023@latest' }, { alias: 'al2023@v20250101' }), field)
  table.refuses('images: empty tags', custom({ tags: {} }), `${field}[0].tags`)
  table.refuses('images: an empty tag key', custom({ tags: { '': 'a' } }), `${field}[0].tags`)
  table.refuses('images: an empty tag value', custom({ tags: { a: '' } }), `${field}[0].tags`)
  table.refuses('images: a malformed id', custom({ id: 'subnet-1' }), `${field}[0].id`)

  const aliases = ['al2@latest', 'al2@v20240807', 'al2023@v20240807', 'bottlerocket@latest', 'bottlerocket@1.20.4']
  for (const each of [...aliases, 'windows2019@latest', 'windows2022@latest', 'windows2025@latest'])
    table.accepts(`images: alias ${each}`, alias(each))
  for (const each of [
    '',
    'latest',
    '@latest',
    'al2023@',
    'al2023:latest',
    'ubuntu@latest',
    'AL2023@latest',
    'al-2@latest',
  ])
    table.refuses(`images: alias ${each || 'empty'}`, alias(each), `${field}[0].alias`)
  for (const each of ['windows2019', 'windows2022', 'windows2025'])
    table.refuses(`images: pinned ${each}`, alias(`${each}@v1`), `${field}[0].alias`)
  table.refuses('images: an alias of 31 characters', alias(`al2023@${long(24)}`), `${field}[0].alias`)
  table.accepts('images: an alias of 30 characters', alias(`al2023@${long(23)}`))

  for (const family of ['AL2', 'AL2023', 'Bottlerocket', 'Windows2019', 'Windows2022', 'Windows2025']) {
    const matching = alias(`${family.toLowerCase()}@latest`)
    table.accepts(`family ${family} with its alias`, { ...matching, 'spec/amiFamily': family })
    table.accepts(`family Custom with the alias of ${family}`, { ...matching, 'spec/amiFamily': 'Custom' })
    table.accepts(`family ${family} with images by id`, { ...custom({ id: 'ami-1' }), 'spec/amiFamily': family })
    const other = family === 'AL2' ? 'AL2023' : 'AL2'
    table.refuses(`family ${other} with the alias of ${family}`, { ...matching, 'spec/amiFamily': other }, 'spec')
  }
  table.refusesEach('spec/amiFamily', ['Ubuntu', 'al2023', ''], 'spec.amiFamily')
  table.refuses('neither family nor alias', { 'spec/amiSelectorTerms': [{ id: 'ami-1' }] }, 'spec')
}
