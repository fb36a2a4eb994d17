import { describe, expect, test } from 'vitest'
import { annotatedDeployment, capacityAnnotations } from '../testing/deployment.ts'
import { readCapacityType } from './capacity-type.ts'
import { mayGrow } from './max-size.ts'
import { readNodeLabels } from './node-labels.ts'
import { readHourlyPrice } from './price.ts'
import type { Reading } from './problem.ts'
import { readDeclaredTaints } from './taints.ts'

const reasonsOf = ({ problems }: Reading<unknown>) => problems.map(({ reason }) => reason)

describe('labels (providers/cluster-api/docs/spec/cluster-api.md#labels)', () => {
  const labels = (text: string, templateLabels: Readonly<Record<string, string>> = {}) =>
    readNodeLabels(annotatedDeployment(capacityAnnotations({ labels: text }), { templateLabels }))

  test('those of the template are the ones that Cluster API copies to Nodes', () => {
    const copied = {
      'node-role.kubernetes.io/worker': '',
      'node-restriction.kubernetes.io/team': 'a',
      'x.node-restriction.kubernetes.io/team': 'b',
      'node.cluster.x-k8s.io': 'workload-target',
      'node.cluster.x-k8s.io/tier': 'web',
      'deep.node.cluster.x-k8s.io/tier': 'db',
    }
    const kept = {
      app: 'shop',
      'cluster.x-k8s.io/cluster-name': 'bed',
      'x.node-role.kubernetes.io/worker': '',
      'notnode.cluster.x-k8s.io/tier': 'x',
      'topology.kubernetes.io/zone': 'a',
      'node.cluster.x-k8s.io/karpenter-member': '',
    }
    expect(labels('', { ...copied, ...kept })).toEqual({ value: copied, problems: [] })
  })

  test('those of the annotation override those of the template', () => {
    const key = 'node.cluster.x-k8s.io/tier'
    expect(labels(`${key}=db`, { [key]: 'web' })).toEqual({ value: { [key]: 'db' }, problems: [] })
  })

  test('are split at the first "=", with white space, empty values, empty parts and deprecated names', () => {
    expect(labels(' a = b ,, empty=,beta.kubernetes.io/arch=arm64,')).toEqual({
      value: { a: 'b', empty: '', 'kubernetes.io/arch': 'arm64' },
      problems: [],
    })
  })

  test.each(['no-value', '=value', 'a=b=c', 'a b=c', 'a=b c', 'a/b/c=d', `a=${'v'.repeat(64)}`, '__proto__=x'])(
    '%j is left out and named; the others stay',
    (part) => {
      const reading = labels(`x=1,${part},y=2`)
      expect(reading.value).toEqual({ x: '1', y: '2' })
      expect(reading.problems).toMatchObject([{ reason: 'LabelInvalid', consequence: 'left-out', found: part }])
    },
  )

  test.each([
    'kubernetes.io/hostname=a',
    'karpenter.sh/nodepool=a',
    'karpenter.sh/registered=true',
    'karpenter.cluster.x-k8s.io/mine=a',
    'node.karpenter.cluster.x-k8s.io/mine=a',
  ])('%s may not be set by users', (part) => {
    const reading = labels(part)
    expect(reading.value).toEqual({})
    expect(reading.problems).toMatchObject([{ reason: 'LabelRestricted', found: part }])
  })

  test('well-known labels of this provider are accepted', () => {
    const key = 'karpenter.cluster.x-k8s.io/instance-family'
    expect(labels(`${key}=metal`)).toEqual({ value: { [key]: 'metal' }, problems: [] })
  })
})

describe('capacity type', () => {
  const capacityType = (text?: string) =>
    readCapacityType(annotatedDeployment({}), text === undefined ? {} : { 'karpenter.sh/capacity-type': text })

  test.each([
    [undefined, 'on-demand'],
    ['on-demand', 'on-demand'],
    ['spot', 'spot'],
  ])('%s is %s', (text, expected) => {
    expect(capacityType(text)).toEqual({ value: expected, problems: [] })
  })

  test.each(['Spot', 'reserved', ''])('%j is not a capacity type', (text) => {
    expect(capacityType(text).value).toBeUndefined()
    expect(reasonsOf(capacityType(text))).toEqual(['CapacityTypeUnknown'])
  })
})

