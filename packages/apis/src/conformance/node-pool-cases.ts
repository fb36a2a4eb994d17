import { nodePoolResource } from '../resources/node-pool.ts'
import { CASE_NAME, type ConformanceCase } from './case.ts'
import { conditionCases } from './condition-cases.ts'
import { quantityCases } from './quantity-cases.ts'
import { accepted, caseTable, long, many, refused, type Table } from './table.ts'
import { templateCases } from './template-cases.ts'

const base = {
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodePool',
  metadata: { name: CASE_NAME },
  spec: {
    template: {
      spec: {
        requirements: [],
        nodeClassRef: { group: 'cloud.example.com', kind: 'ExampleNodeClass', name: 'default' },
      },
    },
  },
}

const labelCases = (table: Table): void => {
  const labels = 'spec/template/metadata/labels'
  const field = 'spec.template.metadata.labels'
  const one = (key: string, value: unknown): object => ({ [labels]: { [key]: value } })
  for (const [key, value] of [
    ['team', 'a'],
    ['team', ''],
    ['example.com/team', 'A_b.c-1'],
    ['team', long(63)],
    ['karpenter.sh/capacity-type', 'spot'],
    ['not a key!', 'a'],
    ['kubernetes.io/arch', 'arm64'],
    ['node-role.kubernetes.io/x', 'y'],
    ['cloud.example.com/x', 'y'],
  ] as const) {
    table.accepts(`label ${key}=${value.slice(0, 10)}`, { ...one(key, value) }, { [`${field}`]: { [key]: value } })
  }
  for (const value of [long(64), 'a b', '-a', 'a-', 'ä', 'a/b', 1, true]) {
    table.refuses(`label value ${JSON.stringify(value).slice(0, 10)}`, { ...one('team', value) }, `${field}.team`)
  }
  for (const key of [
    'karpenter.sh/x',
    'foo.karpenter.sh/x',
    'notkarpenter.sh/x',
    'karpenter.sh',
    'karpenter.sh/nodepool',
    'kubernetes.io/hostname',
  ]) {
    table.refuses(`the reserved label ${key}`, { ...one(key, 'a') }, field)
  }
  table.accepts('a hundred labels', { [labels]: Object.fromEntries(many(100, (i) => [`k${i}`, 'v'])) })
  table.refuses('101 labels', { [labels]: Object.fromEntries(many(101, (i) => [`k${i}`, 'v'])) }, field)
  table.refuses('labels that are a list', { [labels]: [] }, field)
  table.accepts('a label that is null is left out', { ...one('team', null) }, { [field]: {} })
  table.accepts('annotations', { 'spec/template/metadata/annotations': { 'any key at all': 'any value at all' } })
  table.refuses(
    'an annotation that is a number',
    { 'spec/template/metadata/annotations': { a: 1 } },
    'spec.template.metadata.annotations.a',
  )
  table.accepts(
    'other metadata of the template is dropped',
    { 'spec/template/metadata/name': 'x' },
    { 'spec.template.metadata': {} },
  )
}

const disruptionCases = (table: Table): void => {
  const defaults = {
    consolidateAfter: '0s',
    consolidationPolicy: 'WhenEmptyOrUnderutilized',
    budgets: [{ nodes: '10%' }],
  }
  table.accepts('disruption absent is filled in', {}, { 'spec.disruption': defaults })
  table.accepts('disruption empty is filled in', { 'spec/disruption': {} }, { 'spec.disruption': defaults })
  table.accepts('disruption null is filled in', { 'spec/disruption': null }, { 'spec.disruption': defaults })
  table.accepts(
    'parts of disruption are filled in',
    { 'spec/disruption': { consolidationPolicy: 'WhenEmpty' } },
    {
      'spec.disruption': { ...defaults, consolidationPolicy: 'WhenEmpty' },
    },
  )
  table.accepts('no budgets at all', { 'spec/disruption/budgets': [] }, { 'spec.disruption.budgets': [] })
  table.accepts(
    'budgets null are the default',
    { 'spec/disruption/budgets': null },
    { 'spec.disruption.budgets': defaults.budgets },
  )
  table.accepts(
    'a budget without nodes',
    { 'spec/disruption/budgets': [{ reasons: ['Empty'] }] },
    {
      'spec.disruption.budgets': [{ reasons: ['Empty'], nodes: '10%' }],
    },
  )
  table.acceptsEach('spec/disruption/consolidateAfter', ['0s', '30s', '1h30m', 'Never'])
  table.refusesEach(
    'spec/disruption/consolidateAfter',
    ['', '1d', '-1s', '1.5h', 'never', 30, '500ms'],
    'spec.disruption.consolidateAfter',
  )
  table.acceptsEach('spec/disruption/consolidationPolicy', ['WhenEmpty', 'WhenEmptyOrUnderutilized', 'Balanced'])
  table.refusesEach(
    'spec/disruption/consolidationPolicy',
    ['', 'WhenUnderutilized', 'Never', 'balanced', 1],
    'spec.disruption.consolidationPolicy',
  )
  table.refuses('disruption that is a text', { 'spec/disruption': 'WhenEmpty' }, 'spec.disruption')
  table.accepts(
    'a field of disruption from before v1 is dropped',
    { 'spec/disruption/expireAfter': '720h' },
    {
      'spec.disruption.expireAfter': undefined,
    },
  )
  budgetCases(table)
}

