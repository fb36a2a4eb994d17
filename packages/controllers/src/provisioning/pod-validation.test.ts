import { coreVocabulary, kinds, labels, type PersistentVolumeClaim, type Pod, type StorageClass } from '@kerf/apis'
import { pod } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { ManualInformers } from '../testing/by-hand/manual-informers.ts'
import { validatePod } from './pod-validation.ts'
import { volumeLookup } from './volume-validation.ts'

const none = volumeLookup(new ManualInformers())
const required = (...expressions: readonly { key: string; operator: string; values?: readonly string[] }[]): Pod =>
  pod('p', {
    spec: {
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            // This test also uses operators that do not exist.
            nodeSelectorTerms: [{ matchExpressions: expressions as never }],
          },
        },
      },
    },
  })
const verdict = (of: Pod) => {
  const found = validatePod(of, coreVocabulary.withWellKnown(['karpenter.kwok.sh/instance-size']), none)
  return found.kind === 'invalid' ? found.problems : found.kind
}

describe('the requirements of a pod', () => {
  test.each<[string, Pod, ReturnType<typeof verdict>]>([
    ['no requirements', pod('p'), 'valid'],
    ['a well-known label', required({ key: labels.zone, operator: 'In', values: ['a'] }), 'valid'],
    [
      'an alias of a well-known label',
      pod('p', { spec: { nodeSelector: { 'beta.kubernetes.io/arch': 'arm64' } } }),
      'valid',
    ],
    [
      'a label of the provider',
      required({ key: 'karpenter.kwok.sh/instance-size', operator: 'Gt', values: ['4'] }),
      'valid',
    ],
    ['a custom label', required({ key: 'team', operator: 'Exists' }), 'valid'],
    [
      'the host name',
      pod('p', { spec: { nodeSelector: { [labels.hostname]: 'a' } } }),
      [expect.stringContaining('label kubernetes.io/hostname is restricted') as never],
    ],
    [
      'a capacity type that does not exist',
      required({ key: labels.capacityType, operator: 'In', values: ['spto'] }),
      ['karpenter.sh/capacity-type: no listed value is possible (possible values: on-demand, spot, reserved)'],
    ],
    [
      'a limit that is not a number',
      required({ key: 'team', operator: 'Gte', values: ['-1'] }),
      [
        'value "-1" of key team: a label value must consist of letters, digits, "-", "_" and ".", and start and end with a letter or digit',
        'key team with operator Gte needs exactly one non-negative integer',
      ],
    ],
    [
      'an operator that does not exist',
      required({ key: 'team', operator: 'Near' }),
      ['key team has an unsupported operator Near'],
    ],
    [
      'an empty list',
      required({ key: 'team', operator: 'In', values: [] }),
      ['key team with operator In has no value'],
    ],
    ['the exclusion of Kerf’s nodes', required({ key: labels.nodePool, operator: 'DoesNotExist' }), 'avoids'],
  ])('%s', (_, of, expected) => expect(verdict(of)).toEqual(expected))

  test('node affinity with matchFields is reported as not supported', () => {
    const byField = pod('p', {
      spec: {
        affinity: {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: {
              nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['a'] }] }],
            },
          },
        },
      },
    })
    expect(verdict(byField)).toEqual(['node affinity by matchFields is not supported'])
  })

  test('only the preference with the highest weight decides whether a pod avoids Kerf’s nodes; preferences are not refused', () => {
    const preferring = (...weights: readonly [number, string][]): Pod =>
      pod('p', {
        spec: {
          affinity: {
            nodeAffinity: {
              preferredDuringSchedulingIgnoredDuringExecution: weights.map(([weight, key]) => ({
                weight,
                preference: { matchExpressions: [{ key, operator: 'DoesNotExist' as const }] },
              })),
            },
          },
        },
      })
    expect(verdict(preferring([1, labels.nodePool], [50, 'team']))).toBe('valid')
    expect(verdict(preferring([90, labels.nodePool], [50, 'team']))).toBe('avoids')
    expect(verdict(preferring([1, labels.hostname]))).toBe('valid')
  })
})

