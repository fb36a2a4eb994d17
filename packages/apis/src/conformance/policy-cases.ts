import { CLUSTER_POLICY, clusterPolicyResource } from '../resources/cluster-policy.ts'
import type { ConformanceCase } from './case.ts'
import { conditionCases } from './condition-cases.ts'
import { accepted, caseTable, refused } from './table.ts'

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