describe('price (providers/cluster-api/docs/spec/cluster-api.md#prices)', () => {
  const price = (text: string) => readHourlyPrice(annotatedDeployment({ 'kerf.sh/hourly-price': text }))

  test.each([
    ['0.192', 0.192],
    [' 3 ', 3],
    ['0', 0],
    ['00.5', 0.5],
  ])('%j is %d', (text, expected) => {
    expect(price(text)).toEqual({ value: expected, problems: [] })
  })

  test.each(['', 'cheap', '$0.10', '0,10', '-1', '1e3', 'Infinity', 'NaN', '0x10', '.5', '1.', '9'.repeat(400)])(
    '%j is not a price',
    (text) => {
      expect(price(text).value).toBeUndefined()
      expect(price(text).problems).toMatchObject([{ reason: 'PriceUnreadable', key: 'kerf.sh/hourly-price' }])
    },
  )

  test('an absent price is unknown, which is not a problem of the deployment', () => {
    const others = { 'cluster.x-k8s.io/machine-current-price': '0.50' }
    expect(readHourlyPrice(annotatedDeployment(others))).toEqual({ value: undefined, problems: [] })
  })
})

describe('maximum size', () => {
  const KEY = 'cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size'
  const growth = (text: string, replicas = 3) => mayGrow(annotatedDeployment({ [KEY]: text }, { replicas }))

  test('without a maximum, the deployment may always grow', () => {
    expect(mayGrow(annotatedDeployment({}, { replicas: 5000 }))).toEqual({ value: true, problems: [] })
  })

  test.each([
    ['4', true],
    ['+4', true],
    ['3', false],
  ])('%s with three replicas: may grow %s', (text, expected) => {
    expect(growth(text)).toEqual({ value: expected, problems: [] })
  })

  test('0 with no replicas: may not grow, and no problem is reported', () => {
    expect(growth('0', 0)).toEqual({ value: false, problems: [] })
  })

  test('2 with three replicas is exceeded', () => {
    expect(growth('2').value).toBe(false)
    expect(growth('2').problems).toMatchObject([{ reason: 'MaxSizeExceeded', consequence: 'no-launch', found: '2' }])
  })

  test.each(['ten', '', '-1', '1.5', '1e3', '99999999999'])('%j is not a size, and nothing is launched', (text) => {
    expect(growth(text).value).toBe(false)
    expect(reasonsOf(growth(text))).toEqual(['MaxSizeUnreadable'])
  })
})

describe('taints (providers/cluster-api/docs/spec/cluster-api.md#taints)', () => {
  const taints = (text: string) => readDeclaredTaints(annotatedDeployment(capacityAnnotations({ taints: text })))

  test('with and without value', () => {
    expect(taints('dedicated=db:NoSchedule, example.com/x:NoExecute,empty=:PreferNoSchedule,')).toEqual({
      value: [
        { key: 'dedicated', value: 'db', effect: 'NoSchedule' },
        { key: 'example.com/x', effect: 'NoExecute' },
        { key: 'empty', effect: 'PreferNoSchedule' },
      ],
      problems: [],
    })
  })

  test.each(['dedicated=db', 'a=b:Never', ':NoSchedule', 'a=b=c:NoSchedule', 'a b:NoSchedule', 'a:noschedule'])(
    '%j is left out and named; the others stay',
    (part) => {
      const reading = taints(`x:NoSchedule,${part}`)
      expect(reading.value).toEqual([{ key: 'x', effect: 'NoSchedule' }])
      expect(reading.problems).toMatchObject([{ reason: 'TaintInvalid', consequence: 'left-out', found: part }])
    },
  )
})
