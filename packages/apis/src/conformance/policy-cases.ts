import { CLUSTER_POLICY, clusterPolicyResource } from '../resources/cluster-policy.ts'
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
  for (const date of ['30.11.2026', '2026-13-01', '2026-11-32', ''])
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
