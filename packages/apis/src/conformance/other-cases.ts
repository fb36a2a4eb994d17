import { capacityBufferResource } from '../resources/capacity-buffer.ts'
import { nodeOverlayResource } from '../resources/node-overlay.ts'
import { CASE_NAME, CASE_NAMESPACE, type ConformanceCase } from './case.ts'
import { conditionCases } from './condition-cases.ts'
import { quantityCases } from './quantity-cases.ts'
import { accepted, caseTable, refused } from './table.ts'
import { commonRequirementCases } from './template-cases.ts'

/** Returns the cases about NodeOverlays. The function is long because it is a table. */
export const nodeOverlayCases = (): readonly ConformanceCase[] => {
  const table = caseTable(nodeOverlayResource.kind, {
    apiVersion: 'karpenter.sh/v1alpha1',
    kind: 'NodeOverlay',
    metadata: { name: CASE_NAME },
    spec: { requirements: [] },
  })
  table.accepts('the least', {}, { status: undefined, 'spec.weight': undefined })
  table.refuses('no spec', { spec: undefined }, 'spec')
  commonRequirementCases(table, 'spec', 'spec')
  const requirement = (operator: string, more: object): object => ({
    'spec/requirements': [{ key: 'a', operator, ...more }],
  })
  table.accepts('a requirement on the pool', {
    'spec/requirements': [{ key: 'karpenter.sh/nodepool', operator: 'In', values: ['a'] }],
  })
  table.refuses('NotIn with no values', { ...requirement('NotIn', { values: [] }) }, 'spec.requirements')
  table.refuses('NotIn without values', { ...requirement('NotIn', {}) }, 'spec.requirements')
  table.accepts(
    'minValues is dropped',
    { ...requirement('Exists', { minValues: 3 }) },
    { 'spec.requirements.0.minValues': undefined },
  )

  table.acceptsEach('spec/price', ['0', '1', '1.5', '0.000001', '123456.789', '007'])
  table.refusesEach('spec/price', ['', '-1', '+1', '1.', '.5', '1e3', '1,5', '$1', '1 ', 1.5, 1], 'spec.price')
  table.acceptsEach('spec/priceAdjustment', [
    '+1',
    '-1',
    '+0.5',
    '-0.5',
    '+.5',
    '-.5',
    '+10%',
    '-10%',
    '+150%',
    '+0.5%',
    '-0.5%',
    '-99.9%',
    '-100%',
    '+1000',
    '-1000',
    '-99%',
  ])
  table.refusesEach(
    'spec/priceAdjustment',
    ['', '1', '0.5', '10%', '-101%', '-100.5%', '-150%', '+', '-', '%', '+-1', '+1 %', '+1.', '--1', 'free', 5],
    'spec.priceAdjustment',
  )
  table.refuses('price and adjustment', { 'spec/price': '1', 'spec/priceAdjustment': '+1' }, 'spec')
  quantityCases(table, 'spec/capacity')
  table.accepts('two extended resources', { 'spec/capacity': { 'nvidia.com/gpu': 1, 'smarter-devices/fuse': '10' } })
  for (const name of ['cpu', 'memory', 'ephemeral-storage', 'pods']) {
    table.refuses(`capacity of ${name}`, { 'spec/capacity': { [name]: '1' } }, 'spec.capacity')
    table.refuses(
      `capacity of ${name} among others`,
      { 'spec/capacity': { [name]: '1', 'a.b/c': '1' } },
      'spec.capacity',
    )
  }
  table.acceptsEach('spec/weight', [1, 100, 10000])
  table.refusesEach('spec/weight', [0, -1, 10001, 1.5, '1'], 'spec.weight')
  table.update('the price changes', { 'spec/price': '1' }, { 'spec/price': '2' }, accepted({ 'spec.price': '2' }))
  table.update(
    'the price becomes an adjustment',
    { 'spec/price': '1' },
    { 'spec/price': undefined, 'spec/priceAdjustment': '+1%' },
    accepted(),
  )
  table.update(
    'an adjustment joins the price',
    { 'spec/price': '1' },
    { 'spec/priceAdjustment': '+1%' },
    refused('spec'),
  )
  conditionCases(table, false)
  return table.cases
}

