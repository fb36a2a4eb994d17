import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type ConditionChange,
  type Conditioned,
  clearCondition,
  conditionSets,
  findCondition,
  isConditionFalse,
  isConditionTrue,
  isConditionUnknown,
  objectConditions,
  openConditions,
  setCondition,
  withConditions,
} from './conditions.ts'

const CREATED = '2024-05-06T07:00:00Z'
const minute = (count: number): number => Date.parse(CREATED) + count * 60_000
const at = (count: number): string => new Date(minute(count)).toISOString().replace('.000', '')

const set = conditionSets.NodeClaim
const claim: Conditioned = { metadata: { creationTimestamp: CREATED, generation: 1 } }

/** Applies changes one minute apart. */
const after = (object: Conditioned, ...changes: readonly ConditionChange[]): Conditioned =>
  changes.reduce(
    (state, change, index) => withConditions(state, setCondition(set, state, change, minute(index + 1))),
    object,
  )

const yes = (type: string): ConditionChange => ({ type, status: 'True' })
const no = (type: string): ConditionChange => ({ type, status: 'False', reason: 'Broken', message: 'it is' })

describe('opening conditions', () => {
  test('the root and its dependents are Unknown from the creation of the object on', () => {
    const opened = openConditions(set, claim, minute(5))
    expect(opened.map(({ type }) => type)).toEqual(['Launched', 'Registered', 'Initialized', 'Ready'])
    for (const condition of opened) {
      expect(condition).toMatchObject({
        status: 'Unknown',
        reason: 'AwaitingReconciliation',
        message: 'object is awaiting reconciliation',
        lastTransitionTime: CREATED,
        observedGeneration: 1,
      })
    }
  })

  test('existing conditions are not changed', () => {
    const state = after(claim, yes('Launched'))
    expect(openConditions(set, state, minute(9))).toBe(state.status?.conditions)
  })
})

describe('setting a condition', () => {
  test('True needs no reason: the type becomes the reason, and there is no message', () => {
    expect(findCondition(after(claim, yes('Launched')), 'Launched')).toEqual({
      type: 'Launched',
      status: 'True',
      reason: 'Launched',
      message: '',
      lastTransitionTime: at(1),
      observedGeneration: 1,
    })
  })

  test('the transition time changes only with the status', () => {
    const waiting = after(claim, {
      type: 'Launched',
      status: 'Unknown',
      reason: 'LaunchFailed',
      message: 'no capacity',
    })
    expect(findCondition(waiting, 'Launched')).toMatchObject({ lastTransitionTime: CREATED, reason: 'LaunchFailed' })
    const launched = after(waiting, no('Launched'), yes('Launched'))
    expect(findCondition(launched, 'Launched')?.lastTransitionTime).toBe(at(2))
  })

  test('an independent condition starts at the current time, and does not change the root', () => {
    const state = after(claim, yes('Drifted'))
    expect(findCondition(state, 'Drifted')?.lastTransitionTime).toBe(at(1))
    expect(findCondition(state, 'Ready')).toMatchObject({ status: 'Unknown', reason: 'ReconcilingDependents' })
  })

  test('the same list is returned if nothing changes', () => {
    const state = after(claim, yes('Launched'))
    expect(setCondition(set, state, yes('Launched'), minute(99))).toBe(state.status?.conditions)
  })

  test('while the object is being deleted, the other conditions get the object’s new generation', () => {
    const state = after(claim, yes('Launched'))
    const going = { ...state, metadata: { ...state.metadata, generation: 2, deletionTimestamp: at(3) } }
    const conditions = setCondition(set, going, yes('Drained'), minute(4))
    expect(conditions.map(({ observedGeneration }) => observedGeneration)).toEqual(Array(conditions.length).fill(2))
  })
})

