import type { Pod } from '@kerf/apis'
import { expect, test } from 'vitest'
import { Draws } from './draws.ts'
import { diversePods, preferencePods } from './upstream-mix.ts'

const milli = (text: string): number => Number.parseInt(text, 10)
const sums = (pods: readonly Pod[]): string => {
  const requests = pods.map((pod) => pod.spec.containers[0]?.resources?.requests ?? {})
  return `${requests.reduce((sum, each) => sum + milli(String(each['cpu'])), 0)}m/${requests.reduce((sum, each) => sum + milli(String(each['memory'])), 0)}Mi`
}

// The sums per category in `docs/spec/scheduling-benchmark.md#pods`, which hold for Go's generator with seed 42.
test.each([
  [50, ['8500m/17664Mi', '7800m/6344Mi', '5550m/11876Mi', '9350m/14336Mi', '8100m/13668Mi']],
  [500, ['73500m/131648Mi', '77400m/145360Mi', '59100m/130300Mi', '54400m/142968Mi', '60000m/126316Mi']],
  [1_000, ['132100m/267480Mi', '128200m/264508Mi', '130700m/282272Mi', '140400m/259444Mi', '131950m/267380Mi']],
  [5_000, ['650400m/1374592Mi', '650350m/1324172Mi', '634700m/1402652Mi', '712700m/1247844Mi', '660850m/1358752Mi']],
])('the categories of %i pods equal those of the upstream benchmark', (count, expected) => {
  const pods = diversePods(count)
  const each = count / 5
  expect([0, 1, 2, 3, 4].map((category) => sums(pods.slice(category * each, (category + 1) * each)))).toEqual(expected)
})

test('the first random numbers equal those of the specification', () => {
  const draws = new Draws()
  expect(Array.from({ length: 20 }, () => draws.intn(7))).toEqual([
    5, 2, 4, 1, 5, 0, 6, 4, 4, 3, 0, 3, 2, 4, 5, 6, 3, 6, 3, 5,
  ])
})

test('all pods with preferences request 100m and 4096Mi', () => {
  expect(sums(preferencePods(10))).toBe('1000m/40960Mi')
})

test('there are enough random numbers for the largest mix', () => {
  expect(diversePods(20_000)).toHaveLength(20_000)
})