describe('volumes', () => {
  const claim = (
    spec: PersistentVolumeClaim['spec'],
    more: Partial<PersistentVolumeClaim> = {},
  ): PersistentVolumeClaim => ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'data', namespace: 'default', ...more.metadata },
    spec,
    ...(more.status === undefined ? {} : { status: more.status }),
  })
  const storageClass = (more: Partial<StorageClass> = {}): StorageClass => ({
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: 'fast' },
    provisioner: 'csi.example.com',
    volumeBindingMode: 'WaitForFirstConsumer',
    ...more,
  })
  const bound = { annotations: { 'pv.kubernetes.io/bind-completed': 'yes' }, name: 'data', namespace: 'default' }
  const volume = { apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name: 'pv-1' }, spec: {} }
  const ephemeral = { name: 'data', ephemeral: {} }
  const mounted = { name: 'data', persistentVolumeClaim: { claimName: 'data' } }

  test.each<[string, (informers: ManualInformers) => void, string | undefined]>([
    ['missing', () => {}, 'it does not exist'],
    [
      'without a class',
      (i) => i.put(kinds.PersistentVolumeClaim, claim({})),
      'it is unbound and sets no storage class',
    ],
    [
      'of a missing class',
      (i) => i.put(kinds.PersistentVolumeClaim, claim({ storageClassName: 'slow' })),
      'its storage class slow does not exist',
    ],
    [
      'of a class that binds immediately',
      (i) => {
        i.put(kinds.PersistentVolumeClaim, claim({ storageClassName: 'fast' }))
        i.put(kinds.StorageClass, storageClass({ volumeBindingMode: 'Immediate' }))
      },
      'it is unbound and its storage class fast binds immediately',
    ],
    [
      'to be created in the zone of the pod',
      (i) => {
        i.put(kinds.PersistentVolumeClaim, claim({ storageClassName: 'fast' }))
        i.put(kinds.StorageClass, storageClass())
      },
      undefined,
    ],
    [
      'of a provisioner that is not supported',
      (i) => {
        i.put(kinds.PersistentVolumeClaim, claim({ storageClassName: 'fast' }))
        i.put(kinds.StorageClass, storageClass({ provisioner: 'ebs.legacy' }))
      },
      'provisioner ebs.legacy is not supported',
    ],
    [
      'lost',
      (i) => i.put(kinds.PersistentVolumeClaim, claim({ volumeName: 'pv-1' }, { status: { phase: 'Lost' } })),
      'its volume is lost',
    ],
    [
      'bound to a missing volume',
      (i) => i.put(kinds.PersistentVolumeClaim, claim({ volumeName: 'pv-1' })),
      'its PersistentVolume pv-1 does not exist',
    ],
    [
      'bound incompletely',
      (i) => {
        i.put(kinds.PersistentVolumeClaim, claim({ volumeName: 'pv-1' }))
        i.put(kinds.PersistentVolume, volume)
      },
      'its binding to pv-1 is not complete',
    ],
    [
      'bound',
      (i) => {
        i.put(kinds.PersistentVolumeClaim, claim({ volumeName: 'pv-1' }, { metadata: bound }))
        i.put(kinds.PersistentVolume, volume)
      },
      undefined,
    ],
  ])('a claim that is %s', (_, fill, problem) => {
    const informers = new ManualInformers()
    fill(informers)
    const lookup = volumeLookup(informers, { provisioners: ['ebs.legacy'] })
    const found = validatePod(pod('p', { spec: { volumes: [mounted] } }), coreVocabulary, lookup)
    expect(found).toEqual(
      problem === undefined
        ? { kind: 'valid' }
        : { kind: 'invalid', problems: [`persistentvolumeclaim data: ${problem}`] },
    )
  })

  test('an ephemeral volume’s claim is named after the pod', () => {
    const found = validatePod(pod('p', { spec: { volumes: [ephemeral] } }), coreVocabulary, none)
    expect(found).toEqual({ kind: 'invalid', problems: ['persistentvolumeclaim p-data: it does not exist'] })
  })
})