const budgetCases = (table: Table): void => {
  const budgets = 'spec/disruption/budgets'
  const field = 'spec.disruption.budgets'
  const one = (changes: object): object => ({ [budgets]: [{ nodes: '1', ...changes }] })
  for (const nodes of ['0', '1', '10', '1000', '0%', '5%', '10%', '99%', '100%', '007'])
    table.accepts(`a budget of ${JSON.stringify(nodes)} nodes`, { ...one({ nodes }) })
  for (const nodes of ['', '-1', '101%', '1000%', '10 %', '1.5', '%', 'ten', 10, '10%%', '0100%']) {
    table.refuses(`a budget of ${JSON.stringify(nodes)} nodes`, { ...one({ nodes }) }, `${field}[0].nodes`)
  }
  for (const schedule of [
    '@daily',
    '@hourly',
    '@weekly',
    '@monthly',
    '@yearly',
    '@annually',
    '@midnight',
    '0 9 * * 1-5',
    '*/15 * * * *',
    'a b c d e',
  ]) {
    table.accepts(`budget on ${schedule}`, { ...one({ schedule, duration: '1h' }) })
  }
  for (const schedule of ['', '@never', '* * * *', 'daily', 1]) {
    table.refuses(
      `budget on ${JSON.stringify(schedule)}`,
      { ...one({ schedule, duration: '1h' }) },
      `${field}[0].schedule`,
    )
  }
  for (const duration of ['1h', '90m', '1h30m', '8h0s', '10m0s', '1h30m0s', '0h'])
    table.accepts(`budget for ${duration}`, { ...one({ schedule: '@daily', duration }) })
  for (const duration of ['', '30s', '1h30s', '1d', '30m1h', '1.5h', '-1h', 'Never', 1]) {
    table.refuses(
      `budget for ${JSON.stringify(duration)}`,
      { ...one({ schedule: '@daily', duration }) },
      `${field}[0].duration`,
    )
  }
  table.refuses('a schedule without duration', { ...one({ schedule: '@daily' }) }, field)
  table.refuses('a duration without schedule', { ...one({ duration: '1h' }) }, field)
  table.refuses(
    'one of two budgets without duration',
    { [budgets]: [{ nodes: '1' }, { nodes: '1', schedule: '@daily' }] },
    field,
  )
  for (const reasons of [[], ['Empty'], ['Drifted'], ['Underutilized'], ['Empty', 'Drifted', 'Underutilized']]) {
    table.accepts(
      `budget for the reasons ${JSON.stringify(reasons)}`,
      { ...one({ reasons }) },
      { [`${field}.0.reasons`]: reasons },
    )
  }
  table.refuses('a reason twice', { ...one({ reasons: ['Empty', 'Empty'] }) }, `${field}[0].reasons[1]`)
  for (const reason of ['empty', '', 'Expired', 1])
    table.refuses(`the reason ${JSON.stringify(reason)}`, { ...one({ reasons: [reason] }) }, `${field}[0].reasons[0]`)
  table.accepts('fifty budgets', { [budgets]: many(50, () => ({ nodes: '1' })) })
  table.refuses('51 budgets', { [budgets]: many(51, () => ({ nodes: '1' })) }, field)
  table.accepts('the same budget twice', { [budgets]: [{ nodes: '1' }, { nodes: '1' }] })
}

