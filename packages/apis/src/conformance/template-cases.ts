import { long, many, type Table } from './table.ts'

/**
 * Adds cases about the fields that both the template of a NodePool and the spec of a NodeClaim have. `at` is the path of that spec
 * with slashes.
 */
export const templateCases = (table: Table, at: string): void => {
  const field = at.replaceAll('/', '.')
  requirementCases(table, at, field)
  for (const name of ['taints', 'startupTaints']) taintCases(table, `${at}/${name}`, `${field}.${name}`)
  nodeClassCases(table, at, field)
  durationCases(table, at, field)
}

const requirement = (operator: string, values?: readonly unknown[], more: object = {}): object => ({
  key: 'example.com/label',
  operator,
  ...(values === undefined ? {} : { values }),
  ...more,
})

/**
 * Adds cases about keys, operators and values of requirements, which overlays also have. The function is long because it is a
 * table.
 */
export const commonRequirementCases = (table: Table, at: string, field: string): void => {
  const list = `${at}/requirements`
  const lists = `${field}.requirements`
  const keyOf = (key: unknown): object[] => [{ key, operator: 'Exists' }]

  for (const key of [
    'a',
    'A',
    '9',
    'team',
    'my.label',
    'my_label',
    'my-label',
    'example.com/label',
    'sub.example.com/My_Label.x',
    'karpenter.sh/capacity-type',
    'topology.kubernetes.io/zone',
    'node.kubernetes.io/instance-type',
    'kubernetes.io/arch',
    'kubernetes.io/os',
    'node-restriction.kubernetes.io/x',
    'kops.k8s.io/x',
    'cloud.example.com/instance-cpu',
    'karpenter.sh.example.com/x',
    'beta.kubernetes.io/arch',
    `example.com/${long(300)}`,
  ]) {
    table.accepts(`a requirement on ${key.length > 60 ? 'a long key' : key}`, { [list]: keyOf(key) })
  }
  for (const key of [
    '',
    '-a',
    'a-',
    'a b',
    'ä',
    'a/b/c',
    '/a',
    'a/',
    'Example.com/a',
    'example..com/a',
    '-example.com/a',
    'a:b',
    '_a',
    'a_',
    '.a',
  ]) {
    table.refuses(`a requirement on the key ${JSON.stringify(key)}`, { [list]: keyOf(key) }, `${lists}[0].key`)
  }
  table.refuses(
    'a requirement on a key of 317 characters',
    { [list]: keyOf(`example.com/${long(305)}`) },
    `${lists}[0].key`,
  )
  for (const key of [
    'karpenter.sh/registered',
    'karpenter.sh/initialized',
    'karpenter.sh/anything',
    'foo.karpenter.sh/x',
    'notkarpenter.sh/x',
    'karpenter.sh',
    'my.karpenter.sh',
    'kubernetes.io/hostname',
  ]) {
    table.refuses(`a requirement on the reserved ${key}`, { [list]: keyOf(key) }, `${lists}[0].key`)
  }

  table.accepts('no requirements', { [list]: [] })
  table.refuses('requirements absent', { [list]: undefined }, lists)
  table.refuses('requirements null', { [list]: null }, lists)
  table.refuses('requirements that are an object', { [list]: {} }, lists)
  table.refuses('requirements that are a text', { [list]: 'a' }, lists)
  table.accepts('a hundred requirements', { [list]: many(100, (i) => ({ key: `k${i}`, operator: 'Exists' })) })
  table.refuses('101 requirements', { [list]: many(101, (i) => ({ key: `k${i}`, operator: 'Exists' })) }, lists)
  table.refuses('a requirement without key', { [list]: [{ operator: 'Exists' }] }, `${lists}[0].key`)
  table.refuses('a requirement without operator', { [list]: [{ key: 'a' }] }, `${lists}[0].operator`)
  table.refuses('a requirement that is empty', { [list]: [{}] }, `${lists}[0].key`, `${lists}[0].operator`)
  table.refuses('a requirement that is a text', { [list]: ['a'] }, `${lists}[0]`)
  table.refuses('a requirement that is null', { [list]: [null] }, `${lists}[0]`)
  table.refuses(
    'the second requirement is reported',
    { [list]: [requirement('Exists'), requirement('Is')] },
    `${lists}[1].operator`,
  )

  for (const operator of ['Exists', 'DoesNotExist']) {
    table.accepts(`${operator} without values`, { [list]: [requirement(operator)] })
    table.accepts(`${operator} with values`, { [list]: [requirement(operator, ['a'])] })
  }
  for (const operator of ['in', 'IN', '', 'Equals', 'GreaterThan', 'gt', '=']) {
    table.refuses(
      `the operator ${JSON.stringify(operator)}`,
      { [list]: [requirement(operator, ['1'])] },
      `${lists}[0].operator`,
    )
  }
  table.refuses(
    'an operator that is a number',
    { [list]: [requirement('In', ['a'], { operator: 1 })] },
    `${lists}[0].operator`,
  )

  table.accepts('In with one value', { [list]: [requirement('In', ['a'])] })
  table.accepts('In with an empty value', { [list]: [requirement('In', [''])] })
  table.accepts('In with a value that is no label value', { [list]: [requirement('In', ['not a label value!'])] })
  table.accepts('In with a value of 100 characters', { [list]: [requirement('In', [long(100)])] })
  table.accepts('In with 70 values', {
    [list]: [
      requirement(
        'In',
        many(70, (i) => `v${i}`),
      ),
    ],
  })
  table.accepts('In with the same value twice', { [list]: [requirement('In', ['a', 'a'])] })
  table.accepts('the same requirement twice', { [list]: [requirement('In', ['a']), requirement('In', ['a'])] })
  table.refuses('In with no values', { [list]: [requirement('In', [])] }, lists)
  table.refuses('In without values', { [list]: [requirement('In')] }, lists)
  table.refuses('In with values null', { [list]: [requirement('In', undefined, { values: null })] }, lists)
  table.refuses(
    'In with a text for values',
    { [list]: [requirement('In', undefined, { values: 'a' })] },
    `${lists}[0].values`,
  )
  table.refuses('In with a number among the values', { [list]: [requirement('In', ['a', 1])] }, `${lists}[0].values[1]`)
  table.refuses('In with null among the values', { [list]: [requirement('In', [null])] }, `${lists}[0].values[0]`)
  table.accepts('NotIn with a value', { [list]: [requirement('NotIn', ['a'])] })

  for (const operator of ['Gt', 'Lt', 'Gte', 'Lte']) {
    for (const value of ['0', '1', '007', '9223372036854775807', '+5', '-0']) {
      table.accepts(`${operator} ${value}`, { [list]: [requirement(operator, [value])] })
    }
    for (const value of ['-1', '', 'a', '1.5', '1e3', ' 1', '0x10', '9223372036854775808']) {
      table.refuses(`${operator} ${JSON.stringify(value)}`, { [list]: [requirement(operator, [value])] }, lists)
    }
    table.refuses(`${operator} with two values`, { [list]: [requirement(operator, ['1', '2'])] }, lists)
    table.refuses(`${operator} with no values`, { [list]: [requirement(operator, [])] }, lists)
    table.refuses(`${operator} without values`, { [list]: [requirement(operator)] }, lists)
  }
}

