import { afterEach, expect, test, vi } from 'vitest'
import { stopSignals } from './stop-signals.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

test('the same Ctrl-C may come several times; a later one ends the process at once', () => {
  const exit = vi.spyOn(process, 'exit').mockReturnValue(undefined as never)
  let now = 5_000
  const { signal, stop, dispose } = stopSignals(() => now)
  expect(signal.aborted).toBe(false)
  process.emit('SIGINT')
  expect(signal.aborted).toBe(true)
  // From the terminal, and passed on by npm.
  now = 7_000
  process.emit('SIGINT')
  process.emit('SIGTERM')
  expect(exit).not.toHaveBeenCalled()
  now = 7_001
  stop()
  expect(exit.mock.calls).toEqual([[130]])
  dispose()
  expect(process.listenerCount('SIGHUP')).toBe(0)
})