const sizeCases = (table: Table): void => {
  quantityCases(table, 'spec/limits')
  table.accepts('limits of several resources', { 'spec/limits': { cpu: 1000, memory: '1000Gi', nodes: '10' } })
  table.acceptsEach('spec/weight', [1, 50, 100])
  table.refusesEach('spec/weight', [0, -1, 101, 1.5, '10', 2147483648], 'spec.weight')
  table.accepts('weight null counts as absent', { 'spec/weight': null }, { 'spec.weight': undefined })
  table.accepts(
    'weight has no default',
    {},
    { 'spec.weight': undefined, 'spec.replicas': undefined, 'spec.limits': undefined },
  )
  table.acceptsEach('spec/replicas', [0, 1, 1000])
  table.refusesEach('spec/replicas', [1.5, '3'], 'spec.replicas', '.spec.replicas')
  table.refuses('replicas below zero', { 'spec/replicas': -1 }, 'spec.replicas', '.spec.replicas')
  table.refuses('more replicas than 32 bits hold', { 'spec/replicas': 2147483648 }, '.spec.replicas')
  table.accepts('replicas with a limit on nodes', { 'spec/replicas': 3, 'spec/limits': { nodes: 5 } })
  table.accepts('replicas with no limits in limits', { 'spec/replicas': 3, 'spec/limits': {} })
  table.refuses('replicas with a limit on cpu', { 'spec/replicas': 3, 'spec/limits': { cpu: 5 } }, 'spec')
  table.refuses(
    'replicas with limits on nodes and cpu',
    { 'spec/replicas': 3, 'spec/limits': { cpu: 5, nodes: 1 } },
    'spec',
  )
  table.refuses('replicas with a weight', { 'spec/replicas': 3, 'spec/weight': 5 }, 'spec')
}

const rootCases = (table: Table): void => {
  table.accepts('the least', {})
  table.refuses('no spec', { spec: undefined }, 'spec')
  table.refuses('no template', { 'spec/template': undefined }, 'spec.template')
  table.refuses('no spec in the template', { 'spec/template/spec': undefined }, 'spec.template.spec')
  table.refuses('a spec that is a list', { spec: [] }, 'spec', '.spec.replicas')
  table.accepts(
    'an unknown field is dropped',
    { 'spec/extra': { a: 1 }, extra: 1, 'spec/template/spec/extra': [1] },
    {
      'spec.extra': undefined,
      extra: undefined,
      'spec.template.spec.extra': undefined,
    },
  )
  table.accepts(
    'fields of v1beta1 are dropped',
    { 'spec/template/spec/kubelet': { maxPods: 10 }, 'spec/template/spec/resources': {} },
    {
      'spec.template.spec.kubelet': undefined,
      'spec.template.spec.resources': undefined,
    },
  )
  table.accepts('a status is not taken on creation', { status: { nodes: 5 } }, { status: undefined })
  table.accepts(
    'unknown metadata does no harm',
    { 'metadata/labels': { a: 'b' }, 'metadata/annotations': { c: 'd' } },
    {
      'metadata.labels': { a: 'b' },
      'metadata.annotations': { c: 'd' },
    },
  )
  for (const name of ['UPPER', 'under_score', 'a b', '-a', 'a-', long(254)])
    table.refuses(
      `the name ${name.length > 12 ? `of ${name.length} characters` : name}`,
      { 'metadata/name': name },
      'metadata.name',
    )
  for (const name of ['a', 'a.b', '0', long(253)])
    table.accepts(`the name ${name.length > 12 ? `of ${name.length} characters` : name}`, { 'metadata/name': name })
  table.refuses('a metadata label that is no label', { 'metadata/labels': { a: 'b c' } }, 'metadata.labels')
  table.refuses('a metadata label key that is none', { 'metadata/labels': { 'a b': 'c' } }, 'metadata.labels')
  table.refuses(
    'a metadata annotation key that is none',
    { 'metadata/annotations': { 'a b': 'c' } },
    'metadata.annotations',
  )
}