const requirementCases = (table: Table, at: string, field: string): void => {
  const list = `${at}/requirements`
  const lists = `${field}.requirements`
  commonRequirementCases(table, at, field)
  table.accepts('NotIn with no values', { [list]: [requirement('NotIn', [])] })
  table.accepts('NotIn without values', { [list]: [requirement('NotIn')] })

  for (const minValues of [1, 2, 50]) {
    table.accepts(`minValues ${minValues} with enough values`, {
      [list]: [
        requirement(
          'In',
          many(minValues, (i) => `v${i}`),
          { minValues },
        ),
      ],
    })
    table.accepts(`minValues ${minValues} with Exists`, { [list]: [requirement('Exists', undefined, { minValues })] })
  }
  for (const minValues of [0, -1, 51, 1.5, '3', true]) {
    table.refuses(
      `minValues ${JSON.stringify(minValues)}`,
      { [list]: [requirement('Exists', undefined, { minValues })] },
      `${lists}[0].minValues`,
    )
  }
  table.accepts(
    'minValues null counts as absent',
    { [list]: [requirement('Exists', undefined, { minValues: null })] },
    {
      [`${lists}.0.minValues`]: undefined,
    },
  )
  table.refuses(
    'minValues above the number of values',
    { [list]: [requirement('In', ['a', 'b'], { minValues: 3 })] },
    lists,
  )
  table.accepts('minValues counts a value twice that is there twice', {
    [list]: [requirement('In', ['a', 'a'], { minValues: 2 })],
  })
  table.accepts(
    'an unknown field of a requirement',
    { [list]: [requirement('Exists', undefined, { extra: 1 })] },
    {
      [`${lists}.0.extra`]: undefined,
    },
  )
}

