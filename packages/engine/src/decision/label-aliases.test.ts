import { LabelVocabulary, noVocabulary, type PersistentVolume, type PersistentVolumeClaim } from '@kerf/apis'
import { spreadOver } from '@kerf/testing'
import { expect, test } from 'vitest'
import { cluster, HOST, node, pod, replicas, ZONE } from '../testing/cluster-builders.ts'

const DRIVER = 'topology.example.com/zone'
const BETA = 'failure-domain.beta.kubernetes.io/zone'
const vocabulary = new LabelVocabulary({
  ...noVocabulary,
  restrictedDomains: ['own.example.com'],
  aliases: [{ alias: DRIVER, label: ZONE, values: [{ written: '', means: 'zone-3' }] }],
  knownValues: [{ label: 'kind.example.com/tenancy', values: ['shared'] }],
})
const general = cluster().set({ vocabulary }).pool('general')

const term = (...expressions: readonly (readonly [key: string, ...values: readonly string[]])[]) => ({
  matchExpressions: expressions.map(([key, ...values]) => ({ key, operator: 'In' as const, values })),
})

/** Returns the zone of the node for a pod whose volume has these terms, or `none`. */
const zoneFor = (...terms: readonly ReturnType<typeof term>[]): string => {
  const volume: PersistentVolume = {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: 'pv' },
    spec: { nodeAffinity: { required: { nodeSelectorTerms: terms } } },
  }
  const claim: PersistentVolumeClaim = {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'data', namespace: 'default', annotations: { 'pv.kubernetes.io/bind-completed': 'yes' } },
    spec: { volumeName: 'pv' },
  }
  const mounted = { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] }
  const { plan } = general
    .with({ persistentVolumes: [volume], persistentVolumeClaims: [claim] })
    .schedule(pod('db', { spec: mounted }))
  return plan.claims[0]?.cheapest.zone ?? 'none'
}

test('the terms of a volume are alternatives, and a term that contradicts itself through an alias is ignored', () => {
  expect(zoneFor(term([DRIVER, 'zone-2']))).toBe('zone-2')
  expect(zoneFor(term([DRIVER, '']))).toBe('zone-3')
  expect(zoneFor(term([DRIVER, 'elsewhere']), term([DRIVER, 'zone-3']))).toBe('zone-3')
  expect(zoneFor(term([DRIVER, 'zone-2', 'zone-3'], [ZONE, 'zone-3', 'zone-1']))).toBe('zone-3')
  expect(zoneFor(term([DRIVER, 'zone-2'], [ZONE, 'zone-3']))).toBe('none')
  expect(zoneFor(term([DRIVER, 'zone-2'], [ZONE, 'zone-3']), term([BETA, 'zone-2']))).toBe('zone-2')
})

test('a node with an alias of the zone label is in that zone, and the label itself takes precedence', () => {
  const labels = (own: Readonly<Record<string, string>>) => ({ [HOST]: 'old', 'kubernetes.io/arch': 'amd64', ...own })
  const place = (own: Readonly<Record<string, string>>, key: string, value: string) =>
    general
      .with({ nodes: [{ ...node('old'), labels: labels(own) }] })
      .schedule(pod('db', { spec: { nodeSelector: { [key]: value } } })).placements
  const there = { old: ['db'] }
  expect(place({ [DRIVER]: 'zone-2' }, ZONE, 'zone-2')).toEqual(there)
  expect(place({ [DRIVER]: '' }, BETA, 'zone-3')).toEqual(there)
  expect(place({ [ZONE]: 'zone-2' }, DRIVER, 'zone-2')).toEqual(there)
  expect(place({ [DRIVER]: 'zone-1', [ZONE]: 'zone-2' }, DRIVER, 'zone-2')).toEqual(there)
  expect(place({ [DRIVER]: 'zone-1', [ZONE]: 'zone-2' }, DRIVER, 'zone-1')).toEqual({})
})

test('spread constraints and pools may use an alias of the zone label', () => {
  const zones = general
    .schedule(replicas(3, 'web', { spec: spreadOver(DRIVER, 'web') }))
    .plan.claims.map(({ cheapest }) => cheapest.zone)
  expect(zones.sort()).toEqual(['zone-1', 'zone-2', 'zone-3'])
  const requirements = [{ key: DRIVER, operator: 'In' as const, values: ['zone-2'] }]
  const { plan } = cluster().set({ vocabulary }).pool('one', { requirements }).schedule(pod('a'))
  expect(plan.claims[0]?.cheapest.zone).toBe('zone-2')
})

test('domains and values that the provider restricts are enforced in decisions', () => {
  const refused = (nodeSelector: Readonly<Record<string, string>>) =>
    general.schedule(pod('a', { spec: { nodeSelector } })).plan.unschedulable[0]?.reasons.map(({ detail }) => detail)
  expect(JSON.stringify(refused({ 'own.example.com/x': '1' }))).toContain('is restricted')
  expect(JSON.stringify(refused({ 'kind.example.com/tenancy': 'host' }))).toContain('none of host exists; shared do')
})
