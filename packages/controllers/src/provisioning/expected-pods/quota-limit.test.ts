import type { Pod, ResourceQuota } from '@kerf/apis'
import { pod } from '@kerf/testing'
import { expect, test } from 'vitest'
import { QuotaLimit } from './quota-limit.ts'

const quota = (
  hard: Readonly<Record<string, string>>,
  more: Partial<ResourceQuota['spec']> = {},
  used = {},
): ResourceQuota => ({
  apiVersion: 'v1',
  kind: 'ResourceQuota',
  metadata: { name: 'quota' },
  spec: { hard, ...more },
  status: { hard, used },
})
const web = (spec: Partial<Pod['spec']> = {}): Pod =>
  pod('web', {
    spec: {
      containers: [{ name: 'main', resources: { requests: { cpu: '500m', memory: '1Gi' }, limits: { cpu: '1' } } }],
      ...spec,
    },
  })
const idle = pod('idle', { spec: { containers: [{ name: 'main' }] } })
const selected = (operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist', values?: readonly string[]) => ({
  scopeSelector: {
    matchExpressions: [{ scopeName: 'PriorityClass', operator, ...(values === undefined ? {} : { values }) }],
  },
})

test.each<[string, readonly ResourceQuota[], Pod, number]>([
  ['no quota', [], web(), 10],
  ['pods', [quota({ pods: '3' })], web(), 3],
  ['used amounts', [quota({ pods: '5' }, {}, { pods: '3' })], web(), 2],
  ['count/pods', [quota({ 'count/pods': '4' })], web(), 4],
  ['requests.cpu', [quota({ 'requests.cpu': '2' })], web(), 4],
  ['cpu is requests.cpu', [quota({ cpu: '1' })], web(), 2],
  ['requests.memory', [quota({ 'requests.memory': '5Gi' })], web(), 5],
  ['limits.cpu', [quota({ 'limits.cpu': '3' })], web(), 3],
  ['the smallest of several', [quota({ pods: '7' }), quota({ cpu: '3' })], web(), 6],
  ['a resource that the pod does not use', [quota({ 'requests.nvidia.com/gpu': '0' })], web(), 10],
  ['exhausted', [quota({ pods: '2' }, {}, { pods: '5' })], web(), 0],
  ['BestEffort applies to pods without resources', [quota({ pods: '1' }, { scopes: ['BestEffort'] })], idle, 1],
  ['BestEffort does not apply to other pods', [quota({ pods: '1' }, { scopes: ['BestEffort'] })], web(), 10],
  ['NotBestEffort', [quota({ pods: '1' }, { scopes: ['NotBestEffort'] })], idle, 10],
  ['Terminating', [quota({ pods: '1' }, { scopes: ['Terminating'] })], web({ activeDeadlineSeconds: 60 }), 1],
  ['NotTerminating', [quota({ pods: '1' }, { scopes: ['NotTerminating'] })], web({ activeDeadlineSeconds: 60 }), 10],
  [
    'a priority class in the list',
    [quota({ pods: '1' }, selected('In', ['high']))],
    web({ priorityClassName: 'high' }),
    1,
  ],
  [
    'a priority class not in the list',
    [quota({ pods: '1' }, selected('In', ['high']))],
    web({ priorityClassName: 'low' }),
    10,
  ],
  ['NotIn', [quota({ pods: '1' }, selected('NotIn', ['high']))], web({ priorityClassName: 'low' }), 1],
  ['Exists', [quota({ pods: '1' }, selected('Exists'))], web(), 10],
  ['DoesNotExist', [quota({ pods: '1' }, selected('DoesNotExist'))], web(), 1],
  ['an unknown scope applies', [quota({ pods: '1' }, { scopes: ['Later'] })], web(), 1],
])('%s', (_, quotas, template, admitted) => {
  expect(new QuotaLimit(quotas).admit(template, 10)).toBe(admitted)
})

test('owners in the same namespace share its quotas', () => {
  const limit = new QuotaLimit([quota({ pods: '5' })])
  expect([limit.admit(web(), 3), limit.admit(web(), 3), limit.admit(web(), 3)]).toEqual([3, 2, 0])
})

test('an owner whose pods a quota admits only partly uses up no more than the admitted part', () => {
  const limit = new QuotaLimit([quota({ 'requests.cpu': '1700m' })])
  const small = web({ containers: [{ name: 'main', resources: { requests: { cpu: '100m' } } }] })
  expect([limit.admit(web(), 8), limit.admit(small, 8)]).toEqual([3, 2])
})