describe('the root condition', () => {
  test('is True if all dependents are True', () => {
    const state = after(claim, yes('Launched'), yes('Registered'), yes('Initialized'))
    expect(findCondition(state, 'Ready')).toMatchObject({
      status: 'True',
      reason: 'Ready',
      message: '',
      lastTransitionTime: at(3),
    })
  })

  test('is False as soon as one dependent is False, and lists the False ones, newest first', () => {
    const state = after(claim, yes('Launched'), no('Registered'))
    expect(findCondition(state, 'Ready')).toMatchObject({
      status: 'False',
      reason: 'UnhealthyDependents',
      message: 'Registered=False, Initialized=Unknown',
    })
  })

  test('is Unknown while a condition has an older generation', () => {
    const ready = after(claim, yes('Launched'), yes('Registered'), yes('Initialized'))
    const edited = { ...ready, metadata: { ...ready.metadata, generation: 2 } }
    const state = after(edited, yes('Launched'))
    expect(findCondition(state, 'Ready')).toMatchObject({
      status: 'Unknown',
      reason: 'ReconcilingDependents',
      message: 'Initialized=True, Registered=True',
      observedGeneration: 2,
    })
  })

  test('is not False if only a condition of an older generation is False', () => {
    const broken = after(claim, no('Registered'))
    const edited = { ...broken, metadata: { ...broken.metadata, generation: 2 } }
    expect(findCondition(after(edited, yes('Launched')), 'Ready')?.status).toBe('Unknown')
  })

  test('is True if it has no dependents', () => {
    const conditions = setCondition({ dependents: [] }, claim, yes('Anything'), minute(1))
    expect(conditions.at(-1)).toMatchObject({ type: 'Ready', status: 'True' })
  })
})

describe('clearing a condition', () => {
  test('removes an independent condition, and sorts the others by type', () => {
    const state = after(claim, yes('Launched'), yes('Drifted'), yes('Consolidatable'))
    expect(clearCondition(set, state, 'Drifted').map(({ type }) => type)).toEqual([
      'Consolidatable',
      'Initialized',
      'Launched',
      'Ready',
      'Registered',
    ])
  })

  test('does nothing if the condition is missing, and throws if it is a dependent', () => {
    const state = after(claim, yes('Launched'))
    expect(clearCondition(set, state, 'Drifted')).toBe(state.status?.conditions)
    expect(withConditions(state, clearCondition(set, state, 'Drifted'))).toBe(state)
    expect(() => clearCondition(set, state, 'Launched')).toThrow('Launched')
    expect(() => clearCondition(set, state, 'Ready')).toThrow('Ready')
  })

  test('does not add a list to an object without one', () => {
    const bare: Conditioned = { metadata: claim.metadata, status: {} }
    for (const object of [claim, bare]) {
      expect(clearCondition(set, object, 'Drifted')).toBe(objectConditions(object))
      expect(withConditions(object, clearCondition(set, object, 'Drifted'))).toBe(object)
    }
  })
})

test('a missing condition is only unknown, and neither True nor False', () => {
  expect([
    isConditionTrue(claim, 'Drifted'),
    isConditionFalse(claim, 'Drifted'),
    isConditionUnknown(claim, 'Drifted'),
  ]).toEqual([false, false, true])
})

test('after any sequence of changes there is one condition per type, in order of time, with the correct root last', () => {
  const changes = fc.array(
    fc.record({
      type: fc.constantFrom('Launched', 'Registered', 'Initialized', 'Drifted', 'Consolidatable'),
      status: fc.constantFrom('True' as const, 'False' as const, 'Unknown' as const),
      reason: fc.constantFrom('A', 'B'),
    }),
    { minLength: 1, maxLength: 12 },
  )
  fc.assert(
    fc.property(changes, (list) => {
      const state = after(claim, ...list)
      const conditions = state.status?.conditions ?? []
      const types = conditions.map(({ type }) => type)
      expect(new Set(types).size).toBe(types.length)
      expect(types.at(-1)).toBe('Ready')
      const times = conditions.slice(0, -1).map(({ lastTransitionTime = '' }) => lastTransitionTime)
      expect(times).toEqual(times.toSorted())
      const dependents = set.dependents.map((type) => findCondition(state, type)?.status)
      const expected = dependents.includes('False') ? 'False' : dependents.includes('Unknown') ? 'Unknown' : 'True'
      expect(findCondition(state, 'Ready')?.status).toBe(expected)
    }),
  )
})
