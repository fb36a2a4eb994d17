import { expect, test } from 'vitest'
import {
  claimInName,
  instanceName,
  instanceNameProblem,
  placeInProviderId,
  providerIdFor,
  requestIdFor,
} from './instance-names.ts'

test('the instance name contains the claim’s name, so Kerf can find the claim', () => {
  expect(instanceName('general-x7k2p')).toBe('karpenter-general-x7k2p')
  expect(claimInName('karpenter-general-x7k2p')).toBe('general-x7k2p')
  expect(claimInName('gke-demo-default-pool-1')).toBeUndefined()
})

test('a claim whose instance would have an invalid name is refused with the reason', () => {
  expect(instanceNameProblem('a'.repeat(53))).toBeUndefined()
  expect(instanceNameProblem('a'.repeat(54))).toContain('at most 53')
  expect(instanceNameProblem('general.v2-x7k2p')).toContain('"general.v2-x7k2p"')
})

test('provider IDs contain project, zone and instance', () => {
  const place = { project: 'demo', zone: 'us-central1-a', name: 'karpenter-a' }
  expect(providerIdFor(place)).toBe('gce://demo/us-central1-a/karpenter-a')
  expect(placeInProviderId('gce://demo/us-central1-a/karpenter-a')).toEqual(place)
  for (const other of ['', 'other:///zone-1/vm-1', 'gce://demo/us-central1-a', 'gce://demo//karpenter-a'])
    expect(placeInProviderId(other)).toBeUndefined()
})

test('request ids are UUIDs that depend on the claim, the offering and the attempt', () => {
  const offering = { zone: 'us-central1-a', instanceType: 'n2-standard-4', capacityType: 'spot' }
  const id = requestIdFor('uid', offering, 0)
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(requestIdFor('uid', offering, 0)).toBe(id)
  const others = [
    requestIdFor('other', offering, 0),
    requestIdFor('uid', { ...offering, zone: 'us-central1-b' }, 0),
    requestIdFor('uid', { ...offering, instanceType: 'n2-standard-8' }, 0),
    requestIdFor('uid', { ...offering, capacityType: 'on-demand' }, 0),
    requestIdFor('uid', offering, 1),
  ]
  expect(new Set([id, ...others]).size).toBe(6)
})
