import type { Pod } from '@kerf/apis'
import { awayFrom, near, running, spreadOver } from '@kerf/testing'
import { expect, test } from 'vitest'
import { cluster, node, pod, replicas, ZONE } from '../testing/cluster-builders.ts'

const pending = (each: Pod): Pod => ({ ...each, status: { phase: 'Pending' } })
const general = cluster().pool('general').set({ countsZones: true })
const inZones = (...values: readonly string[]) => ({
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchExpressions: [{ key: ZONE, operator: 'In' as const, values: [...values] }] }],
      },
    },
  },
})
const zonesOf = (problem: typeof general, ...pods: readonly Pod[]) =>
  Object.fromEntries(problem.schedule(...pods.map(pending)).plan.pendingByZone ?? [])

test('a pod without zone requirements or with several zones is flexible; otherwise its zone counts', () => {
  const pods = [
    pod('any'),
    pod('two', { spec: inZones('zone-1', 'zone-2') }),
    pod('one', { spec: inZones('zone-2') }),
    pod('selected', { spec: { nodeSelector: { [ZONE]: 'zone-2' } } }),
  ]
  expect(zonesOf(general, ...pods)).toEqual({ flexible: 2, 'zone-2': 2 })
})

test('an unknown zone counts as the requested zone, because it is not checked whether it exists', () => {
  expect(zonesOf(general, pod('far', { spec: inZones('zone-9') }))).toEqual({ 'zone-9': 1 })
})

test('spread and affinity count as they are before the first pod is placed', () => {
  const there = general.nodes(
    node('a', { zone: 'zone-1', pods: [running('a', pod('web-8'))] }),
    node('b', { zone: 'zone-2', pods: [running('b', pod('web-9'))] }),
  )
  expect(zonesOf(there, ...replicas(3, 'web', { spec: spreadOver(ZONE, 'web') }))).toEqual({ 'zone-3': 3 })
  expect(zonesOf(general, ...replicas(3, 'web', { spec: spreadOver(ZONE, 'web') }))).toEqual({ flexible: 3 })
  expect(zonesOf(there, pod('friend', { spec: near(ZONE, 'web') }))).toEqual({ flexible: 1 })
  expect(zonesOf(there, pod('shy', { spec: awayFrom(ZONE, 'web') }))).toEqual({ 'zone-3': 1 })
  expect(zonesOf(there, pod('lonely', { spec: near(ZONE, 'nobody') }))).toEqual({ none: 1 })
  const own = { ...awayFrom(ZONE, 'web'), nodeSelector: { [ZONE]: 'zone-1' } }
  expect(zonesOf(there, pod('torn', { spec: own }))).toEqual({ none: 1 })
})

test('volumes restrict a pod to their zones', () => {
  const spec = { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] }
  const claim = {
    apiVersion: 'v1' as const,
    kind: 'PersistentVolumeClaim' as const,
    metadata: { name: 'data', namespace: 'default', annotations: { 'pv.kubernetes.io/bind-completed': 'yes' } },
    spec: { volumeName: 'data' },
  }
  const bound = (...zones: readonly string[]) =>
    general.with({
      persistentVolumeClaims: [claim],
      persistentVolumes: [
        {
          apiVersion: 'v1',
          kind: 'PersistentVolume',
          metadata: { name: 'data' },
          spec: {
            nodeAffinity: {
              required: {
                nodeSelectorTerms: zones.map((zone) => ({
                  matchExpressions: [{ key: ZONE, operator: 'In' as const, values: [zone] }],
                })),
              },
            },
          },
        },
      ],
    })
  expect(zonesOf(bound('zone-2'), pod('reader', { spec }))).toEqual({ 'zone-2': 1 })
  expect(zonesOf(bound('zone-2', 'zone-3'), pod('reader', { spec }))).toEqual({ flexible: 1 })
  const torn = { ...spec, nodeSelector: { [ZONE]: 'zone-1' } }
  expect(zonesOf(bound('zone-2'), pod('torn', { spec: torn }))).toEqual({ none: 1 })
})

test('running pods are not counted, and without countsZones nothing is counted', () => {
  const { plan } = general.schedule({ ...pod('runs'), status: { phase: 'Running' } }, pending(pod('waits')))
  expect(Object.fromEntries(plan.pendingByZone ?? [])).toEqual({ flexible: 1 })
  expect(
    cluster()
      .pool('general')
      .schedule(pending(pod('waits'))).plan.pendingByZone,
  ).toBeUndefined()
})
