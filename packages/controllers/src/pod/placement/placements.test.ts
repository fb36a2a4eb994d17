import type { Pod } from '@kerf/apis'
import { pod } from '@kerf/testing'
import { expect, test } from 'vitest'
import { type PlacementChange, Placements } from './placements.ts'

const start = () => {
  const placements = new Placements()
  const changes: string[] = []
  const text = (side: PlacementChange['before']): string => (side === undefined ? 'nowhere' : side.target)
  const stop = placements.onChange(({ before, after }) => changes.push(`${text(before)} to ${text(after)}`))
  return { placements, changes, stop }
}
const keysTo = (placements: Placements, target: string): readonly string[] =>
  placements.to(target).map((placement) => placement.pod)

test('each change is reported, but not a decision that changes nothing', () => {
  const { placements, changes, stop } = start()
  const web = pod('web')
  placements.assign(web, 'claim-a')
  placements.assign(web, 'claim-a')
  placements.assign(web, 'claim-b')
  placements.forget(web)
  placements.forget(web)
  expect(changes).toEqual(['nowhere to claim-a', 'claim-a to claim-b', 'claim-b to nowhere'])
  expect(placements.version).toBe(3)
  stop()
  placements.assign(web, 'claim-c')
  expect(changes).toHaveLength(3)
})

test('placements are found by their target', () => {
  const { placements } = start()
  const [a, b] = [pod('a'), pod('b')]
  placements.assign(a, 'claim')
  placements.assign(b, 'claim')
  expect(keysTo(placements, 'claim')).toEqual(['default/a', 'default/b'])
  placements.assign(a, 'other')
  placements.forget(b)
  expect([keysTo(placements, 'claim'), keysTo(placements, 'other')]).toEqual([[], ['default/a']])
  expect([...placements.snapshot()]).toEqual([['uid-a', 'other']])
})

test('a pod with the same name is a different pod', () => {
  const { placements } = start()
  const first = pod('web')
  const second: Pod = { ...first, metadata: { ...first.metadata, uid: 'another' } }
  placements.assign(first, 'claim')
  expect(placements.of(second)).toBeUndefined()
  placements.forget(second)
  expect(placements.decidedTarget(first)).toBe('claim')
})

test('an adopted nomination is a placement but not a decision, and a decision replaces it', () => {
  const { placements } = start()
  const web = pod('web')
  placements.adopt(web, 'node-a')
  expect(placements.of(web)).toMatchObject({ target: 'node-a', source: 'adopted' })
  expect([placements.decidedTarget(web), placements.size, placements.version]).toEqual([undefined, 0, 0])
  placements.assign(web, 'claim-b')
  expect([placements.decidedTarget(web), keysTo(placements, 'node-a')]).toEqual(['claim-b', []])
  placements.adopt(web, 'node-a')
  expect(placements.decidedTarget(web)).toBe('claim-b')
})

test('after a decision for the node of an adopted nomination, the nomination is written again', () => {
  const { placements } = start()
  const web = pod('web')
  placements.adopt(web, 'node-a')
  const adopted = placements.of(web)?.nomination
  if (adopted === undefined) throw new Error('there is no placement')
  Object.assign(adopted, { openAt: 5, writtenAt: 7, wasOpen: true, isGivenUp: true })
  placements.assign(web, 'node-a')
  expect(placements.of(web)).toMatchObject({
    source: 'decided',
    nomination: { openAt: 5, writtenAt: undefined, wasOpen: true, isGivenUp: false },
  })
})

test('pods are expected on a node until the given time, unless the node is deleted', () => {
  const { placements } = start()
  expect(placements.expectsPodsUntil('id')).toBe(0)
  placements.expectPods('id', 10)
  expect(placements.expectsPodsUntil('id')).toBe(10)
  placements.forgetNode('id')
  expect(placements.expectsPodsUntil('id')).toBe(0)
})
