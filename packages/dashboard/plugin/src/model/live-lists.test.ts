import { describe, expect, test } from 'vitest'
import { CalmLists } from './calm-lists.ts'
import { joinLists, LiveLists, unchangedFor } from './live-lists.ts'
import { Steps } from './testing/steps.ts'
import { Throttle } from './throttle.ts'

describe('a throttle', () => {
  test('runs at once, then at most once per interval, and finally with the last value', () => {
    const steps = new Steps()
    let value = 0
    const seen: number[] = []
    const throttle = new Throttle(() => seen.push(value), 2_000, steps)
    // A change every 100 ms for ten minutes. A debounced action would never run during this time.
    for (value = 1; value <= 6_000; value++) {
      throttle.ask()
      steps.advance(100)
    }
    value = 6_001
    throttle.ask()
    steps.advance(10_000)
    expect(seen.length).toBe(302)
    expect([seen[0], seen.at(-1)]).toEqual([1, 6_001])
    expect(steps.timers).toBe(0)
    throttle.ask()
    expect(seen.at(-1)).toBe(6_001)
    throttle.stop()
    expect(steps.timers).toBe(0)
  })
})

describe('live lists', () => {
  const list = (...items: readonly unknown[]) => ({ items, error: null })

  test('from several clusters or namespaces are joined, and are partial if one is missing or unknown', () => {
    const [none, some] = [{ items: null, error: { status: 403 } }, { items: ['a'] }]
    expect(joinLists([some, { items: ['b'] }], true)).toEqual({ items: ['a', 'b'] })
    expect(joinLists([some, { items: [] }], false)).toEqual({ items: ['a'], isPart: true })
    expect(joinLists([some, none], true)).toEqual({ items: ['a'], error: { status: 403 }, isPart: true })
    expect(joinLists([none], true)).toMatchObject({ items: null, error: { status: 403 } })
    // Readers are notified even if the objects are the same.
    const steps = new Steps()
    const lists = new LiveLists<'pods'>(2_000, steps)
    lists.want(['pods'])
    const { items } = some
    lists.put('pods', () => ({ items, isPart: true }))
    expect(lists.snapshot().get('pods')?.isPart).toBe(true)
    steps.advance(2_000)
    lists.put('pods', () => ({ items }))
    expect(lists.snapshot().get('pods')?.isPart).toBeUndefined()
  })

  test('are published at once while they load, and then together at a limited rate', () => {
    const steps = new Steps()
    const lists = new LiveLists<'pods' | 'claims'>(2_000, steps)
    let told = 0
    lists.subscribe(() => told++)
    lists.want(['pods', 'claims'])
    told = 0
    lists.put('pods', () => ({ items: null }))
    lists.put('pods', () => list('a'))
    lists.put('claims', () => ({ items: null, error: { status: 403 } }))
    // Lists that a page waits for are not delayed.
    expect([told, lists.snapshot().get('pods')?.items]).toEqual([3, ['a']])
    let snapshots = new Set<unknown>()
    for (let change = 0; change < 630; change++) {
      lists.put(change % 10 === 0 ? 'claims' : 'pods', () => list(change))
      steps.advance(95)
      snapshots = snapshots.add(lists.snapshot())
    }
    steps.advance(2_000)
    expect(told).toBeLessThanOrEqual(3 + 32)
    expect(snapshots.size).toBeLessThanOrEqual(32)
    // The last change is published although no other change follows.
    expect([lists.snapshot().get('pods')?.items, lists.snapshot().get('claims')?.items]).toEqual([[629], [620]])
  })

  test('keep no list, listener or timer after their readers have gone', () => {
    const steps = new Steps()
    const lists = new LiveLists<'pods' | 'claims'>(2_000, steps)
    for (let visit = 0; visit < 50; visit++) {
      const leave = [lists.subscribe(() => undefined), lists.want(['pods', 'claims']), lists.want(['pods'])]
      lists.put('pods', () => list(visit))
      lists.put('pods', () => list(visit, visit))
      lists.put('claims', () => list(visit))
      for (const each of leave) each()
      expect([lists.held, steps.timers, lists.names()]).toEqual([{ listeners: 0, lists: 0 }, 0, []])
    }
  })

  test('load the first lists, and load the others when the first are known, refused or slow', () => {
    const steps = new Steps()
    const begun = () => new LiveLists<'pods' | 'claims' | 'events'>(2_000, steps, ['claims'])
    const lists = begun()
    let told = 0
    lists.subscribe(() => told++)
    const leave = [lists.want(['pods', 'claims'])]
    lists.put('claims', () => ({ items: null }))
    expect(lists.names()).toEqual(['claims'])
    told = 0
    lists.put('claims', () => list('a'))
    expect([lists.names(), told]).toEqual([['claims', 'pods'], 2])
    leave.push(lists.want(['events']))
    expect(lists.names()).toEqual(['claims', 'events', 'pods'])
    for (const each of leave) each()
    expect([lists.names(), steps.timers]).toEqual([[], 0])

    const refused = begun()
    refused.want(['pods', 'claims'])
    refused.put('claims', () => ({ items: null, error: { status: 403 } }))
    expect(refused.names()).toEqual(['claims', 'pods'])

    const slow = begun()
    slow.want(['pods', 'claims'])
    steps.advance(399)
    expect(slow.names()).toEqual(['claims'])
    steps.advance(1)
    expect(slow.names()).toEqual(['claims', 'pods'])

    const without = begun()
    without.want(['pods'])
    expect(without.names()).toEqual(['pods'])
  })

  test('a reader keeps its snapshot if only other lists changed', () => {
    const lists = new LiveLists<'pods' | 'claims'>(2_000, new Steps())
    lists.put('claims', () => list('a'))
    lists.put('pods', () => list('b'))
    const before = lists.snapshot()
    const after = new Map(before).set('pods', list('c'))
    expect(unchangedFor(before, after, ['claims'])).toBe(before)
    expect(unchangedFor(before, after, ['claims', 'pods'])).toBe(after)
    expect(unchangedFor(undefined, after, ['claims'])).toBe(after)
  })

  test('publishing the same list again is not a change', () => {
    const lists = new LiveLists<'pods'>(2_000, new Steps())
    let told = 0
    const pods = list('a')
    lists.want(['pods'])
    lists.put('pods', () => pods)
    lists.subscribe(() => told++)
    lists.put('pods', () => ({ ...pods }))
    expect(told).toBe(0)
  })
})

describe('calm lists', () => {
  const list = (...items: readonly unknown[]) => ({ items, error: null })

  test('publish awaited lists at once, then at most one change in three seconds, and always the last change', () => {
    const steps = new Steps()
    const lists = new LiveLists<'pods' | 'claims'>(800, steps)
    const calm = new CalmLists(lists, 3_000, steps)
    let told = 0
    const leave = [calm.want(['pods', 'claims']), calm.subscribe(() => told++)]
    lists.put('claims', () => list('a'))
    lists.put('pods', () => list('b'))
    expect([told, calm.snapshot().get('pods')?.items]).toEqual([2, ['b']])
    steps.advance(10_000)
    // A change after a pause is published at once.
    lists.put('pods', () => list('c'))
    expect([told, calm.snapshot().get('pods')?.items]).toEqual([3, ['c']])
    told = 0
    for (let change = 0; change < 600; change++) {
      lists.put('pods', () => list(change))
      steps.advance(100)
    }
    steps.advance(10_000)
    expect(told).toBeLessThanOrEqual(22)
    expect(calm.snapshot().get('pods')?.items).toEqual([599])
    for (const each of leave) each()
    expect([lists.held, steps.timers]).toEqual([{ listeners: 0, lists: 0 }, 0])
  })
})
