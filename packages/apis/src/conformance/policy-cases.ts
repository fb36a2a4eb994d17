import { CLUSTER_POLICY } from '../cluster-policy-name.ts'
import { clusterPolicyResource } from '../resources/cluster-policy.ts'
import type { ConformanceCase } from './case.ts'
import { conditionCases } from './condition-cases.ts'
import { accepted, caseTable, refused, type Table } from './table.ts'

const priceBookCases = (table: Table): void => {
  const book = 'spec/priceBook'
  table.accepts(
    'a price book in the usual ConfigMap',
    { [book]: { configMap: {} } },
    {
      'spec.priceBook.configMap.name': 'kerf-prices',
      'spec.priceBook.configMap.key': 'prices.yaml',
    },
  )
  table.accepts('a price book in a file', { [book]: { file: '/etc/kerf/prices.yaml' } })
  table.refuses('a price book without a source', { [book]: {} }, 'spec.priceBook')
  table.refuses('a price book with two sources', { [book]: { configMap: {}, file: '/a' } }, 'spec.priceBook')
  table.refuses('a relative file', { [book]: { file: 'prices.yaml' } }, 'spec.priceBook.file')
  table.refusesEach('spec/priceBook', [{ configMap: { name: 'Prices' } }], 'spec.priceBook.configMap.name')
  table.refusesEach('spec/priceBook', [{ configMap: { key: 'a/b' } }], 'spec.priceBook.configMap.key')
  const euro = { code: 'EUR', usd: '1.08', date: '2026-11-30' }
  const priced = (currency: object) => ({ [book]: { configMap: {}, currency } })
  table.accepts('another currency', priced(euro))
  for (const usd of ['1', '0.5', '00.5', '10', '0.00001']) table.accepts(`a rate of ${usd}`, priced({ ...euro, usd }))
  for (const usd of ['0', '0.0', '-1', '1,08', '', 1.08, '1e3'])
    table.refuses(`a rate of ${JSON.stringify(usd)}`, priced({ ...euro, usd }), 'spec.priceBook.currency.usd')
  for (const date of ['30.11.2026', '2026-13-01', '2026-11-32', '2026-11-31', '2026-02-30', ''])
    table.refuses(`a rate of the day "${date}"`, priced({ ...euro, date }), 'spec.priceBook.currency.date')
  table.refuses('a rate for US dollars', priced({ ...euro, code: 'USD' }), 'spec.priceBook.currency')
  table.refuses('a currency in lower case', priced({ ...euro, code: 'eur' }), 'spec.priceBook.currency.code')
  const { date: _, ...undated } = euro
  table.refuses('a rate without a day', priced(undated), 'spec.priceBook.currency.date')
  const price = { instanceType: 'a', capacityType: 'spot', zone: '', usdPerHour: '1', asOf: '2026-11-30' }
  const stored = (...prices: readonly object[]) => ({
    status: { priceBook: { source: 'file /a', readAt: '2026-11-30T00:00:00Z', prices } },
  })
  const before = { [book]: { configMap: {} } }
  table.updateStatus('the prices in force', before, stored(price, { ...price, zone: 'z' }), accepted())
  table.updateStatus('one price twice', before, stored(price, price), refused('status.priceBook.prices[1]'))
}