/** Adds cases about updates. The function is long because it is a table. */
const updateCases = (table: Table): void => {
  const ref = 'spec/template/spec/nodeClassRef'
  table.update('nothing changes', {}, {}, accepted())
  table.update(
    'another node class of the kind',
    {},
    { [`${ref}/name`]: 'other' },
    accepted({ 'spec.template.spec.nodeClassRef.name': 'other' }),
  )
  table.update(
    'a node class of another kind',
    {},
    { [`${ref}/kind`]: 'OtherNodeClass' },
    refused('spec.template.spec.nodeClassRef'),
  )
  table.update(
    'a node class of another group',
    {},
    { [`${ref}/group`]: 'other.example.com' },
    refused('spec.template.spec.nodeClassRef'),
  )
  table.update('dynamic becomes static', {}, { 'spec/replicas': 1 }, refused('spec'))
  table.update('static becomes dynamic', { 'spec/replicas': 1 }, { 'spec/replicas': undefined }, refused('spec'))
  table.update('static is scaled', { 'spec/replicas': 1 }, { 'spec/replicas': 5 }, accepted({ 'spec.replicas': 5 }))
  table.update(
    'static is scaled to nothing',
    { 'spec/replicas': 1 },
    { 'spec/replicas': 0 },
    accepted({ 'spec.replicas': 0 }),
  )
  table.update('static gets a limit on cpu', { 'spec/replicas': 1 }, { 'spec/limits': { cpu: 1 } }, refused('spec'))
  table.update('a limit is added', {}, { 'spec/limits': { cpu: 1 } }, accepted({ 'spec.limits.cpu': 1 }))
  table.update(
    'a limit is removed',
    { 'spec/limits': { cpu: 1 } },
    { 'spec/limits': undefined },
    accepted({ 'spec.limits': undefined }),
  )
  table.update(
    'a limit becomes bad',
    { 'spec/limits': { cpu: 1 } },
    { 'spec/limits': { cpu: 'x' } },
    refused('spec.limits.cpu'),
  )
  table.update(
    'requirements change',
    {},
    { 'spec/template/spec/requirements': [{ key: 'a', operator: 'Exists' }] },
    accepted(),
  )
  table.update(
    'requirements become bad',
    {},
    { 'spec/template/spec/requirements': [{ key: 'a', operator: 'In' }] },
    refused('spec.template.spec.requirements'),
  )
  table.update(
    'a removed default comes back',
    { 'spec/disruption': { consolidateAfter: '5m' } },
    { 'spec/disruption': undefined },
    accepted({ 'spec.disruption.consolidateAfter': '0s' }),
  )
  table.update(
    'the status is not taken by an update',
    { status: { nodes: 1 } },
    { status: { nodes: 9 } },
    accepted({ 'status.nodes': 1 }),
  )
  table.update(
    'a bad status is not even looked at by an update',
    {},
    { status: { nodes: 'x' } },
    accepted({ status: undefined }),
  )
  table.update(
    'labels of the object change',
    {},
    { 'metadata/labels': { a: 'b' } },
    accepted({ 'metadata.labels.a': 'b' }),
  )
}

const statusCases = (table: Table): void => {
  table.updateStatus(
    'resources',
    {},
    { status: { resources: { cpu: '3', memory: '1Gi', nodes: 1 }, nodes: 1 } },
    accepted({ 'status.nodes': 1 }),
  )
  table.updateStatus('nodes has a default', {}, { status: { resources: {} } }, accepted({ 'status.nodes': 0 }))
  table.updateStatus('nodes that are a text', {}, { status: { nodes: '1' } }, refused('status.nodes', '.status.nodes'))
  table.updateStatus('fewer nodes than none', {}, { status: { nodes: -1 } }, refused('.status.nodes'))
  table.updateStatus(
    'resources that are none',
    {},
    { status: { resources: { cpu: 'x' } } },
    refused('status.resources.cpu'),
  )
  table.updateStatus(
    'the spec is not taken by a status update',
    {},
    { 'spec/weight': 7, status: { nodes: 2 } },
    accepted({ 'spec.weight': undefined, 'status.nodes': 2 }),
  )
  table.updateStatus(
    'a bad spec is not even looked at by a status update',
    {},
    { 'spec/weight': 'x', status: { nodes: 2 } },
    accepted({ 'spec.weight': undefined }),
  )
  table.updateStatus(
    'an unknown field is dropped from the status',
    {},
    { status: { nodes: 2, extra: 1 } },
    accepted({ 'status.extra': undefined }),
  )
  table.updateStatus(
    'the generation seen',
    {},
    { status: { nodeClassObservedGeneration: 4 } },
    accepted({ 'status.nodeClassObservedGeneration': 4 }),
  )
  conditionCases(table, false)
}

export const nodePoolCases = (): readonly ConformanceCase[] => {
  const table = caseTable(nodePoolResource.kind, base)
  rootCases(table)
  templateCases(table, 'spec/template/spec')
  labelCases(table)
  disruptionCases(table)
  sizeCases(table)
  updateCases(table)
  statusCases(table)
  return table.cases
}
