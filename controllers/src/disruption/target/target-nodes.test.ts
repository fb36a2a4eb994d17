import { expect, test } from 'vitest'
import { TargetNodes } from './target-nodes.ts'

test('a node stands from the first search that finds it, as long as every later one does', () => {
  const targets = new TargetNodes()
  targets.update(['a', 'b'], 0)
  targets.update(['a', 'c'], 10_000)
  targets.update(['a', 'b', 'c'], 15_000)
  expect(['a', 'b', 'c', 'd'].map((name) => targets.timeOf(name, 20_000))).toEqual([20_000, 5_000, 10_000, 0])
})

test('a node whose command did not hold stands anew', () => {
  const targets = new TargetNodes()
  targets.update(['a', 'b'], 0)
  targets.forget(['a'])
  expect(['a', 'b'].map((name) => targets.timeOf(name, 20_000))).toEqual([0, 20_000])
})

test('nothing stands after a minute in which nobody searched', () => {
  const targets = new TargetNodes()
  targets.update(['a'], 0)
  expect(targets.timeOf('a', 60_000)).toBe(60_000)
  expect(targets.timeOf('a', 60_001)).toBe(0)
  targets.update(['a'], 60_001)
  expect(targets.timeOf('a', 60_001)).toBe(0)
})
