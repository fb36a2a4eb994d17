import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { currentHoldings, listeningPorts } from './holdings.ts'
import { newNames } from './left-files.ts'
import { type Holdings, leftovers, leftoversMessage } from './leftovers.ts'

const nothing: Holdings = { processes: new Map(), resources: [], files: [] }

test('if nothing new is held, nothing counts as left behind', () => {
  const held: Holdings = { processes: new Map([[7, 'etcd']]), resources: ['Timeout', 'TCPServerWrap'], files: ['a'] }
  expect(leftovers(held, held)).toEqual([])
  expect(leftovers(held, nothing)).toEqual([])
})

test('each new resource gets a description', () => {
  const before: Holdings = { processes: new Map([[7, 'etcd']]), resources: ['Timeout'], files: ['a'] }
  const after: Holdings = {
    processes: new Map([
      [7, 'etcd'],
      [8, `sleep ${'9'.repeat(300)}`],
    ]),
    resources: ['Timeout', 'Timeout', 'TCPServerWrap', 'TCPServerWrap', 'FSReqCallback'],
    files: ['a', 'kerf-x'],
  }
  const found = leftovers(before, after)
  expect(found).toEqual([
    `a process that still runs (8): sleep ${'9'.repeat(153)}…`,
    'a timer',
    'a server that listens on a port, 2 times',
    'a file or folder in the temporary folder: kerf-x',
  ])
  expect(leftoversMessage('test/a.test.ts', ['a timer'], ['port 80 is open'])).toBe(
    'test/a.test.ts leaves something behind. Close, stop or remove it in the test or in a hook:\n  a timer\n  (port 80 is open)',
  )
})

test('a process, port, timer and file are reported until they are closed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'leftovers-'))
  const before = currentHoldings(folder)

  const child = spawn('sleep', ['600'], { stdio: 'ignore' })
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const timer = setTimeout(() => undefined, 600_000)
  writeFileSync(join(folder, 'left'), '')
  mkdirSync(join(folder, 'node-compile-cache'))
  const found = leftovers(before, currentHoldings(folder))

  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await ended
  await new Promise((resolve) => server.close(resolve))
  clearTimeout(timer)
  rmSync(folder, { recursive: true })
  while (leftovers(before, currentHoldings(folder)).length > 0) await new Promise((resolve) => setImmediate(resolve))

  expect(found.filter((each) => each.includes('node-compile-cache'))).toEqual([])
  if (process.platform === 'linux') expect(found).toContain(`a process that still runs (${child.pid}): sleep 600`)
  expect(found).toEqual(
    expect.arrayContaining([
      'a timer',
      'a server that listens on a port',
      'a child process',
      'a file or folder in the temporary folder: left',
    ]),
  )
})

test('an open port is reported with its number', async () => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const told = listeningPorts()
  await new Promise((resolve) => server.close(resolve))
  expect(told).toContain(`port ${port} is open`)
})

test('names that already existed are not new', () => {
  expect(newNames(['b', 'a'], ['c', 'b', 'a0'])).toEqual(['a0', 'c'])
})