/** Returns the cases about CapacityBuffers. The function is long because it is a table. */
export const capacityBufferCases = (): readonly ConformanceCase[] => {
  const table = caseTable(capacityBufferResource.kind, {
    apiVersion: 'autoscaling.x-k8s.io/v1beta1',
    kind: 'CapacityBuffer',
    metadata: { name: CASE_NAME, namespace: CASE_NAMESPACE },
    spec: {},
  })
  const template = { 'spec/podTemplateRef': { name: 'shape' } }
  const workload = { 'spec/scalableRef': { apiGroup: 'apps', kind: 'Deployment', name: 'web' } }
  table.accepts('neither shape nor size', {}, { 'spec.provisioningStrategy': 'buffer.x-k8s.io/active-capacity' })
  table.refuses('no spec', { spec: undefined }, 'spec')
  table.accepts('a template and replicas', { ...template, 'spec/replicas': 3 })
  table.accepts('a template and limits', { ...template, 'spec/limits': { cpu: '3' } })
  table.accepts('a template and empty limits', { ...template, 'spec/limits': {} })
  table.accepts('a template, replicas and limits', { ...template, 'spec/replicas': 3, 'spec/limits': { cpu: '3' } })
  table.refuses('a template alone', template, 'spec')
  table.refuses('a template and a percentage', { ...template, 'spec/percentage': 10 }, 'spec')
  table.refuses('a template and a workload', { ...template, ...workload, 'spec/replicas': 1 }, 'spec')
  table.accepts('a workload alone', workload)
  table.accepts('a workload and a percentage', { ...workload, 'spec/percentage': 250 })
  table.accepts('a workload without group', { ...workload, 'spec/scalableRef/apiGroup': undefined })
  table.accepts('a workload of an empty group', { ...workload, 'spec/scalableRef/apiGroup': '' })
  table.accepts('a workload of an unserved kind', { ...workload, 'spec/scalableRef/kind': 'Whatever' })
  for (const part of ['kind', 'name']) {
    table.refuses(
      `a workload without ${part}`,
      { ...workload, [`spec/scalableRef/${part}`]: undefined },
      `spec.scalableRef.${part}`,
    )
    table.refuses(
      `a workload with an empty ${part}`,
      { ...workload, [`spec/scalableRef/${part}`]: '' },
      `spec.scalableRef.${part}`,
    )
  }
  table.refuses(
    'a template without name',
    { 'spec/podTemplateRef': {}, 'spec/replicas': 1 },
    'spec.podTemplateRef.name',
  )
  table.refuses(
    'a template with an empty name',
    { 'spec/podTemplateRef': { name: '' }, 'spec/replicas': 1 },
    'spec.podTemplateRef.name',
  )
  for (const name of ['replicas', 'percentage']) {
    table.acceptsEach(`spec/${name}`, [0, 1, 1000])
    table.refusesEach(`spec/${name}`, [-1, 1.5, '1'], `spec.${name}`)
  }
  table.refuses('more replicas than 32 bits hold', { 'spec/replicas': 2147483648 })
  table.acceptsEach('spec/provisioningStrategy', ['buffer.x-k8s.io/active-capacity', 'example.com/other', ''])
  table.refuses('a strategy that is a number', { 'spec/provisioningStrategy': 1 }, 'spec.provisioningStrategy')
  quantityCases(table, 'spec/limits')
  table.accepts('a status is not taken on creation', { status: { replicas: 3 } }, { status: undefined })
  table.update(
    'the template changes',
    { ...template, 'spec/replicas': 1 },
    { 'spec/podTemplateRef/name': 'other' },
    accepted(),
  )
  table.update('the replicas go', { ...template, 'spec/replicas': 1 }, { 'spec/replicas': undefined }, refused('spec'))
  table.update(
    'the template becomes a workload',
    { ...template, 'spec/replicas': 1 },
    { 'spec/podTemplateRef': undefined, ...workload },
    accepted(),
  )
  const status = { podTemplateRef: { name: 'shape' }, podTemplateGeneration: 2, replicas: 3, provisioningStrategy: 'x' }
  table.updateStatus('all of it', {}, { status }, accepted({ status }))
  table.updateStatus(
    'a status with a template without name',
    {},
    { status: { podTemplateRef: {} } },
    refused('status.podTemplateRef.name'),
  )
  table.updateStatus('replicas that are a text', {}, { status: { replicas: '3' } }, refused('status.replicas'))
  conditionCases(table, false)
  return table.cases
}