const taintCases = (table: Table, list: string, field: string): void => {
  const short = field.split('.').at(-1) ?? field
  const taint = (changes: object = {}): object => ({ key: 'example.com/taint', effect: 'NoSchedule', ...changes })
  table.accepts(`${short}: empty`, { [list]: [] })
  for (const effect of ['NoSchedule', 'PreferNoSchedule', 'NoExecute']) {
    table.accepts(`${short}: effect ${effect}`, { [list]: [taint({ effect })] })
  }
  for (const effect of ['noSchedule', '', 'Evict', 1]) {
    table.refuses(`${short}: effect ${JSON.stringify(effect)}`, { [list]: [taint({ effect })] }, `${field}[0].effect`)
  }
  table.refuses(`${short}: no effect`, { [list]: [{ key: 'a' }] }, `${field}[0].effect`)
  table.refuses(`${short}: no key`, { [list]: [{ effect: 'NoSchedule' }] }, `${field}[0].key`)
  for (const key of ['', 'a b', '-a', 'a/b/c']) {
    table.refuses(`${short}: key ${JSON.stringify(key)}`, { [list]: [taint({ key })] }, `${field}[0].key`)
  }
  table.accepts(`${short}: a key of Karpenter's own`, { [list]: [taint({ key: 'karpenter.sh/disrupted' })] })
  for (const value of ['a', 'gpu', 'example.com/x']) {
    table.accepts(`${short}: value ${value}`, { [list]: [taint({ value })] })
  }
  for (const value of ['', 'a b', '-', 1]) {
    table.refuses(`${short}: value ${JSON.stringify(value)}`, { [list]: [taint({ value })] }, `${field}[0].value`)
  }
  table.accepts(`${short}: the same taint twice`, { [list]: [taint(), taint()] })
  table.accepts(`${short}: a time`, { [list]: [taint({ timeAdded: '2024-05-06T07:08:09Z' })] })
  for (const timeAdded of ['yesterday', '2024-05-06', '2024-13-06T07:08:09Z', '2024-05-06T25:08:09Z', '']) {
    table.refuses(
      `${short}: timeAdded ${JSON.stringify(timeAdded)}`,
      { [list]: [taint({ timeAdded })] },
      `${field}[0].timeAdded`,
    )
  }
}

const nodeClassCases = (table: Table, at: string, field: string): void => {
  const ref = `${at}/nodeClassRef`
  const refs = `${field}.nodeClassRef`
  table.refuses('no node class', { [ref]: undefined }, refs)
  table.refuses('a node class that is a text', { [ref]: 'default' }, refs)
  for (const part of ['group', 'kind', 'name']) {
    table.refuses(`a node class without ${part}`, { [`${ref}/${part}`]: undefined }, `${refs}.${part}`)
    table.refuses(`a node class with an empty ${part}`, { [`${ref}/${part}`]: '' }, `${refs}.${part}`)
    table.refuses(`a node class whose ${part} is a number`, { [`${ref}/${part}`]: 1 }, `${refs}.${part}`)
  }
  table.refuses(
    'a node class with a version in its group',
    { [`${ref}/group`]: 'cloud.example.com/v1' },
    `${refs}.group`,
  )
  table.accepts('a node class of an unserved kind', {
    [`${ref}/kind`]: 'Whatever',
    [`${ref}/group`]: 'example.com',
  })
  table.accepts(
    'the old apiVersion of a node class is dropped',
    { [`${ref}/apiVersion`]: 'cloud.example.com/v1' },
    {
      [`${refs}.apiVersion`]: undefined,
    },
  )
}

const GOOD_DURATIONS = ['0s', '30s', '90m', '720h', '1h30m', '1h1m1s', '30s1h', '1s1s', '8760h']
const BAD_DURATIONS = ['', '1', '1d', '500ms', '1.5h', '-1h', '+1h', '1h ', '1 h', 'never', 'h', '1H']

const durationCases = (table: Table, at: string, field: string): void => {
  table.acceptsEach(`${at}/expireAfter`, [...GOOD_DURATIONS, 'Never'])
  table.refusesEach(`${at}/expireAfter`, [...BAD_DURATIONS, 720], `${field}.expireAfter`)
  table.accepts('expireAfter has a default', { [`${at}/expireAfter`]: undefined }, { [`${field}.expireAfter`]: '720h' })
  table.accepts(
    'expireAfter null is the default',
    { [`${at}/expireAfter`]: null },
    { [`${field}.expireAfter`]: '720h' },
  )
  table.accepts(
    'expireAfter is kept as it was written',
    { [`${at}/expireAfter`]: '60m0s' },
    { [`${field}.expireAfter`]: '60m0s' },
  )
  table.acceptsEach(`${at}/terminationGracePeriod`, GOOD_DURATIONS)
  table.refusesEach(`${at}/terminationGracePeriod`, [...BAD_DURATIONS, 'Never', 30], `${field}.terminationGracePeriod`)
  table.accepts('terminationGracePeriod has no default', {}, { [`${field}.terminationGracePeriod`]: undefined })
}
