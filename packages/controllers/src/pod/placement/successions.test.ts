import type { Pod } from '@kerf/apis'
import { pod } from '@kerf/testing'
import { expect, test } from 'vitest'
import { Successions } from './successions.ts'

const of = (kind: string, owner: string, name: string, uid: string): Pod =>
  pod(name, {
    metadata: { uid, ownerReferences: [{ apiVersion: 'apps/v1', kind, name: owner, uid: owner, controller: true }] },
  })

test('a new pod gets the place of the pod that left first, and each place is given once', () => {
  const successions = new Successions()
  successions.leave(of('ReplicaSet', 'web', 'web-1', '1'), 'claim-a', 0)
  successions.leave(of('ReplicaSet', 'web', 'web-2', '2'), 'claim-b', 0)
  expect(successions.take(of('ReplicaSet', 'api', 'api-1', '3'), 0)).toBeUndefined()
  expect(successions.take(pod('alone'), 0)).toBeUndefined()
  expect(successions.take(of('ReplicaSet', 'web', 'web-3', '4'), 0)).toBe('claim-a')
  expect(successions.take(of('ReplicaSet', 'web', 'web-4', '5'), 0)).toBe('claim-b')
  expect(successions.take(of('ReplicaSet', 'web', 'web-5', '6'), 0)).toBeUndefined()
})

test('a StatefulSet’s place is given to the pod of the same name; the place of an owner whose pods differ is given to no pod', () => {
  const successions = new Successions()
  successions.leave(of('StatefulSet', 'db', 'db-0', '1'), 'claim-a', 0)
  successions.leave(of('StatefulSet', 'db', 'db-1', '2'), 'claim-b', 0)
  successions.leave(of('Workflow', 'nightly', 'step-1', '3'), 'claim-c', 0)
  expect(successions.take(of('Workflow', 'nightly', 'step-2', '4'), 0)).toBeUndefined()
  expect(successions.take(of('StatefulSet', 'db', 'db-1', '5'), 0)).toBe('claim-b')
  expect(successions.take(of('StatefulSet', 'db', 'db-0', '6'), 0)).toBe('claim-a')
})

test('a place is kept for twenty seconds after the pod starts to terminate, and again after it is deleted', () => {
  const successions = new Successions()
  const [left, other] = [of('ReplicaSet', 'web', 'web-1', '1'), of('ReplicaSet', 'web', 'web-2', '2')]
  successions.leave(left, 'claim-a', 0)
  successions.leave(other, 'claim-b', 1_000)
  successions.gone(left, 15_000)
  expect(successions.take(of('ReplicaSet', 'web', 'web-3', '3'), 35_000)).toBe('claim-a')
  expect(successions.take(of('ReplicaSet', 'web', 'web-4', '4'), 35_000)).toBeUndefined()
})

test('a pod that is planned again and leaves again leaves only one place', () => {
  const successions = new Successions()
  const left = of('ReplicaSet', 'web', 'web-1', '1')
  successions.leave(left, 'claim-a', 0)
  successions.leave(left, 'claim-b', 1_000)
  expect(successions.take(of('ReplicaSet', 'web', 'web-2', '2'), 2_000)).toBe('claim-b')
  expect(successions.take(of('ReplicaSet', 'web', 'web-3', '3'), 2_000)).toBeUndefined()
})
