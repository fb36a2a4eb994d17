import { labels, type Pod } from '@kerf/apis'
import { pod } from '@kerf/testing'
import { expect, test } from 'vitest'
import { hardestFirst } from './leave-order.ts'

const asking = (name: string, cpu: string, memory: string, spec: Partial<Pod['spec']> = {}): Pod =>
  pod(name, {
    metadata: { labels: { app: 'web' } },
    spec: { containers: [{ name: 'main', resources: { requests: { cpu, memory } } }], ...spec },
  })

const podNames = (pods: readonly Pod[]): readonly string[] => pods.map(({ metadata }) => metadata.name)

const selector = { matchLabels: { app: 'web' } }
const spread = (whenUnsatisfiable: 'DoNotSchedule' | 'ScheduleAnyway'): Partial<Pod['spec']> => ({
  topologySpreadConstraints: [{ maxSkew: 1, topologyKey: labels.zone, whenUnsatisfiable, labelSelector: selector }],
})

test.each<[string, Partial<Pod['spec']>]>([
  ['a node selector', { nodeSelector: { [labels.arch]: 'arm64' } }],
  ['a hard topology spread', spread('DoNotSchedule')],
  [
    'a required anti-affinity',
    {
      affinity: {
        podAntiAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: labels.hostname, labelSelector: selector }],
        },
      },
    },
  ],
  [
    'a required node affinity',
    {
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchExpressions: [{ key: labels.zone, operator: 'In', values: ['a'] }] }],
          },
        },
      },
    },
  ],
  ['a volume', { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] }],
])('a small pod with %s is evicted before a large pod that fits anywhere', (_, spec) => {
  const pods = [asking('large', '4', '8Gi'), asking('bound', '250m', '256Mi', spec)]
  expect(podNames(hardestFirst(pods))).toEqual(['bound', 'large'])
})

test('preferences do not affect the order', () => {
  const pods = [asking('large', '4', '8Gi'), asking('preferring', '250m', '256Mi', spread('ScheduleAnyway'))]
  expect(podNames(hardestFirst(pods))).toEqual(['large', 'preferring'])
})

test('the larger pod is evicted first, and its size is its largest share of the requests', () => {
  const pods = [
    asking('small', '250m', '256Mi'),
    asking('much memory', '500m', '16Gi'),
    asking('much cpu', '2', '1Gi'),
    asking('as small', '250m', '256Mi'),
  ]
  expect(podNames(hardestFirst(pods))).toEqual(['much memory', 'much cpu', 'small', 'as small'])
})

test('pods without requests keep their order', () => {
  const pods = [pod('b'), pod('a')]
  expect(hardestFirst(pods)).toEqual(pods)
})
