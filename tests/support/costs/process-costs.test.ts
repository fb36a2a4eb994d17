import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { descendantSeconds, parseStat, processorSeconds } from './process-costs.ts'

const USED = 0.2

/** A program that uses CPU time, reports the amount, and runs until its standard input ends. */
const WORKER = `
  while (process.cpuUsage().user < ${USED * 1e6});
  process.stdout.write('used')
  process.stdin.resume()
`

/** Starts a process that starts the worker, so that the CPU time is used by a grandchild of this process. */
const startParentOfWorker = async (): Promise<ChildProcess> => {
  const program = `
    const { spawn } = require('node:child_process')
    spawn(process.execPath, ['-e', ${JSON.stringify(WORKER)}], { stdio: 'inherit' })
  `
  const child = spawn(process.execPath, ['-e', program], { stdio: ['pipe', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  return child
}

test('reads a process’s own time and the time of its ended children, after the last parenthesis of the line', () => {
  const text = '7 (a) b (c) S 1 7 7 0 -1 4194560 1 2 3 4 150 50 30 20 20 0 1 0 99 1 2'
  expect(parseStat(text)).toEqual({ own: 2, ofEnded: 0.5 })
})

test.skipIf(!existsSync('/proc/self/stat'))(
  'counts what a descendant used, while it runs and after it has ended',
  async () => {
    const before = descendantSeconds()
    const child = await startParentOfWorker()
    const id = child.pid ?? 0
    expect(processorSeconds([id])).toBeGreaterThanOrEqual(USED)
    expect(processorSeconds([id, id])).toBe(processorSeconds([id]))
    expect(descendantSeconds() - before).toBeGreaterThanOrEqual(USED)
    const ended = once(child, 'exit')
    child.stdin?.end()
    await ended
    expect(descendantSeconds() - before).toBeGreaterThanOrEqual(USED)
    expect(processorSeconds([id])).toBe(0)
  },
)
