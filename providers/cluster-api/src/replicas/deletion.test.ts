import { describe, expect, test } from 'vitest'
import type { DeploymentState, MachineSetView, MachineView } from '../machines/machine-view.ts'
import { nextDeletionStep, VERIFY_WITHIN } from './deletion.ts'
import { desiredReplicas } from './desired-replicas.ts'

const machine = (name: string, more: Partial<MachineView> = {}): MachineView => ({
  name,
  uid: `uid-${name}`,
  set: 'old',
  createdAt: 0,
  member: true,
  claimUid: `claim-${name}`,
  mark: undefined,
  deleting: false,
  lingering: false,
  failed: false,
  registered: true,
  ...more,
})

const set = (name: string, revision: number, replicas: number): MachineSetView => ({ name, revision, replicas })

const stateOf = (
  sets: readonly MachineSetView[],
  machines: readonly MachineView[],
  replicas: number,
): DeploymentState => ({
  deployment: {
    namespace: 'default',
    name: 'a',
    replicas,
    lastWritten: replicas,
    ofOthers: 0,
    strategy: 'OnDelete',
    maximum: undefined,
    bornMember: false,
  },
  sets,
  machines,
  claims: machines.map((m) => ({
    name: m.name,
    uid: `claim-${m.name}`,
    machine: m.name,
    deleting: false,
    waiting: false,
  })),
})

const [a, b, c] = [machine('a'), machine('b'), machine('c')]
const fresh = machine('n', { set: 'new' })
const kerfMark = (at: number): Partial<MachineView> => ({ mark: { by: 'kerf', at } })
const byOthers: Partial<MachineView> = { mark: { by: 'others', at: undefined } }
const one = [set('old', 1, 3)]
const two = [set('old', 1, 3), set('new', 2, 1)]
const marked = machine('a', kerfMark(0))

const step = (state: DeploymentState, target: MachineView, mayDelete = true, now = 1): string =>
  nextDeletionStep(state, target, 0, mayDelete, now).kind

describe('how exactly one Machine is deleted', () => {
  test.each<readonly [string, DeploymentState, MachineView, string, string]>([
    ['the only set', stateOf(one, [a, b, c], 3), a, 'mark', 'mark'],
    ['marked, before the replicas', stateOf(one, [marked, b, c], 3), marked, 'scale', 'scale'],
    ['marked and scaled', stateOf(one, [marked, b, c], 2), marked, 'verify', 'verify'],
    [
      'another one is being deleted and will be replaced',
      stateOf(one, [a, machine('b', { deleting: true }), c], 3),
      a,
      'delete-itself',
      'refuse',
    ],
    ['others marked another one', stateOf(one, [a, machine('b', byOthers), c], 3), a, 'delete-itself', 'refuse'],
    ['a replica that was not seen yet', stateOf(one, [a, b], 3), a, 'delete-itself', 'refuse'],
    ['the old one of two sets', stateOf(two, [a, b, c, fresh], 4), a, 'mark', 'mark'],
    ['a replica of the new set that was not seen yet', stateOf(two, [a, b, c], 4), a, 'delete-itself', 'refuse'],
    ['the new one of two sets', stateOf(two, [a, b, c, fresh], 4), fresh, 'delete-itself', 'refuse'],
    ['more than one old set', stateOf([set('older', 0, 1), ...two], [a, b, c, fresh], 5), a, 'delete-itself', 'refuse'],
    [
      'a Machine without a set',
      stateOf(one, [a, b, machine('c', { set: undefined })], 3),
      a,
      'delete-itself',
      'refuse',
    ],
    [
      'one that is already being deleted',
      stateOf(one, [machine('a', { deleting: true }), b], 2),
      machine('a', { deleting: true }),
      'going',
      'going',
    ],
  ])('%s', (_, state, target, allowed, denied) => {
    expect([step(state, target), step(state, target, false)]).toEqual([allowed, denied])
  })

  test('after a mark without effect the Machine is deleted directly, or the mark is removed if Kerf may not delete', () => {
    const state = stateOf(one, [marked, b, c], 2)
    expect(step(state, marked, true, VERIFY_WITHIN - 1)).toBe('verify')
    expect(step(state, marked, true, VERIFY_WITHIN)).toBe('delete-itself')
    expect(nextDeletionStep(state, marked, 0, false, VERIFY_WITHIN)).toEqual({
      kind: 'refuse',
      reason:
        'Machine a was marked, but Cluster API did not choose it; grant Kerf the verb delete on machines.cluster.x-k8s.io, or delete this Machine manually',
      unmark: true,
    })
  })

  test('for a deletion in the newer of two sets the replicas stay, because lowering them would delete an old Machine', () => {
    const state = stateOf(two, [a, b, c, machine('n', { set: 'new', deleting: true })], 4)
    expect(desiredReplicas(state, 0)).toEqual({ replicas: 4, ofOthers: 0, changed: false, refused: 0 })
  })

  test('replicas without a visible Machine keep their place, because their Machine could replace one that stays', () => {
    expect(desiredReplicas(stateOf(one, [machine('a', { deleting: true }), b], 3), 0).replicas).toBe(2)
  })

  describe('a Machine with a slow deletion', () => {
    const going = machine('a', { deleting: true })
    const lingering = machine('a', { deleting: true, lingering: true })
    const replicas = (sets: readonly MachineSetView[], machines: readonly MachineView[], of: number, creates: number) =>
      desiredReplicas(stateOf(sets, machines, of), creates).replicas

    test('does not delay a create, because its drain may wait for the pods of that create', () => {
      expect(replicas(one, [going, b], 1, 1)).toBe(2)
      expect(replicas(one, [lingering, b], 1, 1)).toBe(3)
      expect(replicas(one, [lingering, b], 1, 0)).toBe(1)
    })

    test('each create gets an additional Machine, and the replicas are lowered again later', () => {
      expect(replicas(one, [lingering, b], 1, 3)).toBe(5)
      expect(replicas(one, [lingering, b, c], 3, 0)).toBe(2)
    })

    test('this applies only to the newest set, because in other sets Cluster API creates the replacement', () => {
      expect(replicas(two, [lingering, b, c, fresh], 4, 1)).toBe(4)
      expect(replicas(two, [a, b, c, machine('n', { set: 'new', deleting: true, lingering: true })], 4, 1)).toBe(5)
    })

    test('a deployment does not exceed its maximum size', () => {
      const state = stateOf(one, [lingering, b], 2)
      const full = { ...state, deployment: { ...state.deployment, maximum: 2 } }
      expect(desiredReplicas(full, 1)).toMatchObject({ replicas: 2, refused: 1 })
    })
  })

  test('creates beyond the maximum size are refused by number, and existing Machines stay', () => {
    const full = stateOf(one, [a, b, c], 3)
    const state = { ...full, deployment: { ...full.deployment, maximum: 4 } }
    expect(desiredReplicas(state, 3)).toEqual({ replicas: 4, ofOthers: 0, changed: true, refused: 2 })
  })
})
