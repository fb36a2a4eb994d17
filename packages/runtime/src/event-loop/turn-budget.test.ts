import { expect, test } from 'vitest'
import { VirtualClock } from '../clock/virtual-clock.ts'
import { KEYS_PER_TURN, TurnBudget } from './turn-budget.ts'

test('a limited number of keys starts in each iteration of the event loop, and each key is requested once', async () => {
  const clock = new VirtualClock()
  const turn = new TurnBudget(clock)
  const begunIn: number[] = []
  let left = 2.5 * KEYS_PER_TURN
  const pump = (): void => {
    let begun = 0
    while (left > 0 && turn.take(pump)) {
      left--
      begun++
    }
    begunIn.push(begun)
  }
  pump()
  pump()
  expect(begunIn).toEqual([KEYS_PER_TURN, 0])
  await clock.advance(0)
  expect(begunIn).toEqual([KEYS_PER_TURN, 0, KEYS_PER_TURN, KEYS_PER_TURN / 2])
  expect(clock.pending).toBe(0)
})

test('no more keys start in an iteration after its keys have taken long', async () => {
  const clock = new VirtualClock()
  const turn = new TurnBudget(clock)
  let again = 0
  const pump = (): void => void again++
  expect(turn.take(pump)).toBe(true)
  turn.spend(9)
  expect(turn.take(pump)).toBe(true)
  turn.spend(1)
  expect([turn.take(pump), turn.take(pump), again]).toEqual([false, false, 0])
  await clock.advance(0)
  expect([again, turn.take(pump)]).toEqual([1, true])
})