const commitmentCases = (table: Table): void => {
  const reserved = { instanceType: 'm5.large', count: 10 }
  const of = (...commitments: readonly object[]) => ({ 'spec/commitments': commitments })
  const prepaid = (more: object) => of({ name: 'a', prepaid: { ...reserved, ...more } })
  const discount = (more: object) => of({ name: 'a', discount: { factor: '0.85', ...more } })
  const field = 'spec.commitments[0]'
  table.accepts('prepaid instances', prepaid({}))
  const times = { start: '2026-01-01T00:00:00Z', end: '2027-01-01T00:00:00Z' }
  const full = { ...times, region: 'eu-central-1', zone: 'eu-central-1a', share: '0.5', usdPerHour: '0.061' }
  table.accepts('prepaid instances with every field', prepaid(full))
  const flexible = (more: object) => of({ name: 'a', prepaid: { instanceTypes: ['m5.*'], ...more } })
  const factor = { factor: '0.6' }
  const rates = { instanceTypes: [{ instanceType: 'm5.large', usdPerHour: '0.06' }] }
  table.accepts('normalised units', flexible({ normalizedUnits: '16' }))
  table.accepts('vCPUs', flexible({ vcpus: 64 }))
  table.accepts('vCPUs of every instance type', of({ name: 'a', prepaid: { vcpus: 64, usdPerHour: '0.01' } }))
  table.accepts('a plan for a family', flexible({ committedUsdPerHour: '10', rates: factor }))
  table.accepts('a plan for everything', of({ name: 'a', prepaid: { committedUsdPerHour: '0.5', rates } }))
  table.accepts(
    'a plan with both kinds of rates',
    flexible({ committedUsdPerHour: '1', rates: { ...factor, ...rates } }),
  )
  const own = `${field}.prepaid`
  table.refuses('an amount in two units', flexible({ vcpus: 1, normalizedUnits: '1' }), own)
  table.refuses('no amount', flexible({}), own)
  table.refuses('a count without an instance type', of({ name: 'a', prepaid: { count: 1 } }), own)
  table.refuses('an instance type without a count', of({ name: 'a', prepaid: { instanceType: 'a', vcpus: 1 } }), own)
  table.refuses('a count of several types', prepaid({ instanceTypes: ['m5.*'] }), own)
  table.refuses('normalised units of every type', of({ name: 'a', prepaid: { normalizedUnits: '1' } }), own)
  table.refuses('a plan without rates', flexible({ committedUsdPerHour: '1' }), own)
  table.refuses('rates without a plan', flexible({ vcpus: 1, rates: factor }), own)
  table.refuses('rates without a rate', flexible({ committedUsdPerHour: '1', rates: {} }), `${own}.rates`)
  table.refuses('vCPUs of a zone', flexible({ vcpus: 1, zone: 'a' }), own)
  table.refuses('a price of a plan', flexible({ committedUsdPerHour: '1', rates: factor, usdPerHour: '1' }), own)
  for (const amount of ['0', '-1', '1,5', '', 16])
    table.refuses(
      `${JSON.stringify(amount)} normalised units`,
      flexible({ normalizedUnits: amount }),
      `${own}.normalizedUnits`,
    )
  for (const vcpus of [0, 1.5, '3'])
    table.refuses(`${JSON.stringify(vcpus)} vCPUs`, flexible({ vcpus }), `${own}.vcpus`)
  for (const amount of ['0', '-1', '$1'])
    table.refuses(
      `a plan of ${amount}`,
      flexible({ committedUsdPerHour: amount, rates: factor }),
      `${own}.committedUsdPerHour`,
    )
  table.refuses(
    'a rate of 0',
    flexible({ committedUsdPerHour: '1', rates: { instanceTypes: [{ instanceType: 'a', usdPerHour: '0' }] } }),
    `${own}.rates.instanceTypes[0].usdPerHour`,
  )
  table.refuses(
    'two rates of one instance type',
    flexible({ committedUsdPerHour: '1', rates: { instanceTypes: [...rates.instanceTypes, ...rates.instanceTypes] } }),
    `${own}.rates.instanceTypes[1]`,
  )
  table.refuses(
    'a rate above the price',
    flexible({ committedUsdPerHour: '1', rates: { factor: '1.2' } }),
    `${own}.rates.factor`,
  )
  table.accepts('a discount', discount({}))
  table.accepts(
    'a discount on some instances',
    discount({ instanceTypes: ['m5.*', 'c5.large'], capacityTypes: ['spot'] }),
  )
  table.accepts('both kinds', of({ name: 'a', prepaid: reserved }, { name: 'b', discount: { factor: '1' } }))
  table.refuses('no commitment', of(), 'spec.commitments')
  table.refuses('a commitment of no kind', of({ name: 'a' }), field)
  table.refuses('a commitment of two kinds', of({ name: 'a', prepaid: reserved, discount: { factor: '0.5' } }), field)
  table.refuses(
    'two commitments of one name',
    of({ name: 'a', prepaid: reserved }, { name: 'a', prepaid: reserved }),
    'spec.commitments[1]',
  )
  for (const name of ['', 'A', 'a b', '-a'])
    table.refuses(`a commitment named "${name}"`, of({ name, prepaid: reserved }), `${field}.name`)
  for (const count of [0, -1, 100_001, 1.5, '3'])
    table.refuses(`${JSON.stringify(count)} instances`, prepaid({ count }), `${field}.prepaid.count`)
  for (const share of ['0', '0.25', '1', '1.0']) table.accepts(`a share of ${share}`, prepaid({ share }))
  for (const share of ['1.1', '2', '-0.5', '50%', '', 0.5])
    table.refuses(`a share of ${JSON.stringify(share)}`, prepaid({ share }), `${field}.prepaid.share`)
  for (const usdPerHour of ['0', '0.00', '-1', '$1', '1,5', '', 0.06])
    table.refuses(`a price of ${JSON.stringify(usdPerHour)}`, prepaid({ usdPerHour }), `${field}.prepaid.usdPerHour`)
  for (const instanceType of ['', 'm5.*', 'm5 large'])
    table.refuses(`the instance type "${instanceType}"`, prepaid({ instanceType }), `${field}.prepaid.instanceType`)
  table.refuses('an end before the start', prepaid({ start: times.end, end: times.start }), `${field}.prepaid`)
  table.refuses('an end at the start', prepaid({ start: times.end, end: times.end }), `${field}.prepaid`)
  const noTimes = ['2027-01-01', '2027-13-01T00:00:00Z', '2027-02-30T00:00:00Z', '2027-01-01T00:00:00+01:00', 'never']
  for (const end of noTimes) table.refuses(`the end "${end}"`, prepaid({ end }), `${field}.prepaid.end`)
  for (const factor of ['0', '0.0', '1.2', '-0.5', '85%', '', 0.85])
    table.refuses(`a factor of ${JSON.stringify(factor)}`, discount({ factor }), `${field}.discount.factor`)
  table.refuses('a discount on no instance type', discount({ instanceTypes: [] }), `${field}.discount.instanceTypes`)
  table.refuses(
    'a discount on a name with a * in it',
    discount({ instanceTypes: ['m*.large'] }),
    `${field}.discount.instanceTypes[0]`,
  )
  table.refuses(
    'a discount on reserved capacity',
    discount({ capacityTypes: ['reserved'] }),
    `${field}.discount.capacityTypes[0]`,
  )
  const source = (value: object) => ({ 'spec/commitmentSource': value })
  const place = 'spec.commitmentSource'
  table.accepts('a ConfigMap with commitments; its name and key have defaults', source({ configMap: {} }), {
    [`${place}.configMap.name`]: 'kerf-commitments',
    [`${place}.configMap.key`]: 'commitments.yaml',
  })
  table.accepts('a file with commitments', source({ file: '/etc/kerf/commitments.yaml' }))
  table.accepts('the account', source({ account: {} }), { [`${place}.account.share`]: '1' })
  table.refuses('no source of commitments', source({}), place)
  table.refuses('two sources of commitments', source({ account: {}, file: '/a' }), place)
  table.refuses('a relative file with commitments', source({ file: 'commitments.yaml' }), `${place}.file`)
  table.refuses('a share of the account above 1', source({ account: { share: '2' } }), `${place}.account.share`)
  for (const configMap of [{ name: 'Commitments' }, { key: 'a/b' }])
    table.refuses(
      `a ConfigMap with ${JSON.stringify(configMap)}`,
      source({ configMap }),
      `${place}.configMap.${Object.keys(configMap).join()}`,
    )
  const read = (...commitments: readonly object[]) => ({
    status: { commitmentSource: { source: 'account', readAt: '2026-11-30T00:00:00Z', commitments } },
  })
  const readOne = { name: 'a', prepaid: reserved }
  table.updateStatus('the commitments that were read', source({ account: {} }), read(readOne), accepted())
  table.updateStatus(
    'one commitment read twice',
    source({ account: {} }),
    read(readOne, readOne),
    refused('status.commitmentSource.commitments[1]'),
  )
  const use = { name: 'a', state: 'Active', covers: '10', used: '4', unused: '6' }
  table.updateStatus('the use of a commitment', prepaid({}), { status: { commitments: [use] } }, accepted())
  table.updateStatus(
    'the use of a commitment in another unit',
    prepaid({}),
    { status: { commitments: [{ ...use, unit: 'vcpus' }] } },
    accepted(),
  )
  table.updateStatus(
    'one commitment twice',
    prepaid({}),
    { status: { commitments: [use, use] } },
    refused('status.commitments[1]'),
  )
}

