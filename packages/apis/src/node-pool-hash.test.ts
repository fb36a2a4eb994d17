import { describe, expect, test } from 'vitest'
import { nodePoolHash } from './node-pool-hash.ts'
import type { NodePoolTemplate } from './resources/index.ts'

type Template = { metadata?: NodePoolTemplate['metadata']; spec?: Partial<NodePoolTemplate['spec']> }

const nodeClassRef = { group: 'karpenter.kwok.sh', kind: 'KWOKNodeClass', name: 'default' }

const hash = ({ metadata, spec }: Template): string =>
  nodePoolHash({
    spec: {
      template: {
        ...(metadata === undefined ? {} : { metadata }),
        spec: { requirements: [], nodeClassRef, expireAfter: '720h', ...spec },
      },
    },
  })

/** The vectors of `docs/spec/lifecycle.md#nodepool-controllers`, which were generated with upstream's function. */
const vectors: readonly (readonly [string, Template, string])[] = [
  [
    'empty template',
    { spec: { nodeClassRef: { group: '', kind: '', name: '' }, expireAfter: 'Never' } },
    '17307646073972311821',
  ],
  ['ref only, expireAfter Never', { spec: { expireAfter: 'Never' } }, '7428780003907761376'],
  ['base', {}, '12745407319442031341'],
  ['label', { metadata: { labels: { team: 'a' } } }, '10172464548043488983'],
  ['two labels', { metadata: { labels: { team: 'a', env: 'prod' } } }, '17411878721874582034'],
  ['annotation', { metadata: { annotations: { k: 'v' } } }, '17705695004675522736'],
  ['taint', { spec: { taints: [{ key: 'dedicated', value: 'gpu', effect: 'NoSchedule' }] } }, '1861720833323781758'],
  [
    'the same as startup taint',
    { spec: { startupTaints: [{ key: 'dedicated', value: 'gpu', effect: 'NoSchedule' }] } },
    '17846811830399163832',
  ],
  ['grace period', { spec: { terminationGracePeriod: '30s' } }, '1541386002117396403'],
  [
    'two taints',
    {
      spec: {
        taints: [
          { key: 'a', effect: 'NoSchedule' },
          { key: 'b', effect: 'NoExecute' },
        ],
      },
    },
    '463741391837728268',
  ],
  [
    'two taints the other way round',
    {
      spec: {
        taints: [
          { key: 'b', effect: 'NoExecute' },
          { key: 'a', effect: 'NoSchedule' },
        ],
      },
    },
    '463741391837728268',
  ],
  [
    'a taint twice',
    {
      spec: {
        taints: [
          { key: 'a', effect: 'NoSchedule' },
          { key: 'a', effect: 'NoSchedule' },
        ],
      },
    },
    '845502862369909111',
  ],
]

describe('the hash of a NodePool', () => {
  test.each(vectors)('%s', (_, template, expected) => {
    expect(hash(template)).toBe(expected)
  })

  test('does not depend on requirements, limits and disruption', () => {
    const requirements = [{ key: 'kubernetes.io/arch', operator: 'In', values: ['arm64'] }] as const
    expect(hash({ spec: { requirements } })).toBe(hash({}))
  })

  test('is the same if a duration is written in another way', () => {
    expect(hash({ spec: { expireAfter: '43200m' } })).toBe(hash({}))
  })

  test('of a taint with a time is the same as in Go', () => {
    const taints = [{ key: 'a', effect: 'NoExecute', timeAdded: '2024-05-06T07:08:09Z' }] as const
    expect(hash({ spec: { taints } })).toBe('10820689153684413371')
  })

  test('differs between an empty and an absent list', () => {
    expect(hash({ spec: { taints: [] } })).not.toBe(hash({}))
  })
})
