import { expect, test } from 'vitest'
import { TargetNodes } from './target-nodes.ts'

test('the time of a node starts with the first search that finds it, and continues while every later search finds it', () => {
  const targets = new TargetNodes()
  targets.update(['a', 'b'], 0)
  targets.update(['a', 'c'], 10_000)
  targets.update(['a', 'b', 'c'], 15_000)
  expect(['a', 'b', 'c', 'd'].map((name) => targets.timeOf(name, 20_000))).toEqual([20_000, 5_000, 10_000, 0])
})

test('the time of a node starts again after its command was rejected', () => {
  const targets = new TargetNodes()
  targets.update(['a', 'b'], 0)
  targets.forget(['a'])
  expect(['a', 'b'].map((name) => targets.timeOf(name, 20_000))).toEqual([0, 20_000])
})

test('all times start again after a minute without a search', () => {
  const targets = new TargetNodes()
  targets.update(['a'], 0)
  expect(targets.timeOf('a', 60_000)).toBe(60_000)
  expect(targets.timeOf('a', 60_001)).toBe(0)
  targets.update(['a'], 60_001)
  expect(targets.timeOf('a', 60_001)).toBe(0)
})