/** Returns the cases about ClusterPolicies. */
export const clusterPolicyCases = (): readonly ConformanceCase[] => {
  const table = caseTable(clusterPolicyResource.kind, {
    apiVersion: 'kerf.sh/v1alpha1',
    kind: 'ClusterPolicy',
    metadata: { name: CLUSTER_POLICY },
    spec: {},
  })
  const nodes = { 'spec/ceilings': { nodes: 3 } }
  table.accepts('no section', {}, { status: undefined })
  table.refuses('no spec', { spec: undefined }, 'spec')
  table.refuses('another name', { 'metadata/name': 'other' }, '')
  table.accepts('a ceiling on nodes; the surge has a default', nodes, { 'spec.ceilings.surge': 1 })
  table.refuses('ceilings without a ceiling', { 'spec/ceilings': {} }, 'spec.ceilings')
  table.refuses('ceilings with a surge only', { 'spec/ceilings': { surge: 2 } }, 'spec.ceilings')
  table.refuses('empty resources', { 'spec/ceilings': { resources: {} } }, 'spec.ceilings')
  table.acceptsEach('spec/ceilings/nodes', [0, 1, 5000])
  table.refusesEach('spec/ceilings/nodes', [-1, 1.5, '3'], 'spec.ceilings.nodes')
  table.acceptsEach('spec/ceilings/usdPerHour', ['0', '1', '120.50'])
  table.refusesEach('spec/ceilings/usdPerHour', ['', '-1', '$1', '1,5', '1.', 5], 'spec.ceilings.usdPerHour')
  for (const surge of [0, 1, 1000]) table.accepts(`a surge of ${surge}`, { ...nodes, 'spec/ceilings/surge': surge })
  for (const surge of [-1, 1001, 1.5, '1'])
    table.refuses(
      `a surge of ${JSON.stringify(surge)}`,
      { ...nodes, 'spec/ceilings/surge': surge },
      'spec.ceilings.surge',
    )
  const resource = 'spec/ceilings/resources'
  for (const amount of [0, 7, '0', '+1', '1.5', '100m', '4Gi', '1e3', '1e-3'])
    table.accepts(`a ceiling of ${JSON.stringify(amount)}`, { [resource]: { 'example.com/thing': amount } })
  for (const amount of [-1, '-1', '-1Gi', '', 'many', 1.5, true])
    table.refuses(
      `a ceiling of ${JSON.stringify(amount)}`,
      { [resource]: { 'example.com/thing': amount } },
      'spec.ceilings.resources.example.com/thing',
    )
  for (const name of ['nodes', 'usdPerHour'])
    table.refuses(`${name} among the resources`, { [resource]: { [name]: 1 } }, 'spec.ceilings.resources')
  table.update('a ceiling rises', nodes, { 'spec/ceilings/nodes': 4 }, accepted({ 'spec.ceilings.nodes': 4 }))
  table.update('the ceilings go', nodes, { 'spec/ceilings': undefined }, accepted({ 'spec.ceilings': undefined }))
  commitmentCases(table)
  priceBookCases(table)
  const status = { ceilings: [{ name: 'nodes', ceiling: '3', used: '2', headroom: '1' }] }
  table.updateStatus('the use of a ceiling', nodes, { status }, accepted({ status }))
  table.updateStatus(
    'the same ceiling twice',
    nodes,
    { status: { ceilings: [...status.ceilings, ...status.ceilings] } },
    refused('status.ceilings[1]'),
  )
  conditionCases(table, false)
  return table.cases
}
