import { expect, test } from 'vitest'
import { isEphemeralTaint, taints } from './taints.ts'

test('ephemeral taints are recognised by key and effect, and readiness taints by their prefix', () => {
  expect(isEphemeralTaint({ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule', value: 'x' })).toBe(true)
  expect(isEphemeralTaint({ key: 'node.kubernetes.io/not-ready', effect: 'PreferNoSchedule' })).toBe(false)
  expect(isEphemeralTaint({ key: 'node.kubernetes.io/unreachable', effect: 'NoExecute' })).toBe(false)
  expect(isEphemeralTaint(taints.unregistered)).toBe(true)
  expect(isEphemeralTaint(taints.disrupted)).toBe(false)
  expect(isEphemeralTaint({ key: 'node.cluster.x-k8s.io/outdated-revision', effect: 'PreferNoSchedule' })).toBe(false)
  expect(isEphemeralTaint({ key: 'readiness.k8s.io/network', effect: 'PreferNoSchedule' })).toBe(true)
})

test('Cluster API’s taint on nodes whose labels are not synchronised is ephemeral, but only with its own effect', () => {
  expect(isEphemeralTaint({ key: 'node.cluster.x-k8s.io/uninitialized', effect: 'NoSchedule' })).toBe(true)
  expect(isEphemeralTaint({ key: 'node.cluster.x-k8s.io/uninitialized', effect: 'NoExecute' })).toBe(false)
})
